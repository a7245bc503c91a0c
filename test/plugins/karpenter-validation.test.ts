import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'fs';
import { tmpdir } from 'os';
import { join } from 'path';
import { App, CfnResource, NestedStack, Stack, Stage, Validations } from 'aws-cdk-lib';
import { CfnRole } from 'aws-cdk-lib/aws-iam';
import { deployment, NODE_CLASS, nodePool } from './objects';
import { FailOn, KarpenterValidation, KarpenterValidationProps } from '../../src/plugins';

describe('KarpenterValidation', () => {
  let outdir: string;
  let stderr: string;
  beforeEach(() => {
    outdir = mkdtempSync(join(tmpdir(), 'karpenter-validation-test-'));
    stderr = '';
    // CDK's own rules for templates say nothing of Karpenter, and take their time.
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

  function setup(props?: KarpenterValidationProps): { app: App; stack: Stack } {
    const app = new App({ outdir, analyticsReporting: false, treeMetadata: false });
    Validations.of(app).addPlugins(new KarpenterValidation(props));
    return { app, stack: new Stack(app, 'Prod', { env: { region: 'eu-west-1', account: '123456789012' } }) };
  }

  function apply(stack: Stack, objects: readonly object[], { id = 'Manifest', cluster = 'prod' } = {}): CfnResource {
    const properties = { ClusterName: cluster, Manifest: stack.toJsonString(objects) };
    return new CfnResource(stack, id, { type: 'Custom::AWSCDK-EKS-KubernetesResource', properties });
  }

  function verdict(file = 'karpenter-verdict.json'): any {
    return JSON.parse(readFileSync(join(outdir, file), 'utf8'));
  }

  test('lets a sound app be synthesised, and writes its verdict', () => {
    const { app, stack } = setup();
    apply(stack, [NODE_CLASS, nodePool(), deployment('500m')]);
    app.synth();
    expect(verdict()).toMatchObject({ summary: { errors: 0, pods: 2, scheduledPods: 2 } });
    expect(verdict().nodeClaims[0].zones).toEqual(['eu-west-1a', 'eu-west-1b', 'eu-west-1c']);
  });

  test('says of a NodePool that is known only at deployment that it is not evaluated, also where there is nothing else to say', () => {
    const { app, stack } = setup();
    const { ref } = new CfnResource(stack, 'Zones', { type: 'Custom::Zones' });
    const pool = nodePool();
    pool.spec.template.spec.requirements.push({ key: 'topology.kubernetes.io/zone', operator: 'In', values: [ref] });
    apply(stack, [pool, NODE_CLASS]);
    app.synth();
    expect(stderr).toMatch(/^karpenter verdict: 0 of 0 pods on 0 nodes; 1 object not judged; \d+ checks not evaluated; all of it in /);
  });

  test('prints one line about the pods, except if quiet', () => {
    for (const quiet of [false, true]) {
      const { app, stack } = setup({ quiet });
      apply(stack, [NODE_CLASS, nodePool(), deployment('500m')]);
      stderr = '';
      app.synth();
      expect(stderr.includes('karpenter verdict: 2 of 2 pods on 1 node')).toBe(!quiet);
    }
  });

  test('fails the synth where a pod never can run, and names construct, rule and remedy', () => {
    const { app, stack } = setup();
    apply(stack, [NODE_CLASS, nodePool(), deployment('200')]);
    expect(() => app.synth()).toThrow(/Deployment web: each pod requests 200 CPUs[^]*Prod\/Manifest[^]*Suggested fix: let a NodePool[^]*Karpenter::KARP-301/);
  });

  test('names the resource that a finding is about', () => {
    const { app, stack } = setup();
    const properties = { ClusterName: 'prod', Release: 'karpenter', Chart: 'karpenter', Version: '1.8.4', Namespace: 'kube-system' };
    new CfnResource(stack, 'Karpenter', { type: 'Custom::AWSCDK-EKS-HelmChart', properties });
    expect(() => app.synth()).toThrow(/ERROR HelmChart Karpenter: Karpenter is 1\.8\.4[^]*Prod\/Karpenter/);
  });

  test('lets the synth pass where the finding is acknowledged with a reason', () => {
    const { app, stack } = setup();
    Validations.of(apply(stack, [NODE_CLASS, nodePool(), deployment('200')])).acknowledge({ id: 'Karpenter::KARP-301', reason: 'a test' });
    app.synth();
    expect(JSON.parse(readFileSync(join(outdir, 'validation-report.json'), 'utf8')).pluginReports[0].suppressedViolations[0]).toMatchObject({ reason: 'a test' });
  });

  test.each([
    [FailOn.ERROR, false],
    [FailOn.WARNING, true],
    [FailOn.NEVER, false],
  ])('with failOn %s a warning fails the synth: %s', (failOn, fails) => {
    const { app, stack } = setup({ failOn });
    apply(stack, [NODE_CLASS, nodePool([]), deployment('500m')]);
    if (fails) expect(() => app.synth()).toThrow('Karpenter::KARP-204');
    else app.synth();
  });

  test('with failOn never lets the synth pass with an error, and reports it', () => {
    const { app, stack } = setup({ failOn: FailOn.NEVER });
    apply(stack, [NODE_CLASS, nodePool(), deployment('200')]);
    app.synth();
    expect(stderr).toContain('Karpenter::KARP-301');
  });

  test('judges a manifest with references', () => {
    const { app, stack } = setup();
    const managedPolicyArns = ['AmazonEKSWorkerNodePolicy', 'AmazonEC2ContainerRegistryPullOnly', 'AmazonEKS_CNI_Policy'].map((name) => `arn:aws:iam::aws:policy/${name}`);
    const assumeRolePolicyDocument = { Statement: [{ Effect: 'Allow', Action: 'sts:AssumeRole', Principal: { Service: 'ec2.amazonaws.com' } }] };
    const role = new CfnRole(stack, 'NodeRole', { assumeRolePolicyDocument, managedPolicyArns });
    apply(stack, [{ ...NODE_CLASS, spec: { ...NODE_CLASS.spec, role: role.ref } }, nodePool(), deployment('500m')]);
    app.synth();
    expect(verdict().summary.scheduledPods).toBe(2);
  });

  test('judges nested stacks, and stages', () => {
    const { app } = setup();
    const inStage = new Stack(new Stage(app, 'Stage'), 'Inner');
    apply(new NestedStack(inStage, 'Nested'), [NODE_CLASS, nodePool(), deployment('200')]);
    expect(() => app.synth()).toThrow('Karpenter::KARP-301');
    expect(verdict().nodePools).toHaveLength(1);
  });

  test('judges each cluster by itself', () => {
    const { app, stack } = setup();
    apply(stack, [NODE_CLASS, nodePool(), deployment('500m')], { id: 'Dev', cluster: 'dev' });
    apply(stack, [NODE_CLASS, nodePool(), deployment('1')], { id: 'Prod', cluster: 'prod' });
    app.synth();
    expect(['dev', 'prod'].map((cluster) => verdict(`karpenter-verdict-${cluster}.json`).summary)).toMatchObject([{ pods: 2, nodes: 1 }, { pods: 2, nodes: 2 }]);
  });

  test('takes the settings of the chart that the app installs', () => {
    const { app, stack } = setup();
    const values = { settings: { vmMemoryOverheadPercent: 0.9 } };
    const properties = { ClusterName: 'prod', Release: 'karpenter', Chart: 'karpenter', Version: '1.12.0', Namespace: 'kube-system', Values: stack.toJsonString(values) };
    new CfnResource(stack, 'Karpenter', { type: 'Custom::AWSCDK-EKS-HelmChart', properties });
    apply(stack, [NODE_CLASS, nodePool(), deployment('500m')]);
    expect(() => app.synth()).toThrow('Karpenter::KARP-301');
    expect(verdict().assumptions).toContain('Karpenter is 1.12.0');
  });

  test('says nothing of a stack without resources, which CDK does not deploy', () => {
    const { app, stack } = setup();
    apply(new Stack(stack, 'Child'), [NODE_CLASS, nodePool(), deployment('500m')]);
    app.synth();
    expect(verdict().findings.map(({ message }: any) => message)).not.toContainEqual(expect.stringContaining('not a Kubernetes object'));
  });

  test('says nothing of an app without Karpenter', () => {
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

  test('fails on a file of Helm values that cannot be read', () => {
    const file = join(outdir, 'values.yaml');
    writeFileSync(file, 'a: [');
    const { app } = setup({ helmValuesFile: file });
    expect(() => app.synth()).toThrow(/nothing is judged: .*values\.yaml: cannot be read[^]*Karpenter::KARP-001/);
  });
});
