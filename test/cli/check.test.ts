import { readFileSync, symlinkSync, writeFileSync } from 'fs';
import { join } from 'path';
import { folderOf, run } from './run';
import { deployment, NODE_CLASS, nodePool, SMALL } from '../validation/setup';

const POOL = nodePool(['m5.large']);
const GOOD = [NODE_CLASS, POOL, deployment('web', 2, SMALL)].join('---\n');
const BIG = deployment('big', 1, 'cpu: 64, memory: 1Gi');

const ANTI_AFFINITY =
  '      affinity: { podAntiAffinity: { preferredDuringSchedulingIgnoredDuringExecution: ' +
  '[{ weight: 1, podAffinityTerm: { topologyKey: kubernetes.io/hostname, labelSelector: { matchLabels: { app: web } } } }] } }\n';

const folder = folderOf({
  'setup/class.yaml': NODE_CLASS,
  'setup/pools/pool.yml': POOL,
  'setup/web.json': JSON.stringify({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'web' },
    spec: { containers: [{ resources: { requests: { cpu: 1, memory: '1Gi' } } }] },
  }),
  'setup/notes.txt': 'not a manifest: [',
  'setup/.hidden/x.yaml': 'broken: [',
  'setup/node_modules/x.yaml': 'broken: [',
  'values.yaml':
    'settings:\n  vmMemoryOverheadPercent: 0.5\n  reservedENIs: "1"\n  preferencePolicy: Ignore\n  minValuesPolicy: BestEffort\n  clusterNam: x\n',
});

const applied = (manifest: string) =>
  JSON.stringify({
    Resources: {
      It: { Type: 'Custom::AWSCDK-EKS-KubernetesResource', Properties: { ClusterName: 'prod', Manifest: manifest } },
    },
  });
const EMPTY_CLASS =
  '[{"apiVersion":"karpenter.k8s.aws/v1","kind":"EC2NodeClass","metadata":{"name":"main"},"spec":{}}]';
const assembly = folderOf({
  'cdk.out': '{"version":"48.0.0"}',
  'manifest.json': '{}',
  'asset.1/broken.yaml': '[',
  'App.template.json': applied(EMPTY_CLASS),
});

const SELECTED = [{ tags: { cluster: 'prod' } }];
const APPLIED_POOL = applied(
  JSON.stringify([
    {
      apiVersion: 'karpenter.sh/v1',
      kind: 'NodePool',
      metadata: { name: 'default' },
      spec: {
        template: {
          spec: { requirements: [], nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'main' } },
        },
      },
    },
    {
      apiVersion: 'karpenter.k8s.aws/v1',
      kind: 'EC2NodeClass',
      metadata: { name: 'main' },
      spec: {
        role: 'nodes',
        amiSelectorTerms: [{ alias: 'al2023@v20250915' }],
        subnetSelectorTerms: SELECTED,
        securityGroupSelectorTerms: SELECTED,
      },
    },
  ]),
);
const stackIn = (environment: string, templateFile: string) => ({
  type: 'aws:cloudformation:stack',
  environment,
  properties: { templateFile },
});

/**
 * Two stages of an app, each with a stack for a cluster of the same name. The second has its NodePool in a nested
 * stack.
 */
const stages = folderOf({
  'cdk.out': '{"version":"48.0.0"}',
  'manifest.json': '{"artifacts":{"assembly-Dev":{"type":"cdk:cloud-assembly"}}}',
  'assembly-Dev/cdk.out': '{"version":"48.0.0"}',
  'assembly-Dev/manifest.json': JSON.stringify({
    artifacts: { Dev: stackIn('aws://unknown-account/eu-west-1', 'Dev.template.json') },
  }),
  'assembly-Dev/Dev.template.json': APPLIED_POOL,
  'assembly-Prod/cdk.out': '{"version":"48.0.0"}',
  'assembly-Prod/manifest.json': JSON.stringify({
    artifacts: { Prod: stackIn('aws://111122223333/us-west-2', 'Prod.template.json'), Tree: { type: 'cdk:tree' } },
  }),
  'assembly-Prod/Prod.template.json': JSON.stringify({
    Resources: {
      Inner: {
        Type: 'AWS::CloudFormation::Stack',
        Properties: { TemplateURL: 'x' },
        Metadata: { 'aws:asset:path': 'Inner.nested.template.json' },
      },
    },
  }),
  'assembly-Prod/Inner.nested.template.json': APPLIED_POOL,
});

const circle = folderOf({ 'a/setup.yaml': GOOD });

describe('check', () => {
  test('reads standard input, prints the verdict, and exits with 0 without errors', async () => {
    expect(await run(['check', '-'], GOOD)).toMatchObject({
      code: 0,
      err: '',
      out: expect.stringMatching(/^All 2 pods fit on 1 node, from \$0\.0960\/h/),
    });
  });

  test('reads folders recursively in name order, without hidden folders', async () => {
    const { code, out, err } = await run(['check', join(folder, 'setup'), '--format', 'json']);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(JSON.parse(out).nodeClaims[0].pods).toEqual(['default/web']);
  });

  test('reads a file once that is named several times', async () => {
    const { out } = await run([
      'check',
      join(folder, 'setup'),
      join(folder, 'setup/pools/pool.yml'),
      join(folder, 'setup'),
      '--format',
      'json',
    ]);
    expect(JSON.parse(out).findings).toEqual([]);
  });

  test('reads only CloudFormation templates in a folder written by CDK', async () => {
    const { out, code } = await run(['check', assembly, '--format', 'json']);
    const { findings } = JSON.parse(out);
    expect(code).toBe(1);
    expect(
      findings.map(({ subject, location }: any) => `${subject.kind} ${subject.name} in ${location.resource}`),
    ).toContain('EC2NodeClass main in It');
    expect(findings.filter(({ rule }: any) => rule === 'KARP-001')).toEqual([]);
  });

  test('reads the region of stacks from a cloud assembly', async () => {
    const zonesOf = async (path: string) =>
      JSON.parse((await run(['check', path, '--format', 'json', '--fail-on', 'never'])).out).nodePools[0].zones;
    expect(await zonesOf(join(stages, 'assembly-Dev'))).toEqual(['eu-west-1a', 'eu-west-1b', 'eu-west-1c']);
    expect(await zonesOf(join(stages, 'assembly-Dev/Dev.template.json'))).toEqual([
      'eu-west-1a',
      'eu-west-1b',
      'eu-west-1c',
    ]);
    expect(await zonesOf(join(stages, 'assembly-Prod'))).toEqual(['us-west-2a', 'us-west-2b', 'us-west-2c']);
  });

  test('distinguishes clusters of the same name in two regions', async () => {
    const { code, out } = await run(['check', stages, '--verbose']);
    expect(code).toBe(1);
    expect(out.replaceAll(/\n +/g, ' ')).toContain(
      'the templates apply manifests to 2 clusters, prod in eu-west-1 and prod in 111122223333/us-west-2',
    );
  });

  test('follows symbolic links without loops', async () => {
    symlinkSync('..', join(circle, 'a/up'));
    symlinkSync(join(circle, 'a'), join(circle, 'b'));
    symlinkSync('nowhere', join(circle, 'a/dangling'));
    expect(await run(['check', circle])).toMatchObject({ code: 0, err: '' });
  });

  test.each([
    ['error', BIG, 1],
    ['never', BIG, 0],
    ['error', deployment('web', 1, SMALL), 0],
  ])('exits by findings with --fail-on %s', async (failOn, workload, code) => {
    const text = [NODE_CLASS, nodePool(['m5.large', 'm5.xlarge']), workload].join('---\n');
    expect((await run(['check', '-', '--fail-on', failOn], text)).code).toBe(code);
  });

  test('exits with 1 for a warning with --fail-on warning', async () => {
    const text = [NODE_CLASS, POOL.replace(/.*capacity-type.*\n/, ''), deployment('web', 2, SMALL)].join('---\n');
    expect((await run(['check', '-'], text)).code).toBe(0);
    expect((await run(['check', '-', '--fail-on', 'warning'], text)).code).toBe(1);
  });

  test('writes the verdict to a file, without colors', async () => {
    const file = join(folder, 'verdict.txt');
    expect(await run(['check', '-', '--output', file], GOOD, { color: true })).toEqual({ code: 0, out: '', err: '' });
    expect(readFileSync(file, 'utf8')).toMatch(/^All 2 pods fit/);
  });

  test('prints a summary, and all details with --verbose', async () => {
    const [summary, details] = [await run(['check', '-'], GOOD), await run(['check', '-', '--verbose'], GOOD)];
    expect(summary.out).not.toContain('NodePools\n');
    expect(details.out).toContain(
      '\nNodePools\n  default: can launch m5.large, on-demand, in us-east-1a, us-east-1b, us-east-1c\n',
    );
  });

  test('prints only ASCII characters in a terminal that shows no others', async () => {
    expect((await run(['check', '-'], GOOD)).out).toMatch(/█+[▏▎▍▌▋▊▉]?░+ +\d+%/);
    const { out } = await run(['check', '-'], GOOD, { columns: 80, ascii: true });
    expect(out).toMatch(/#+\.+ +\d+%/);
    expect(out).toMatch(/^[\n -~]*$/);
  });

  test('prints colors in a terminal, but not in JSON', async () => {
    expect((await run(['check', '-'], GOOD, { color: true })).out).toContain('\u001b[1m');
    expect((await run(['check', '-', '--format', 'json'], GOOD, { color: true })).out).not.toContain('\u001b');
  });

  test('uses the zones of its options', async () => {
    const args = ['check', '-', '--format', 'json', '--region', 'eu-west-1', '--zones', 'eu-west-1c,eu-west-1a'];
    expect(JSON.parse((await run(args, GOOD)).out).nodePools[0].zones).toEqual(['eu-west-1a', 'eu-west-1c']);
  });

  test('infers the region from zones of one region', async () => {
    const { out } = await run(['check', '-', '--format', 'json', '--zones', 'eu-west-1c,eu-west-1a'], GOOD);
    expect(JSON.parse(out).nodePools[0].zones).toEqual(['eu-west-1a', 'eu-west-1c']);
    expect(JSON.parse(out).assumptions).toContainEqual(expect.stringMatching(/^on-demand prices of eu-west-1 are /));
  });

  test('infers the region from zones in the manifests', async () => {
    const inFrankfurt = GOOD.replace(
      'requirements:\n',
      'requirements:\n      - { key: topology.kubernetes.io/zone, operator: In, values: [eu-central-1a] }\n',
    );
    const { code, out } = await run(['check', '-', '--format', 'json'], inFrankfurt);
    expect(JSON.parse(out).nodePools[0].zones).toEqual(['eu-central-1a']);
    expect(code).toBe(0);
  });

  test("reads Karpenter's settings from Helm values, and warns about unknown keys", async () => {
    const { code, out, err } = await run(['check', '-', '--settings', join(folder, 'values.yaml')], GOOD);
    expect(code).toBe(0);
    expect(err).toBe(
      `warning: ${join(folder, 'values.yaml')}:6:15: the chart has no settings.clusterNam, so it has no effect\n`,
    );
    expect(out).toContain('50% below');
  });

  test('overrides settings of the file by flags', async () => {
    const args = ['check', '-', '--settings', join(folder, 'values.yaml'), '--vm-memory-overhead-percent', '0.25'];
    expect((await run(args, GOOD)).out).toContain('25% below');
  });

  test.each([
    [['--reserved-enis', '2'], deployment('web', 12, 'cpu: 1m, memory: 1Mi'), 'nodes', 2],
    [['--preference-policy', 'Ignore'], deployment('web', 2, SMALL, ANTI_AFFINITY), 'nodes', 1],
    [[], deployment('web', 2, SMALL, ANTI_AFFINITY), 'nodes', 2],
    [['--min-values-policy', 'BestEffort'], deployment('web', 1, 'cpu: 3, memory: 1Gi'), 'scheduledPods', 1],
    [[], deployment('web', 1, 'cpu: 3, memory: 1Gi'), 'scheduledPods', 0],
    [
      ['--ignore-dra-requests', 'false'],
      deployment('web', 1, SMALL, '      resourceClaims: [{ name: a }]\n'),
      'scheduledPods',
      0,
    ],
  ])('with %j schedules like Karpenter', async (flags, workload, figure, value) => {
    const pool =
      figure === 'nodes' ? POOL : nodePool(['m5.large', 'm5.xlarge']).replace('m5.xlarge]', 'm5.xlarge], minValues: 2');
    const { out } = await run(
      ['check', '-', '--format', 'json', '--fail-on', 'never', ...flags],
      [NODE_CLASS, pool, workload].join('---\n'),
    );
    expect(JSON.parse(out).summary[figure]).toBe(value);
  });

  test('warns about feature gates that are unknown to the chart', async () => {
    const file = join(folder, 'unknown-gates.yaml');
    writeFileSync(file, 'settings:\n  featureGates: { drift: true }\n  awsFeatureGates: { nodeOverlay: true }\n');
    expect((await run(['check', '-', '--settings', file], GOOD)).err).toBe(
      `warning: ${file}:2:26: the chart has no settings.featureGates.drift, so it has no effect\n` +
        `warning: ${file}:3:35: the chart has no settings.awsFeatureGates.nodeOverlay, so it has no effect\n`,
    );
  });

  test.each([
    ['settings: { reservedENIs: "2" }', 'settings: {}\ncontroller: { env: [{ name: RESERVED_ENIS, value: "2" }] }'],
    [
      'settings: { reservedENIs: "2" }',
      'settings: { reservedENIs: "1" }\ncontroller: { env: [{ name: RESERVED_ENIS, value: "3" }, { name: RESERVED_ENIS, value: "2" }] }',
    ],
    [
      'settings: { vmMemoryOverheadPercent: 0.2 }',
      'settings: { vmMemoryOverheadPercent: 0.1 }\ncontroller: { env: [{ name: VM_MEMORY_OVERHEAD_PERCENT, value: "0.2" }] }',
    ],
    [
      'settings: { reservedENIs: "2" }',
      'settings: { reservedENIs: "2" }\ncontroller: { env: [{ name: LOG_LEVEL, value: debug }], envFrom: [{ secretRef: { name: extra } }] }',
    ],
  ])('reads %j like %j', async (left, right) => {
    const [leftOut, rightOut] = await Promise.all(
      [left, right].map(async (text, index) => {
        const file = join(folder, `same-${index}.yaml`);
        writeFileSync(file, text);
        return (await run(['instance-types', '-', '--format', 'json', '--settings', file], GOOD)).out;
      }),
    );
    expect(rightOut).toBe(leftOut);
    expect(leftOut).not.toBe((await run(['instance-types', '-', '--format', 'json'], GOOD)).out);
  });

  test.each([
    [
      'settings: { featureGates: { staticCapacity: "yes" } }',
      ':1:45: settings.featureGates.staticCapacity has the invalid value "yes"; write true or false\n',
    ],
    [
      'settings: {}\ncontroller: { env: [{ name: RESERVED_ENIS, value: many }] }',
      ':2:51: RESERVED_ENIS has the invalid value "many"; write a number of network interfaces such as "1"\n',
    ],
  ])('rejects %j with its line', async (text, problem) => {
    const file = join(folder, 'unusable.yaml');
    writeFileSync(file, text);
    expect(await run(['check', '-', '--settings', file], GOOD)).toMatchObject({
      code: 2,
      err: `error: ${file}${problem}`,
    });
  });

  test.each([
    ['enableDRA: true', 'resource claims'],
    ['awsFeatureGates: { draEFA: true }', 'resource claims'],
    ['ignoreDRARequests: false', 'resource claims'],
    ['ignoreDRARequests: null', undefined],
    ['ignoreDRARequests: "false"', 'resource claims'],
    // Any text is true for the chart's templates, but the gate itself stays off.
    ['awsFeatureGates: { draEFA: "false" }', 'resource claims'],
  ])('schedules or ignores pods with resource claims for settings.%s, like the chart', async (setting, what) => {
    const file = join(folder, 'dra.yaml');
    writeFileSync(file, `settings:\n  ${setting}\n`);
    const text = [NODE_CLASS, POOL, deployment('web', 1, SMALL, '      resourceClaims: [{ name: a }]\n')].join('---\n');
    const { out } = await run(['check', '-', '--format', 'json', '--settings', file], text);
    expect(JSON.parse(out).notEvaluated[0]?.what[0]).toBe(what);
  });

  test.each([
    ['settings: { featureGates: { staticCapacity: true } }', [], []],
    ['settings: { featureGates: { staticCapacity: false } }', [], ['error']],
    ['settings: { featureGates: { staticCapacity: "true" } }', [], []],
    ['settings: { featureGates: { staticCapacity: "F" } }', [], ['error']],
    [
      'settings: { featureGates: { staticCapacity: false } }\ncontroller: { env: [{ name: FEATURE_GATES, value: "NodeRepair=true, StaticCapacity=true" }] }',
      [],
      [],
    ],
    [
      'settings: { featureGates: { staticCapacity: true } }\ncontroller: { env: [{ name: FEATURE_GATES, value: "StaticCapacity=false" }] }',
      [],
      ['error'],
    ],
    [
      'settings: { featureGates: { staticCapacity: true } }\ncontroller: { env: [{ name: FEATURE_GATES, value: NodeRepair=true }] }',
      [],
      ['warning'],
    ],
    ['settings: {}', [], ['warning']],
    ['settings: {}', ['--feature-gates', 'StaticCapacity=true'], []],
    [
      'settings: { featureGates: { staticCapacity: true } }',
      ['--feature-gates', 'NodeOverlay=true,StaticCapacity=false'],
      ['error'],
    ],
  ])('reads feature gates from settings %j and flags %j', async (values, flags, severities) => {
    const file = join(folder, 'gates.yaml');
    writeFileSync(file, values);
    const pool = nodePool(['m5.large'], 'fixed', '  replicas: 2\n').replace('cpu: 1000, memory: 1000Gi', 'nodes: 3');
    const { out } = await run(
      ['check', '-', '--format', 'json', '--settings', file, ...flags],
      [NODE_CLASS, pool].join('---\n'),
    );
    expect(JSON.parse(out).findings.map(({ severity }: { severity: string }) => severity)).toEqual(severities);
  });
});

describe('check with another version of the API', () => {
  const STATIC_POOL =
    'apiVersion: karpenter.sh/v1\nkind: NodePool\nmetadata: { name: a }\nspec:\n  replicas: 1\n' +
    '  template: { spec: { nodeClassRef: { group: karpenter.k8s.aws, kind: EC2NodeClass, name: a }, requirements: [] } }\n';

  const CRD =
    'apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nspec:\n  group: karpenter.sh\n  names: { kind: NodePool }\n  scope: Cluster\n' +
    '  versions: [{ name: v1, served: true, schema: { openAPIV3Schema: { type: object, properties: { spec: { type: object, properties: { replicas: { type: integer, maximum: 0 } } } } } } }]\n';
  const crdFolder = folderOf({
    'crds/nodepools.yaml': CRD,
    'crds/README.txt': 'no manifest',
    'others/a.yaml': 'kind: ConfigMap\n',
  });

  test('uses the fields of the version', async () => {
    const { code, out } = await run(['check', '-', '--karpenter-version', '1.3'], STATIC_POOL);
    expect(code).toBe(1);
    expect(out).toContain('spec.replicas: is no field of the API');
    expect(out).toContain('remove it, or use another version of Karpenter: 1.8.6 has it');
  });

  test('names the release whose CRDs are used for the version', async () => {
    const { out } = await run(['check', '-', '--karpenter-version', '1.5'], STATIC_POOL);
    expect(out).toContain('Karpenter 1.5 has the same CRDs as 1.8.6, the next release with known CRDs');
  });

  test('uses the CRDs of a folder', async () => {
    const { code, out } = await run(['check', '-', '--crds', join(crdFolder, 'crds')], STATIC_POOL);
    expect(code).toBe(1);
    expect(out).toContain('spec.replicas: must be an integer of at most 0, got 1');
    expect(out).toContain('the cluster has the given CRDs');
  });

  test('rejects a folder without the CRD of NodePool', async () => {
    const { code, err } = await run(['check', '-', '--crds', join(crdFolder, 'others')], STATIC_POOL);
    expect(code).toBe(2);
    expect(err).toContain('--crds: no CustomResourceDefinition of NodePool');
  });
});
