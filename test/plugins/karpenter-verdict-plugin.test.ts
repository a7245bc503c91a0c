import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'fs';
import { tmpdir } from 'os';
import { join } from 'path';
import { App, CfnResource, NestedStack, Stack, Stage, Validations } from 'aws-cdk-lib';
import { CfnRole } from 'aws-cdk-lib/aws-iam';
import { deployment, NODE_CLASS, nodePool } from './objects';
import { FailOn, KarpenterVerdictPlugin, KarpenterVerdictProps } from '../../src/plugins';

describe('KarpenterVerdictPlugin', () => {
  let outdir: string;
  let stderr: string;
  beforeEach(() => {
    outdir = mkdtempSync(join(tmpdir(), 'karpenter-validation-test-'));
    stderr = '';
    // The CDK's own template rules are slow and do not check Karpenter.
    process.env.CDK_VALIDATION = 'false';
    for (const print of [jest.spyOn(process.stderr, 'write'), jest.spyOn(console, 'error')]) {
      print.mockImplementation((text) => {
        stderr += String(text);
        return true;
      });
    }
  });
  afterEach(() => {
    delete process.env.CDK_VALIDATION;
    jest.restoreAllMocks();
    rmSync(outdir, { recursive: true });
  });

  function setup(props?: KarpenterVerdictProps): { app: App; stack: Stack } {
    const app = new App({ outdir, analyticsReporting: false, treeMetadata: false });
    Validations.of(app).addPlugins(new KarpenterVerdictPlugin(props));
    return { app, stack: new Stack(app, 'Prod', { env: { region: 'eu-west-1', account: '123456789012' } }) };
  }

  function apply(stack: Stack, objects: readonly object[], { id = 'Manifest', cluster = 'prod' } = {}): CfnResource {
    const properties = { ClusterName: cluster, Manifest: stack.toJsonString(objects) };
    return new CfnResource(stack, id, { type: 'Custom::AWSCDK-EKS-KubernetesResource', properties });
  }

  function verdict(file = 'karpenter-verdict.json'): any {
    return JSON.parse(readFileSync(join(outdir, file), 'utf8'));
  }

  test('passes an app without errors, and writes the verdict', () => {
    const { app, stack } = setup();
    apply(stack, [NODE_CLASS, nodePool(), deployment('500m')]);
    app.synth();
    expect(verdict()).toMatchObject({ summary: { errors: 0, pods: 2, scheduledPods: 2 } });
    expect(verdict().nodeClaims[0].zones).toEqual(['eu-west-1a', 'eu-west-1b', 'eu-west-1c']);
  });

  test('names a NodePool with values known only at deployment, and the rules, that are not evaluated', () => {
    const { app, stack } = setup();
    const { ref } = new CfnResource(stack, 'Families', { type: 'Custom::Families' });
    const pool = nodePool();
    pool.spec.template.spec.requirements.push({
      key: 'karpenter.k8s.aws/instance-family',
      operator: 'In',
      values: [ref],
    });
    apply(stack, [pool, NODE_CLASS]);
    app.synth();
    expect(stderr).toMatch(
      /^karpenter verdict: 0 of 0 pods on 0 nodes; 1 object not evaluated \(NodePool default\); \d+ checks not evaluated \(KARP-\d+(, KARP-\d+){7} and \d+ more\); full verdict in .+\.json, with the reasons under "assumptions"\n$/,
    );
  });

  test('prints one line about the pods, unless quiet is set', () => {
    for (const quiet of [false, true]) {
      const { app, stack } = setup({ quiet });
      apply(stack, [NODE_CLASS, nodePool(), deployment('500m')]);
      stderr = '';
      app.synth();
      expect(stderr.includes('karpenter verdict: 2 of 2 pods on 1 node')).toBe(!quiet);
    }
  });

  test('fails the synth if a pod fits on no node, with construct, rule and remedy', () => {
    const { app, stack } = setup();
    apply(stack, [NODE_CLASS, nodePool(), deployment('200')]);
    expect(() => app.synth()).toThrow(
      /Deployment web: each pod requests 200 CPUs[^]*Prod\/Manifest[^]*Suggested fix: write 200m instead of 200 if thousandths of a CPU are meant[^]*Karpenter::KARP-301/,
    );
  });

  test('names the resource of a finding', () => {
    const { app, stack } = setup();
    const properties = {
      ClusterName: 'prod',
      Release: 'karpenter',
      Chart: 'karpenter',
      Version: '1.8.4',
      Namespace: 'kube-system',
    };
    new CfnResource(stack, 'Karpenter', { type: 'Custom::AWSCDK-EKS-HelmChart', properties });
    expect(() => app.synth()).toThrow(/ERROR HelmChart Karpenter: Karpenter is 1\.8\.4[^]*Prod\/Karpenter/);
  });

  test('passes if the finding is acknowledged with a reason', () => {
    const { app, stack } = setup();
    Validations.of(apply(stack, [NODE_CLASS, nodePool(), deployment('200')])).acknowledge({
      id: 'Karpenter::KARP-301',
      reason: 'a test',
    });
    app.synth();
    expect(
      JSON.parse(readFileSync(join(outdir, 'validation-report.json'), 'utf8')).pluginReports[0].suppressedViolations[0],
    ).toMatchObject({ reason: 'a test' });
  });

  test.each([
    [FailOn.ERROR, false],
    [FailOn.WARNING, true],
    [FailOn.NEVER, false],
  ])('with failOn %s, whether a warning fails the synth: %s', (failOn, fails) => {
    const { app, stack } = setup({ failOn });
    apply(stack, [NODE_CLASS, nodePool([]), deployment('500m')]);
    if (fails) expect(() => app.synth()).toThrow('Karpenter::KARP-204');
    else app.synth();
  });

  test('passes with an error if failOn is NEVER, and reports the error', () => {
    const { app, stack } = setup({ failOn: FailOn.NEVER });
    apply(stack, [NODE_CLASS, nodePool(), deployment('200')]);
    app.synth();
    expect(stderr).toContain('Karpenter::KARP-301');
  });

  test('evaluates a manifest with references', () => {
    const { app, stack } = setup();
    const managedPolicyArns = [
      'AmazonEKSWorkerNodePolicy',
      'AmazonEC2ContainerRegistryPullOnly',
      'AmazonEKS_CNI_Policy',
    ].map((name) => `arn:aws:iam::aws:policy/${name}`);
    const assumeRolePolicyDocument = {
      Statement: [{ Effect: 'Allow', Action: 'sts:AssumeRole', Principal: { Service: 'ec2.amazonaws.com' } }],
    };
    const role = new CfnRole(stack, 'NodeRole', { assumeRolePolicyDocument, managedPolicyArns });
    apply(stack, [{ ...NODE_CLASS, spec: { ...NODE_CLASS.spec, role: role.ref } }, nodePool(), deployment('500m')]);
    app.synth();
    expect(verdict().summary.scheduledPods).toBe(2);
  });

  test('evaluates nested stacks and stages', () => {
    const { app } = setup();
    const inStage = new Stack(new Stage(app, 'Stage'), 'Inner');
    apply(new NestedStack(inStage, 'Nested'), [NODE_CLASS, nodePool(), deployment('200')]);
    expect(() => app.synth()).toThrow('Karpenter::KARP-301');
    expect(verdict().nodePools).toHaveLength(1);
  });

  test('writes one verdict for each cluster', () => {
    const { app, stack } = setup();
    apply(stack, [NODE_CLASS, nodePool(), deployment('500m')], { id: 'Dev', cluster: 'dev' });
    apply(stack, [NODE_CLASS, nodePool(), deployment('1')], { id: 'Prod', cluster: 'prod' });
    app.synth();
    expect(['dev', 'prod'].map((cluster) => verdict(`karpenter-verdict-${cluster}.json`).summary)).toMatchObject([
      { pods: 2, nodes: 1 },
      { pods: 2, nodes: 2 },
    ]);
  });

  test('uses the settings of the Helm chart that the app installs', () => {
    const { app, stack } = setup();
    const values = { settings: { vmMemoryOverheadPercent: 0.9 } };
    const properties = {
      ClusterName: 'prod',
      Release: 'karpenter',
      Chart: 'karpenter',
      Version: '1.12.0',
      Namespace: 'kube-system',
      Values: stack.toJsonString(values),
    };
    new CfnResource(stack, 'Karpenter', { type: 'Custom::AWSCDK-EKS-HelmChart', properties });
    apply(stack, [NODE_CLASS, nodePool(), deployment('500m')]);
    expect(() => app.synth()).toThrow('Karpenter::KARP-301');
    expect(verdict().assumptions).toContainEqual(expect.stringMatching(/^Karpenter is 1\.12\.0: /));
  });

  test('ignores a stack without resources, which the CDK does not deploy', () => {
    const { app, stack } = setup();
    apply(new Stack(stack, 'Child'), [NODE_CLASS, nodePool(), deployment('500m')]);
    app.synth();
    expect(verdict().findings.map(({ message }: any) => message)).not.toContainEqual(
      expect.stringContaining('not a Kubernetes object'),
    );
  });

  test('prints nothing for an app without Karpenter', () => {
    const { app, stack } = setup();
    new CfnResource(stack, 'Bucket', { type: 'AWS::S3::Bucket' });
    app.synth();
    expect(stderr).not.toContain('arpenter');
  });

  test('writes the verdict to the given path', () => {
    const { app, stack } = setup({ reportFile: join(outdir, 'reports', 'verdict.json') });
    apply(stack, [NODE_CLASS, nodePool(), deployment('500m')]);
    app.synth();
    expect(existsSync(join(outdir, 'karpenter-verdict.json'))).toBe(false);
    expect(verdict('reports/verdict.json').summary.pods).toBe(2);
  });

  test('fails if the file of Helm values cannot be read', () => {
    const file = join(outdir, 'values.yaml');
    writeFileSync(file, 'a: [');
    const { app } = setup({ helmValuesFile: file });
    expect(() => app.synth()).toThrow(
      /the templates cannot be checked: .*values\.yaml: cannot be read[^]*Karpenter::KARP-001/,
    );
  });
});
