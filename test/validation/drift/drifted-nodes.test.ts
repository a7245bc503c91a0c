import { nodeClassHash, nodePoolHash } from '../../../src/contract';
import { NodeDrift, readManifests, readSession, simulateScenario, simulateScenarios } from '../../../src/validation';
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

const poolAnnotations = (manifest: Manifest, version = 'v3') => ({
  'karpenter.sh/nodepool-hash': nodePoolHash(manifest),
  'karpenter.sh/nodepool-hash-version': version,
});
const classAnnotations = (manifest: Manifest, version = 'v6') => ({
  'karpenter.k8s.aws/ec2nodeclass-hash': nodeClassHash(manifest, CA_BUNDLE),
  'karpenter.k8s.aws/ec2nodeclass-hash-version': version,
});

function annotated(manifest: Manifest, annotations: Manifest, status: Manifest = {}): Manifest {
  return { ...manifest, metadata: { ...(manifest.metadata as Manifest), annotations }, status };
}

interface Launch {
  readonly annotations?: Manifest;
  readonly labels?: Manifest;
  readonly status?: Manifest;
}

const UNCHANGED_ANNOTATIONS = { ...poolAnnotations(POOL), ...classAnnotations(CLASS) };

function nodeWithClaim(
  name: string,
  { annotations = UNCHANGED_ANNOTATIONS, labels = {}, status = {} }: Launch = {},
): Manifest[] {
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
      metadata: {
        name: `default-${name}`,
        labels: { ...LABELS, ...labels },
        annotations,
        creationTimestamp: '2026-03-02T10:00:00Z',
      },
      spec: { requirements: [], nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'main' } },
      status: {
        nodeName: name,
        providerID,
        conditions: [{ type: 'Initialized', status: 'True', lastTransitionTime: '2026-03-02T10:01:00Z' }],
        ...status,
      },
    },
  ];
}

const file = (path: string, objects: readonly Manifest[]) => ({
  path,
  text: objects.map((object) => JSON.stringify(object)).join('\n---\n'),
});
const UNCHANGED = [annotated(POOL, poolAnnotations(POOL)), annotated(CLASS, classAnnotations(CLASS))];

function drifts(manifests: readonly Manifest[], cluster: readonly Manifest[]): NodeDrift[] {
  return driftedNodes(readManifests([file('manifests.yaml', manifests)], { cluster: [file('cluster.yaml', cluster)] }));
}

describe('driftedNodes of a changed NodePool', () => {
  const changedPool = nodePool({
    ...(POOL.spec as { template: { spec: Manifest } }).template.spec,
    expireAfter: '24h',
  });

  test('returns no node if the launch settings stay the same', () => {
    expect(drifts([POOL, CLASS], [...UNCHANGED, ...nodeWithClaim('a')])).toEqual([]);
    const { template } = POOL.spec as { template: { spec: Manifest } };
    expect(
      drifts(
        [nodePool({ ...template.spec, expireAfter: '720h' }, { weight: 7 }), CLASS],
        [...UNCHANGED, ...nodeWithClaim('a')],
      ),
    ).toEqual([]);
  });

  test('returns nodes with the old hash, with the changed field', () => {
    const launchedAfterwards = nodeWithClaim('b', {
      annotations: { ...poolAnnotations(changedPool), ...classAnnotations(CLASS) },
    });
    expect(drifts([changedPool, CLASS], [...UNCHANGED, ...nodeWithClaim('a'), ...launchedAfterwards])).toEqual([
      { node: 'a', reason: 'NodePoolDrifted', fields: ['spec.template.spec.expireAfter'], certain: true },
    ]);
  });

  test('returns a node with another hash without fields if the old NodePool is unknown', () => {
    expect(drifts([changedPool, CLASS], nodeWithClaim('a'))).toEqual([
      { node: 'a', reason: 'NodePoolDrifted', fields: [], certain: true },
    ]);
  });

  test('compares NodePools if NodeClaims have no hash or a hash of an old version', () => {
    const old = [annotated(POOL, poolAnnotations(POOL, 'v2')), ...UNCHANGED.slice(1)];
    for (const annotations of [
      { ...poolAnnotations(POOL, 'v2'), ...classAnnotations(CLASS) },
      classAnnotations(CLASS),
    ]) {
      expect(drifts([POOL, CLASS], [...old, ...nodeWithClaim('a', { annotations })])).toEqual([]);
      expect(drifts([changedPool, CLASS], [...old, ...nodeWithClaim('a', { annotations })])).toMatchObject([
        { reason: 'NodePoolDrifted' },
      ]);
    }
  });

  test('returns no node whose hash version differs from that of the NodePool in the cluster', () => {
    const behind = nodeWithClaim('a', { annotations: { ...poolAnnotations(POOL, 'v2'), ...classAnnotations(CLASS) } });
    expect(drifts([changedPool, CLASS], [...UNCHANGED, ...behind])).toEqual([]);
    const behindClass = nodeWithClaim('a', {
      annotations: { ...poolAnnotations(POOL), ...classAnnotations(CLASS, 'v4') },
    });
    expect(drifts([POOL, nodeClass({ role: 'other' })], [...UNCHANGED, ...behindClass])).toEqual([]);
  });

  test('returns no node that is being deleted or is not launched', () => {
    const withClaimFields = (fields: Manifest) =>
      nodeWithClaim('a').map((object) => (object.kind === 'NodeClaim' ? { ...object, ...fields } : object));
    const { metadata } = nodeWithClaim('a')[1];
    expect(
      drifts(
        [changedPool, CLASS],
        [
          ...UNCHANGED,
          ...withClaimFields({ metadata: { ...(metadata as Manifest), deletionTimestamp: '2026-03-02T11:00:00Z' } }),
        ],
      ),
    ).toEqual([]);
    const conditions = [{ type: 'Launched', status: 'Unknown', lastTransitionTime: '2026-03-02T10:01:00Z' }];
    expect(
      drifts([changedPool, CLASS], [...UNCHANGED, ...withClaimFields({ status: { nodeName: 'a', conditions } })]),
    ).toEqual([]);
  });

  test('returns the name of the NodeClaim for a node that is not registered', () => {
    const [, claim] = nodeWithClaim('a');
    const { nodeName, ...status } = claim.status as Manifest;
    expect(drifts([changedPool, CLASS], [...UNCHANGED, { ...claim, status }])).toMatchObject([
      { node: 'default-a', reason: 'NodePoolDrifted' },
    ]);
    expect(drifts([changedPool, CLASS], [...UNCHANGED, { ...claim, status: {} }])).toEqual([]);
  });

  test('returns no node of another node class, such as those of EKS Auto Mode', () => {
    const spec = { nodeClassRef: { group: 'eks.amazonaws.com', kind: 'NodeClass', name: 'default' } };
    expect(
      drifts(
        [changedPool, CLASS],
        [
          ...UNCHANGED,
          ...nodeWithClaim('a').map((object) => (object.kind === 'NodeClaim' ? { ...object, spec } : object)),
        ],
      ),
    ).toEqual([]);
  });

  test('ignores hashes that another algorithm made', () => {
    const foreign = { ...poolAnnotations(POOL), 'karpenter.sh/nodepool-hash': '1' };
    const cluster = [
      annotated(POOL, foreign),
      UNCHANGED[1],
      ...nodeWithClaim('a', { annotations: { ...foreign, ...classAnnotations(CLASS) } }),
    ];
    expect(drifts([POOL, CLASS], cluster)).toEqual([]);
    expect(drifts([changedPool, CLASS], cluster)).toMatchObject([{ fields: ['spec.template.spec.expireAfter'] }]);
  });

  test('returns nodes whose labels conflict with the requirements', () => {
    const arm = nodePool({ requirements: [{ key: 'kubernetes.io/arch', operator: 'In', values: ['arm64'] }] });
    expect(
      drifts(
        [arm, CLASS],
        [...UNCHANGED, ...nodeWithClaim('a'), ...nodeWithClaim('b', { labels: { 'kubernetes.io/arch': 'arm64' } })],
      ),
    ).toEqual([
      {
        node: 'a',
        reason: 'RequirementsDrifted',
        fields: [
          'spec.template.spec.requirements (key kubernetes.io/arch, kubernetes.io/arch In [arm64] not in kubernetes.io/arch In [amd64])',
        ],
        certain: true,
      },
    ]);
  });

  test.each([
    ['In', true],
    ['Exists', true],
    ['NotIn', false],
    ['DoesNotExist', false],
  ])('with a new key and the operator %s returns nodes without the label: %s', (operator, isDrift) => {
    const requirements = [{ key: 'example.com/team', operator, ...(operator.endsWith('In') ? { values: ['a'] } : {}) }];
    expect(drifts([nodePool({ requirements }), CLASS], [...UNCHANGED, ...nodeWithClaim('a')]).length).toBe(
      isDrift ? 1 : 0,
    );
  });
});

describe('driftedNodes of a rejected manifest', () => {
  test('returns no node of a NodePool with an unquoted number', () => {
    const { template } = POOL.spec as { template: { spec: Manifest } };
    const rejected = nodePool({
      ...template.spec,
      requirements: [{ key: 'karpenter.k8s.aws/instance-generation', operator: 'Gt', values: [4] }],
    });
    expect(drifts([rejected, CLASS], [...UNCHANGED, ...nodeWithClaim('a')])).toEqual([]);
    expect(drifts([rejected, CLASS], nodeWithClaim('a'))).toEqual([]);
  });

  test('returns no node of an EC2NodeClass with an invalid field', () => {
    expect(drifts([POOL, nodeClass({ kubelet: { maxPods: 'many' } })], [...UNCHANGED, ...nodeWithClaim('a')])).toEqual(
      [],
    );
  });
});

describe('driftedNodes of a changed EC2NodeClass', () => {
  const driftOf = (changedClass: Manifest, launch: Launch = {}, status: Manifest = {}) =>
    drifts(
      [POOL, changedClass],
      [UNCHANGED[0], annotated(CLASS, classAnnotations(CLASS), status), ...nodeWithClaim('a', launch)],
    )[0];

  test('returns every node of its pools for a static field', () => {
    const changedClass = nodeClass({ metadataOptions: { httpTokens: 'optional' } });
    expect(driftOf(changedClass)).toEqual({
      node: 'a',
      reason: 'NodeClassDrift',
      fields: ['spec.metadataOptions.httpTokens'],
      certain: true,
    });
    expect(
      driftOf(changedClass, { annotations: { ...poolAnnotations(POOL), ...classAnnotations(changedClass) } }),
    ).toBeUndefined();
    expect(driftOf(nodeClass({ ipPrefixCount: 1 }))).toBeUndefined();
  });

  test('compares EC2NodeClasses if an older Karpenter made the hashes', () => {
    const cluster = [
      UNCHANGED[0],
      annotated(CLASS, classAnnotations(CLASS, 'v4')),
      ...nodeWithClaim('a', { annotations: { ...poolAnnotations(POOL), ...classAnnotations(CLASS, 'v4') } }),
    ];
    expect(drifts([POOL, CLASS], cluster)).toEqual([]);
    expect(drifts([POOL, nodeClass({ role: 'other' })], cluster)).toMatchObject([
      { reason: 'NodeClassDrift', fields: ['spec.role'] },
    ]);
  });

  const image = { status: { imageID: 'ami-1' } };
  const resolved = {
    securityGroups: [{ id: 'sg-1' }, { id: 'sg-2' }],
    subnets: [
      { id: 'subnet-1', zone: 'us-east-1a' },
      { id: 'subnet-2', zone: 'us-east-1b' },
    ],
  };

  test.each<[string, Manifest, Launch, NodeDrift['reason'], boolean | undefined]>([
    ['another image by its id', { amiFamily: 'AL2023', amiSelectorTerms: [{ id: 'ami-2' }] }, image, 'AMIDrift', true],
    [
      'the same image by its id',
      { amiFamily: 'AL2023', amiSelectorTerms: [{ id: 'ami-1' }] },
      image,
      'AMIDrift',
      undefined,
    ],
    [
      'one image of several',
      { amiFamily: 'AL2023', amiSelectorTerms: [{ id: 'ami-1' }, { id: 'ami-2' }] },
      image,
      'AMIDrift',
      false,
    ],
    [
      'images by their tags',
      { amiFamily: 'AL2023', amiSelectorTerms: [{ tags: { a: 'b' } }] },
      image,
      'AMIDrift',
      false,
    ],
    [
      'a release of what was the latest',
      { amiSelectorTerms: [{ alias: 'al2023@v20240807' }] },
      image,
      'AMIDrift',
      false,
    ],
    [
      'the same security groups by their ids',
      { securityGroupSelectorTerms: [{ id: 'sg-2' }, { id: 'sg-1' }] },
      {},
      'SecurityGroupDrift',
      undefined,
    ],
    ['fewer security groups', { securityGroupSelectorTerms: [{ id: 'sg-1' }] }, {}, 'SecurityGroupDrift', true],
    ['security groups by name', { securityGroupSelectorTerms: [{ name: 'nodes' }] }, {}, 'SecurityGroupDrift', false],
    ['the subnet of the zone by its id', { subnetSelectorTerms: [{ id: 'subnet-1' }] }, {}, 'SubnetDrift', undefined],
    ['no subnet of the zone', { subnetSelectorTerms: [{ id: 'subnet-2' }] }, {}, 'SubnetDrift', true],
    ['subnets by other tags', { subnetSelectorTerms: [{ tags: { a: 'b' } }] }, {}, 'SubnetDrift', false],
    [
      'reservations, with a node in none',
      { capacityReservationSelectorTerms: [{ id: 'cr-1' }] },
      {},
      'CapacityReservationDrift',
      undefined,
    ],
    [
      'another reservation',
      { capacityReservationSelectorTerms: [{ id: 'cr-1' }] },
      { labels: { 'karpenter.k8s.aws/capacity-reservation-id': 'cr-2' } },
      'CapacityReservationDrift',
      true,
    ],
    [
      'the same reservation',
      { capacityReservationSelectorTerms: [{ id: 'cr-2' }] },
      { labels: { 'karpenter.k8s.aws/capacity-reservation-id': 'cr-2' } },
      'CapacityReservationDrift',
      undefined,
    ],
  ])('judges a change to %s by the ids that are known', (_, spec, launch, reason, certain) => {
    const drift = driftOf(nodeClass(spec), launch, resolved);
    if (certain === undefined) expect(drift).toBeUndefined();
    else expect(drift).toMatchObject({ reason, certain });
  });

  test('returns nodes with the old AMI release', () => {
    const old = nodeClass({ amiSelectorTerms: [{ alias: 'al2023@v20240807' }] });
    const cluster = [
      UNCHANGED[0],
      annotated(old, classAnnotations(old)),
      ...nodeWithClaim('a', { annotations: { ...poolAnnotations(POOL), ...classAnnotations(old) } }),
    ];
    expect(drifts([POOL, nodeClass({ amiSelectorTerms: [{ alias: 'al2023@v20250915' }] })], cluster)).toEqual([
      { node: 'a', reason: 'AMIDrift', fields: ['spec.amiSelectorTerms'], certain: true },
    ]);
  });
});

describe('the scenario drift on a cluster', () => {
  const simulateDrift = (manifests: readonly Manifest[], cluster: readonly Manifest[]) =>
    simulateScenario([file('manifests.yaml', manifests)], 'drift', { cluster: [file('cluster.yaml', cluster)] });
  const drained = ({ reports: [{ timeline }] }: ReturnType<typeof simulateDrift>) =>
    timeline.filter(({ what }) => / drains$/.test(what)).map(({ what }) => what);

  test('replaces exactly the drifted nodes, with the reason', () => {
    const arm = nodePool({ requirements: [{ key: 'kubernetes.io/arch', operator: 'In', values: ['arm64'] }] });
    const simulated = simulateDrift(
      [arm, CLASS],
      [...UNCHANGED, ...nodeWithClaim('a'), ...nodeWithClaim('b', { labels: { 'kubernetes.io/arch': 'arm64' } })],
    );
    expect(simulated.reports[0].timeline[0].what).toMatch(
      /^a has drifted: RequirementsDrifted, spec\.template\.spec\.requirements \(key/,
    );
    expect(drained(simulated)).toEqual(['a drains']);
    expect(simulated.drifts).toHaveLength(1);
  });

  test('reports drifted nodes among several scenarios', () => {
    const changed = nodePool({ requirements: [{ key: 'kubernetes.io/arch', operator: 'In', values: ['arm64'] }] });
    const options = { cluster: [file('cluster.yaml', [...UNCHANGED, ...nodeWithClaim('a')])] };
    expect(
      simulateScenarios(readSession([file('manifests.yaml', [changed, CLASS])], options), ['zone-outage', 'drift'])
        .drifts,
    ).toMatchObject([{ node: 'a' }]);
  });

  test('states in an assumption which drift is uncertain', () => {
    const { assumptions } = simulateDrift(
      [POOL, nodeClass({ subnetSelectorTerms: [{ tags: { a: 'b' } }] })],
      [...UNCHANGED, ...nodeWithClaim('a')],
    );
    expect(assumptions).toContain(
      'spec.subnetSelectorTerms now matches other AWS resources than before; otherwise these nodes do not drift: a',
    );
  });

  test('replaces every node if the manifests change nothing', () => {
    const simulated = simulateDrift([POOL, CLASS], [...UNCHANGED, ...nodeWithClaim('a'), ...nodeWithClaim('b')]);
    expect(drained(simulated).sort()).toEqual(['a drains', 'b drains']);
    expect(simulated.assumptions).toContain('every node has drifted, as after a new AMI');
    expect(simulated.drifts).toBeUndefined();
  });
});
