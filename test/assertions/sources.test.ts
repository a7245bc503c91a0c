import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as cdk from 'aws-cdk-lib';
import { App, Chart, Include, Testing } from 'cdk8s';
import { Construct } from 'constructs';
import { parseAllDocuments } from 'yaml';
import { KarpenterAssertions } from '../../src/assertions';
import { deployment, NODE_CLASS, nodePool, SMALL } from '../validation/setup';

const ZONE = 'eu-west-1b';
const POOL = nodePool(['m5.large']);
const WEB = deployment('web', 2, SMALL);
/** Requests more than the NodePool offers, so the tests can see whether it is evaluated. */
const BIG = deployment('big', 1, 'cpu: 6');

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'karpenter-assertions-'));
  // The CDK's own template rules are slow.
  process.env.CDK_VALIDATION = 'false';
});
afterEach(() => {
  delete process.env.CDK_VALIDATION;
  rmSync(folder, { recursive: true });
});

function include(scope: Construct, ...documents: string[]): void {
  const url = join(folder, `${scope.node.id}.yaml`);
  writeFileSync(url, documents.join('---\n'));
  new Include(scope, 'Include', { url });
}

describe('fromChart', () => {
  test('includes the charts inside the chart, and no others', () => {
    const app = Testing.app();
    const chart = new Chart(app, 'platform');
    include(chart, NODE_CLASS, POOL);
    include(new Chart(app, 'other'), BIG);
    expect(() => KarpenterAssertions.fromChart(chart).hasAllPodsScheduled()).toThrow('got no pod at all');
    include(new Chart(chart, 'apps'), BIG);
    expect(() => KarpenterAssertions.fromChart(chart).hasAllPodsScheduled()).toThrow('default/big-0');
  });
});

describe('fromApp', () => {
  test('evaluates all charts together, without writing files', () => {
    const app = new App({ outdir: join(folder, 'dist') });
    include(new Chart(app, 'platform'), NODE_CLASS, POOL);
    include(new Chart(app, 'apps'), WEB);
    KarpenterAssertions.fromApp(app, { region: 'eu-west-1', zones: [ZONE] }).hasInstanceTypesInEachZone('default', 1, {
      zones: [ZONE],
    });
    KarpenterAssertions.fromApp(app).hasAllPodsScheduled();
    expect(existsSync(join(folder, 'dist'))).toBe(false);
  });
});

describe('fromFiles', () => {
  test('evaluates all files of a folder together', () => {
    writeFileSync(join(folder, 'platform.yaml'), [NODE_CLASS, POOL].join('---\n'));
    writeFileSync(join(folder, 'web.yaml'), WEB);
    expect(() => KarpenterAssertions.fromFiles([folder]).hasNodesAtMost(1)).not.toThrow();
  });

  test('reports a missing file', () => {
    expect(() => KarpenterAssertions.fromFiles(['missing.yaml']).hasNodesAtMost(1)).toThrow(
      /cannot be evaluated:\n {2}- missing\.yaml:1: no such file or folder/,
    );
  });
});

describe('fromStack', () => {
  const app = () => new cdk.App({ outdir: join(folder, 'cdk.out'), analyticsReporting: false });

  function apply(scope: Construct, ...documents: string[]): void {
    const objects = parseAllDocuments(documents.join('---\n')).map((document) => document.toJS());
    new cdk.CfnResource(scope, 'Objects', {
      type: 'Custom::AWSCDK-EKS-KubernetesResource',
      properties: { ClusterName: 'prod', Manifest: JSON.stringify(objects) },
    });
  }

  test('uses the region of the stack', () => {
    const stack = new cdk.Stack(app(), 'Prod', { env: { region: 'eu-west-1' } });
    apply(stack, NODE_CLASS, POOL, WEB);
    KarpenterAssertions.fromStack(stack).hasInstanceTypesInEachZone('default', 1, { zones: [ZONE] });
    KarpenterAssertions.fromStack(stack).hasAllPodsScheduled();
  });

  test('includes nested stacks and the stacks that it depends on, and no others', () => {
    const root = app();
    const [platform, apps, other] = ['Platform', 'Apps', 'Other'].map((name) => new cdk.Stack(root, name));
    apply(platform, NODE_CLASS);
    apply(new cdk.NestedStack(platform, 'Nested'), POOL);
    apply(apps, WEB);
    apply(other, BIG);
    apps.addStackDependency(platform);
    expect(() => KarpenterAssertions.fromStack(apps).hasAllPodsScheduled()).not.toThrow();
  });

  test('accepts a stack in a stage', () => {
    const stack = new cdk.Stack(new cdk.Stage(app(), 'Test'), 'Prod');
    apply(stack, NODE_CLASS, POOL, BIG);
    expect(() => KarpenterAssertions.fromStack(stack).hasAllPodsScheduled()).toThrow('default/big-0');
  });

  test('names the construct of a finding', () => {
    const stack = new cdk.Stack(app(), 'Prod');
    apply(stack, NODE_CLASS.replace('main', 'other'), POOL);
    expect(() => KarpenterAssertions.fromStack(stack).hasNoErrors()).toThrow(/error \[Objects\] KARP-103/);
  });

  test('rejects a stack outside an app', () => {
    expect(() => KarpenterAssertions.fromStack(new cdk.Stack(new Construct(undefined as any, ''), 'Alone'))).toThrow(
      /the stack does not belong to an app/,
    );
  });
});
