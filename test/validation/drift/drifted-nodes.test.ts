import { nodeClassHash, nodePoolHash } from '../../../src/contract';
import { NodeDrift, playScenario, playScenarios, readManifests } from '../../../src/validation';
import { driftedNodes } from '../../../src/validation/drift';
import { CA_BUNDLE, nodeClass, nodePool } from '../../contract/drift/hash-cases';

type Manifest = Readonly<Record<string, unknown>>;

const POOL = nodePool({ requirements: [{ key: 'kubernetes.io/arch', operator: 'In', values: ['amd64'] }] });
const CLASS = nodeClass();
const LABELS = {
  'karpenter.sh/nodepool': 'default',
  'karpenter.sh/registered': 'true',
  'karpenter.sh/initialized': 'true',
  'karpenter.sh/capacity-type': 'on-demand',
  'node.kubernetes.io/instance-type': 'm5.large',
  'topology.kubernetes.io/zone': 'us-east-1a',
  'kubernetes.io/arch': 'amd64',
};

const poolMarks = (manifest: Manifest, version = 'v3') => ({ 'karpenter.sh/nodepool-hash': nodePoolHash(manifest), 'karpenter.sh/nodepool-hash-version': version });
const classMarks = (manifest: Manifest, version = 'v6') => ({
  'karpenter.k8s.aws/ec2nodeclass-hash': nodeClassHash(manifest, CA_BUNDLE), 'karpenter.k8s.aws/ec2nodeclass-hash-version': version,
});

function marked(manifest: Manifest, annotations: Manifest, status: Manifest = {}): Manifest {
  return { ...manifest, metadata: { ...manifest.metadata as Manifest, annotations }, status };
}

interface Launch {
  readonly annotations?: Manifest;
  readonly labels?: Manifest;
  readonly status?: Manifest;
}

function machine(name: string, { annotations = { ...poolMarks(POOL), ...classMarks(CLASS) }, labels = {}, status = {} }: Launch = {}): Manifest[] {
  const providerID = `aws:///us-east-1a/i-${name}`;
  const amounts = { cpu: '2', memory: '7Gi', pods: '29' };
  return [
    {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name, labels: { ...LABELS, ...labels, 'kubernetes.io/hostname': name } },
      spec: { providerID },
      status: { capacity: amounts, allocatable: amounts, conditions: [{ type: 'Ready', status: 'True' }] },
    },
    {
      apiVersion: 'karpenter.sh/v1',
      kind: 'NodeClaim',
      metadata: { name: `default-${name}`, labels: { ...LABELS, ...labels }, annotations, creationTimestamp: '2026-03-02T10:00:00Z' },
      spec: { requirements: [], nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'main' } },
      status: { nodeName: name, providerID, conditions: [{ type: 'Initialized', status: 'True', lastTransitionTime: '2026-03-02T10:01:00Z' }], ...status },
    },
  ];
}

const file = (path: string, objects: readonly Manifest[]) => ({ path, text: objects.map((object) => JSON.stringify(object)).join('\n---\n') });
const KEPT = [marked(POOL, poolMarks(POOL)), marked(CLASS, classMarks(CLASS))];

function drifts(written: readonly Manifest[], cluster: readonly Manifest[]): NodeDrift[] {
  return driftedNodes(readManifests([file('manifests.yaml', written)], { cluster: [file('cluster.yaml', cluster)] }));
}

describe('a NodePool that changes', () => {
  const other = nodePool({ ...(POOL.spec as { template: { spec: Manifest } }).template.spec, expireAfter: '24h' });

  test('drifts no node that was launched by what it says, in other words too', () => {
    expect(drifts([POOL, CLASS], [...KEPT, ...machine('a')])).toEqual([]);
    const { template } = POOL.spec as { template: { spec: Manifest } };
    expect(drifts([nodePool({ ...template.spec, expireAfter: '720h' }, { weight: 7 }), CLASS], [...KEPT, ...machine('a')])).toEqual([]);
  });

  test('drifts by a static field the nodes whose hash it no longer is, and says which field', () => {
    const launchedByIt = machine('b', { annotations: { ...poolMarks(other), ...classMarks(CLASS) } });
    expect(drifts([other, CLASS], [...KEPT, ...machine('a'), ...launchedByIt])).toEqual([
      { node: 'a', reason: 'NodePoolDrifted', fields: ['spec.template.spec.expireAfter'], certain: true },
    ]);
  });

  test('drifts a node whose hash is another though nobody knows by what field', () => {
    expect(drifts([other, CLASS], machine('a'))).toEqual([{ node: 'a', reason: 'NodePoolDrifted', fields: [], certain: true }]);
  });

  test('is compared with the one in the cluster where NodeClaims have a hash that is made in another way, or none', () => {
    const old = [marked(POOL, poolMarks(POOL, 'v2')), ...KEPT.slice(1)];
    for (const annotations of [{ ...poolMarks(POOL, 'v2'), ...classMarks(CLASS) }, classMarks(CLASS)]) {
      expect(drifts([POOL, CLASS], [...old, ...machine('a', { annotations })])).toEqual([]);
      expect(drifts([other, CLASS], [...old, ...machine('a', { annotations })])).toMatchObject([{ reason: 'NodePoolDrifted' }]);
    }
  });

  test('drifts no node with a hash that is made in another way than that of the pool in the cluster, as Karpenter compares no such two', () => {
    const behind = machine('a', { annotations: { ...poolMarks(POOL, 'v2'), ...classMarks(CLASS) } });
    expect(drifts([other, CLASS], [...KEPT, ...behind])).toEqual([]);
    const behindClass = machine('a', { annotations: { ...poolMarks(POOL), ...classMarks(CLASS, 'v4') } });
    expect(drifts([POOL, nodeClass({ role: 'other' })], [...KEPT, ...behindClass])).toEqual([]);
  });

  test('drifts no node that is being deleted, nor one that has not been launched', () => {
    const changed = (more: Manifest) => machine('a').map((object) => object.kind === 'NodeClaim' ? { ...object, ...more } : object);
    const { metadata } = machine('a')[1];
    expect(drifts([other, CLASS], [...KEPT, ...changed({ metadata: { ...metadata as Manifest, deletionTimestamp: '2026-03-02T11:00:00Z' } })])).toEqual([]);
    const conditions = [{ type: 'Launched', status: 'Unknown', lastTransitionTime: '2026-03-02T10:01:00Z' }];
    expect(drifts([other, CLASS], [...KEPT, ...changed({ status: { nodeName: 'a', conditions } })])).toEqual([]);
  });

  test('drifts by the name of its claim a node that has not joined', () => {
    const [, claim] = machine('a');
    const { nodeName, ...status } = claim.status as Manifest;
    expect(drifts([other, CLASS], [...KEPT, { ...claim, status }])).toMatchObject([{ node: 'default-a', reason: 'NodePoolDrifted' }]);
    expect(drifts([other, CLASS], [...KEPT, { ...claim, status: {} }])).toEqual([]);
  });

  test('drifts no node of another class than Karpenter\'s, as those of EKS Auto Mode', () => {
    const spec = { nodeClassRef: { group: 'eks.amazonaws.com', kind: 'NodeClass', name: 'default' } };
    expect(drifts([other, CLASS], [...KEPT, ...machine('a').map((object) => object.kind === 'NodeClaim' ? { ...object, spec } : object)])).toEqual([]);
  });

  test('is not judged by a hash that does not come to what the cluster has', () => {
    const foreign = { ...poolMarks(POOL), 'karpenter.sh/nodepool-hash': '1' };
    const cluster = [marked(POOL, foreign), KEPT[1], ...machine('a', { annotations: { ...foreign, ...classMarks(CLASS) } })];
    expect(drifts([POOL, CLASS], cluster)).toEqual([]);
    expect(drifts([other, CLASS], cluster)).toMatchObject([{ fields: ['spec.template.spec.expireAfter'] }]);
  });

  test('drifts by its requirements the nodes whose labels do not meet them', () => {
    const arm = nodePool({ requirements: [{ key: 'kubernetes.io/arch', operator: 'In', values: ['arm64'] }] });
    expect(drifts([arm, CLASS], [...KEPT, ...machine('a'), ...machine('b', { labels: { 'kubernetes.io/arch': 'arm64' } })])).toEqual([{
      node: 'a',
      reason: 'RequirementsDrifted',
      fields: ['spec.template.spec.requirements (key kubernetes.io/arch, kubernetes.io/arch In [arm64] not in kubernetes.io/arch In [amd64])'],
      certain: true,
    }]);
  });

  test.each([['In', true], ['Exists', true], ['NotIn', false], ['DoesNotExist', false]])('with a new key and the operator %s drifts nodes without the label: %s', (operator, isDrift) => {
    const requirements = [{ key: 'example.com/team', operator, ...(operator.endsWith('In') ? { values: ['a'] } : {}) }];
    expect(drifts([nodePool({ requirements }), CLASS], [...KEPT, ...machine('a')]).length).toBe(isDrift ? 1 : 0);
  });
});

describe('a manifest that the API server refuses', () => {
  test('drifts no node, as nothing comes of it: of a NodePool with a number that is not in quotes', () => {
    const { template } = POOL.spec as { template: { spec: Manifest } };
    const refused = nodePool({ ...template.spec, requirements: [{ key: 'karpenter.k8s.aws/instance-generation', operator: 'Gt', values: [4] }] });
    expect(drifts([refused, CLASS], [...KEPT, ...machine('a')])).toEqual([]);
    expect(drifts([refused, CLASS], machine('a'))).toEqual([]);
  });

  test('drifts no node of its EC2NodeClass', () => {
    expect(drifts([POOL, nodeClass({ kubelet: { maxPods: 'many' } })], [...KEPT, ...machine('a')])).toEqual([]);
  });
});

describe('an EC2NodeClass that changes', () => {
  const first = (written: Manifest, launch: Launch = {}, status: Manifest = {}) =>
    drifts([POOL, written], [KEPT[0], marked(CLASS, classMarks(CLASS), status), ...machine('a', launch)])[0];

  test('drifts by a static field every node of its pools', () => {
    const other = nodeClass({ metadataOptions: { httpTokens: 'optional' } });
    expect(first(other)).toEqual({ node: 'a', reason: 'NodeClassDrift', fields: ['spec.metadataOptions.httpTokens'], certain: true });
    expect(first(other, { annotations: { ...poolMarks(POOL), ...classMarks(other) } })).toBeUndefined();
    expect(first(nodeClass({ ipPrefixCount: 1 }))).toBeUndefined();
  });

  test('is compared with the one in the cluster where its hash was made by an older Karpenter', () => {
    const cluster = [KEPT[0], marked(CLASS, classMarks(CLASS, 'v4')), ...machine('a', { annotations: { ...poolMarks(POOL), ...classMarks(CLASS, 'v4') } })];
    expect(drifts([POOL, CLASS], cluster)).toEqual([]);
    expect(drifts([POOL, nodeClass({ role: 'other' })], cluster)).toMatchObject([{ reason: 'NodeClassDrift', fields: ['spec.role'] }]);
  });

  const image = { status: { imageID: 'ami-1' } };
  const found = { securityGroups: [{ id: 'sg-1' }, { id: 'sg-2' }], subnets: [{ id: 'subnet-1', zone: 'us-east-1a' }, { id: 'subnet-2', zone: 'us-east-1b' }] };

  test.each<[string, Manifest, Launch, NodeDrift['reason'], boolean | undefined]>([
    ['another image by its id', { amiFamily: 'AL2023', amiSelectorTerms: [{ id: 'ami-2' }] }, image, 'AMIDrift', true],
    ['the same image by its id', { amiFamily: 'AL2023', amiSelectorTerms: [{ id: 'ami-1' }] }, image, 'AMIDrift', undefined],
    ['one image of several', { amiFamily: 'AL2023', amiSelectorTerms: [{ id: 'ami-1' }, { id: 'ami-2' }] }, image, 'AMIDrift', false],
    ['images by their tags', { amiFamily: 'AL2023', amiSelectorTerms: [{ tags: { a: 'b' } }] }, image, 'AMIDrift', false],
    ['a release of what was the latest', { amiSelectorTerms: [{ alias: 'al2023@v20240807' }] }, image, 'AMIDrift', false],
    ['the same security groups by their ids', { securityGroupSelectorTerms: [{ id: 'sg-2' }, { id: 'sg-1' }] }, {}, 'SecurityGroupDrift', undefined],
    ['fewer security groups', { securityGroupSelectorTerms: [{ id: 'sg-1' }] }, {}, 'SecurityGroupDrift', true],
    ['security groups by name', { securityGroupSelectorTerms: [{ name: 'nodes' }] }, {}, 'SecurityGroupDrift', false],
    ['the subnet of the zone by its id', { subnetSelectorTerms: [{ id: 'subnet-1' }] }, {}, 'SubnetDrift', undefined],
    ['no subnet of the zone', { subnetSelectorTerms: [{ id: 'subnet-2' }] }, {}, 'SubnetDrift', true],
    ['subnets by other tags', { subnetSelectorTerms: [{ tags: { a: 'b' } }] }, {}, 'SubnetDrift', false],
    ['reservations, with a node in none', { capacityReservationSelectorTerms: [{ id: 'cr-1' }] }, {}, 'CapacityReservationDrift', undefined],
    ['another reservation', { capacityReservationSelectorTerms: [{ id: 'cr-1' }] }, { labels: { 'karpenter.k8s.aws/capacity-reservation-id': 'cr-2' } }, 'CapacityReservationDrift', true],
    ['the same reservation', { capacityReservationSelectorTerms: [{ id: 'cr-2' }] }, { labels: { 'karpenter.k8s.aws/capacity-reservation-id': 'cr-2' } }, 'CapacityReservationDrift', undefined],
  ])('to %s drifts the node as far as that can be known', (_, spec, launch, reason, certain) => {
    const drift = first(nodeClass(spec), launch, found);
    if (certain === undefined) expect(drift).toBeUndefined();
    else expect(drift).toMatchObject({ reason, certain });
  });

  test('from one release of an image to another drifts the node', () => {
    const old = nodeClass({ amiSelectorTerms: [{ alias: 'al2023@v20240807' }] });
    const cluster = [KEPT[0], marked(old, classMarks(old)), ...machine('a', { annotations: { ...poolMarks(POOL), ...classMarks(old) } })];
    expect(drifts([POOL, nodeClass({ amiSelectorTerms: [{ alias: 'al2023@v20250915' }] })], cluster))
      .toEqual([{ node: 'a', reason: 'AMIDrift', fields: ['spec.amiSelectorTerms'], certain: true }]);
  });
});

describe('the scenario drift on a cluster', () => {
  const play = (written: readonly Manifest[], cluster: readonly Manifest[]) =>
    playScenario([file('manifests.yaml', written)], 'drift', { cluster: [file('cluster.yaml', cluster)] });
  const drained = ({ reports: [{ timeline }] }: ReturnType<typeof play>) => timeline.filter(({ what }) => / drains$/.test(what)).map(({ what }) => what);

  test('rolls exactly the nodes that the manifests drift, and says why', () => {
    const arm = nodePool({ requirements: [{ key: 'kubernetes.io/arch', operator: 'In', values: ['arm64'] }] });
    const played = play([arm, CLASS], [...KEPT, ...machine('a'), ...machine('b', { labels: { 'kubernetes.io/arch': 'arm64' } })]);
    expect(played.reports[0].timeline[0].what).toMatch(/^a has drifted: RequirementsDrifted, spec\.template\.spec\.requirements \(key/);
    expect(drained(played)).toEqual(['a drains']);
    expect(played.drifts).toHaveLength(1);
  });

  test('tells of them also among other scenarios', () => {
    const changed = nodePool({ requirements: [{ key: 'kubernetes.io/arch', operator: 'In', values: ['arm64'] }] });
    const options = { cluster: [file('cluster.yaml', [...KEPT, ...machine('a')])] };
    expect(playScenarios([file('manifests.yaml', [changed, CLASS])], ['zone-outage', 'drift'], options).drifts).toMatchObject([{ node: 'a' }]);
  });

  test('says of which nodes it is not certain', () => {
    const { assumptions } = play([POOL, nodeClass({ subnetSelectorTerms: [{ tags: { a: 'b' } }] })], [...KEPT, ...machine('a')]);
    expect(assumptions).toContain('what spec.subnetSelectorTerms finds is not what it found: a drifts only then');
  });

  test('rolls every node where the manifests change nothing', () => {
    const played = play([POOL, CLASS], [...KEPT, ...machine('a'), ...machine('b')]);
    expect(drained(played).sort()).toEqual(['a drains', 'b drains']);
    expect(played.assumptions).toContain('every node has drifted, as after a new AMI');
    expect(played.drifts).toBeUndefined();
  });
});
