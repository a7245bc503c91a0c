import { spawnSync } from 'child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'fs';
import { tmpdir } from 'os';
import { join } from 'path';
import { Cdk8sValidation } from '../../src/plugins/cdk8s-cli';
import { bundleSource } from '../support/command-line';

const ROOT = join(__dirname, '../..');
const BIN = join(ROOT, 'node_modules/.bin');

// cdk8s-cli takes seconds to start.
jest.setTimeout(120_000);

/** Runs cdk8s-cli with the app in cdk8s-app/. */
describe('cdk8s synth with validations', () => {
  let folder: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'cdk8s-synth-'));
    // The package, as cdk8s-cli finds it in node_modules.
    mkdirSync(join(folder, 'package'));
    await bundleSource('src/plugins/cdk8s-cli/index.ts', join(folder, 'package/index.js'));
    await bundleSource('test/plugins/cdk8s-app/app.ts', join(folder, 'app.js'));
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  function synth(cpu: string, properties: Record<string, unknown> = {}, ...more: string[]) {
    const validations = [{ package: './package', version: '0.1.0', class: 'Cdk8sValidation', properties }];
    writeFileSync(
      join(folder, 'cdk8s.yaml'),
      JSON.stringify({ language: 'typescript', app: 'node app.js', validations }),
    );
    const env = { ...process.env, CPU: cpu, NODE_ENV: '', CDK8S_CHECK_UPGRADE: 'false' };
    const { status, stdout, stderr } = spawnSync(join(BIN, 'cdk8s'), ['synth', ...more], {
      cwd: folder,
      encoding: 'utf8',
      env,
    });
    return { status, text: `${stdout}${stderr}` };
  }

  test('fails for a Deployment that fits on no node, with rule, construct, place, reason and remedy', () => {
    const { status, text } = synth('200');
    expect(status).toBe(2);
    expect(text).toContain('error KARP-301 pod-larger-than-largest-allowed-node (1 occurrences)');
    expect(text).toMatch(
      /Construct Path: shop\/Deployment\n.*Manifest Path: dist\/shop\.k8s\.yaml\n.*Resource Name: web\n.*Locations:\n.*> spec\.template\.spec.* \(dist\/shop\.k8s\.yaml:\d+:\d+\)\n/,
    );
    expect(text).toContain(
      'Recommendation: each pod requests 200 CPUs, more than the one instance type that NodePool default allows',
    );
    expect(text).toContain('How to fix: write 200m instead of 200 if thousandths of a CPU are meant');
  });

  test('passes if every pod has a node, with the plan and the warnings', () => {
    const { status, text } = synth('500m', { region: 'eu-west-1' });
    expect({ status, text }).toEqual({
      status: 0,
      text: expect.stringMatching(/║? ?Plan +│ 2 of 2 pods on 1 node, .*\/h \(/),
    });
    expect(text).toContain('warning KARP-402 no-pdb');
  });

  test('fails on warnings with failOn, and writes the report as JSON', () => {
    const { status } = synth('500m', { failOn: 'warning' }, '--validation-reports-output-file', 'report.json');
    expect(status).toBe(2);
    const {
      reports: [{ summary, violations }],
    } = JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8'));
    expect(summary).toMatchObject({
      status: 'failure',
      metadata: { Findings: expect.stringMatching(/^errors: 0, warnings: [1-9]/) },
    });
    expect(violations).toContainEqual(expect.objectContaining({ ruleName: 'warning KARP-402 no-pdb' }));
  });

  test('fails with the reason if a property is wrong', () => {
    const { status, text } = synth('500m', { region: 'eu-wst-1' });
    expect(status).not.toBe(0);
    expect(text).toContain('region: not an AWS region, got "eu-wst-1"; write eu-west-1');
  });
});

describe('the plugin rejects', () => {
  test.each<[string, Record<string, unknown>, string]>([
    ['an unknown property', { regoin: 'eu-west-1' }, 'properties: unknown property "regoin"; did you mean region?'],
    ['a property in another case', { failon: 'never' }, 'properties: unknown property "failon"; did you mean failOn?'],
    ['an unknown severity', { failOn: 'errors' }, 'failOn: unknown value "errors"; did you mean error?'],
  ])('%s', (_, props, message) => {
    expect(() => new Cdk8sValidation(props)).toThrow(message);
  });
});
