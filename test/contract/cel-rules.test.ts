import { capacityBuffer, problemsOf, nodeClaim, nodeClass, nodeOverlay, nodePool } from './objects';
import { formatFieldPath, validateObject, KARPENTER_RELEASES, NEWEST_KARPENTER_VERSION } from '../../src/contract';
import { compileCached } from '../../src/contract/cel';
import { CelRule, kindsOf, Schema } from '../../src/contract/schema';
import { knownAdvice } from '../../src/contract/schema/rule-advice';

const requirement = (fields: object) => ({ key: 'example.com/team', operator: 'In', values: ['a'], ...fields });
const poolWith = (fields: object) => nodePool({}, { requirements: [requirement(fields)] });
const claimWith = (fields: object) => nodeClaim({ requirements: [requirement(fields)] });
const overlayWith = (fields: object) => nodeOverlay({ requirements: [requirement(fields)] });
const poolLabelled = (labels: object) => nodePool({}, {}, { labels });
const refTo = (fields: object) => ({
  nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default', ...fields },
});
const amis = (...amiSelectorTerms: object[]) => nodeClass({ amiSelectorTerms, amiFamily: 'Custom' });
const network = (...interfaces: Array<readonly [card: number, device: number, type: string]>) =>
  nodeClass({
    networkInterfaces: interfaces.map(([networkCardIndex, deviceIndex, interfaceType]) => ({
      networkCardIndex,
      deviceIndex,
      interfaceType,
    })),
  });
const volume = (ebs: object) => nodeClass({ blockDeviceMappings: [{ deviceName: '/dev/xvda', ebs }] });

/** Objects that violate only one rule, with the rule's message and the path of the violation. */
const VIOLATIONS: ReadonlyArray<readonly [message: string, raw: object, path: string]> = [
  [
    "'schedule' must be set with 'duration'",
    nodePool({ disruption: { consolidateAfter: '0s', budgets: [{ nodes: '1' }, { nodes: '1', schedule: '@daily' }] } }),
    'spec.disruption.budgets[1].duration',
  ],
  [
    "only 'limits.nodes' is supported on static NodePools",
    nodePool({ replicas: 1, limits: { nodes: 2, cpu: 1 } }),
    'spec.limits',
  ],
  ["'weight' is not supported on static NodePools", nodePool({ replicas: 1, weight: 1 }), 'spec.weight'],
  ...(
    [
      ['NodePool', (ref: object) => nodePool({}, refTo(ref)), 'spec.template.spec'],
      ['NodeClaim', (ref: object) => nodeClaim(refTo(ref)), 'spec'],
    ] as const
  ).flatMap(([, make, at]) =>
    ['group', 'kind', 'name'].map(
      (field) => [`${field} may not be empty`, make({ [field]: '' }), `${at}.nodeClassRef.${field}`] as const,
    ),
  ),
  ...([poolWith, claimWith] as const).flatMap((make, i) => {
    const at = i === 0 ? 'spec.template.spec.requirements[0]' : 'spec.requirements[0]';
    return [
      ["requirements with operator 'In' must have a value defined", make({ values: [] }), `${at}.values`],
      [
        "requirements operator 'Gt', 'Lt', 'Gte', or 'Lte' must have a single positive integer value",
        make({ operator: 'Gt', values: ['1', '2'] }),
        `${at}.values`,
      ],
      [
        "requirements operator 'Gt', 'Lt', 'Gte', or 'Lte' must have a single positive integer value",
        make({ operator: 'Lte', values: ['-1'] }),
        `${at}.values`,
      ],
      [
        "requirements operator 'Gt', 'Lt', 'Gte', or 'Lte' must have a single positive integer value",
        make({ operator: 'Gte', values: ['many'] }),
        `${at}.values`,
      ],
      [
        "requirements with 'minValues' must have at least that many values specified in the 'values' field",
        make({ minValues: 2 }),
        `${at}.minValues`,
      ],
      ['label domain "karpenter.sh" is restricted', make({ key: 'notkarpenter.sh/a' }), `${at}.key`],
      ['label domain "karpenter.k8s.aws" is restricted', make({ key: 'karpenter.k8s.aws/instance-cpus' }), `${at}.key`],
      ['label "kubernetes.io/hostname" is restricted', make({ key: 'kubernetes.io/hostname' }), `${at}.key`],
    ] as const;
  }),
  [
    'label "karpenter.sh/nodepool" is restricted',
    poolWith({ key: 'karpenter.sh/nodepool' }),
    'spec.template.spec.requirements[0].key',
  ],
  [
    'label domain "karpenter.sh" is restricted',
    poolLabelled({ a: 'b', 'karpenter.sh/a': 'b' }),
    'spec.template.metadata.labels["karpenter.sh/a"]',
  ],
  [
    'label domain "karpenter.k8s.aws" is restricted',
    poolLabelled({ 'karpenter.k8s.aws/a': 'b' }),
    'spec.template.metadata.labels["karpenter.k8s.aws/a"]',
  ],
  [
    'label "karpenter.sh/nodepool" is restricted',
    poolLabelled({ 'karpenter.sh/nodepool': 'b' }),
    'spec.template.metadata.labels["karpenter.sh/nodepool"]',
  ],
  [
    'label "kubernetes.io/hostname" is restricted',
    poolLabelled({ 'kubernetes.io/hostname': 'b' }),
    'spec.template.metadata.labels["kubernetes.io/hostname"]',
  ],
  [
    "requirements with operator 'In' must have a value defined",
    overlayWith({ values: [] }),
    'spec.requirements[0].values',
  ],
  [
    "requirements with operator 'NotIn' must have a value defined",
    overlayWith({ operator: 'NotIn', values: [] }),
    'spec.requirements[0].values',
  ],
  [
    "requirements operator 'Gt', 'Lt', 'Gte' or 'Lte' must have a single positive integer value",
    overlayWith({ operator: 'Lt', values: ['x'] }),
    'spec.requirements[0].values',
  ],
  ['label domain "karpenter.sh" is restricted', overlayWith({ key: 'karpenter.sh/a' }), 'spec.requirements[0].key'],
  [
    'label domain "karpenter.k8s.aws" is restricted',
    overlayWith({ key: 'karpenter.k8s.aws/instance-tenancy', values: ['default'] }),
    'spec.requirements[0].key',
  ],
  [
    'label "kubernetes.io/hostname" is restricted',
    overlayWith({ key: 'kubernetes.io/hostname' }),
    'spec.requirements[0].key',
  ],
  [
    'invalid resource restricted',
    nodeOverlay({ capacity: { 'example.com/a': 1, memory: '1Gi' } }),
    'spec.capacity.memory',
  ],
  [
    "cannot set both 'price' and 'priceAdjustment'",
    nodeOverlay({ price: '1', priceAdjustment: '+1%' }),
    'spec.priceAdjustment',
  ],
  [
    'If podTemplateRef is set, replicas or limits must also be set',
    capacityBuffer({ scalableRef: undefined, replicas: undefined, podTemplateRef: { name: 'a' } }),
    'spec.replicas',
  ],
  [
    'You must define either PodTemplateRef or ScalableRef, but not both',
    capacityBuffer({ podTemplateRef: { name: 'a' } }),
    'spec.scalableRef',
  ],
  ["must specify exactly one of ['role', 'instanceProfile']", nodeClass({ role: undefined }), 'spec.role'],
  ["must specify exactly one of ['role', 'instanceProfile']", nodeClass({ instanceProfile: 'a' }), 'spec.role'],
  ['role cannot be empty', nodeClass({ role: '' }), 'spec.role'],
  ['instanceProfile cannot be empty', nodeClass({ role: undefined, instanceProfile: '' }), 'spec.instanceProfile'],
  [
    'must specify amiFamily if amiSelectorTerms does not contain an alias',
    nodeClass({ amiSelectorTerms: [{ id: 'ami-1' }] }),
    'spec.amiFamily',
  ],
  ...(['AL2', 'AL2023', 'Bottlerocket', 'Windows2019', 'Windows2022', 'Windows2025'] as const).map(
    (family) =>
      [
        `if set, amiFamily must be '${family}' or 'Custom' when using a${family.startsWith('AL') ? 'n' : ''} ${family} alias`,
        nodeClass({
          amiSelectorTerms: [{ alias: `${family.toLowerCase()}@latest` }],
          amiFamily: family === 'AL2' ? 'AL2023' : 'AL2',
        }),
        'spec.amiFamily',
      ] as const,
  ),
  [
    "'alias' is improperly formatted, must match the format 'family@version'",
    amis({ alias: 'al2023' }),
    'spec.amiSelectorTerms[0].alias',
  ],
  [
    "family is not supported, must be one of the following: 'al2', 'al2023', 'bottlerocket', 'windows2019', 'windows2022', 'windows2025'",
    amis({ alias: 'ubuntu@latest' }),
    'spec.amiSelectorTerms[0].alias',
  ],
  [
    "windows families may only specify version 'latest'",
    amis({ alias: 'windows2022@v1' }),
    'spec.amiSelectorTerms[0].alias',
  ],
  ["empty tag keys or values aren't supported", amis({ tags: { a: '' } }), 'spec.amiSelectorTerms[0].tags.a'],
  [
    "empty tag keys or values aren't supported",
    nodeClass({ subnetSelectorTerms: [{ tags: { '': 'a' } }] }),
    'spec.subnetSelectorTerms[0].tags[""]',
  ],
  [
    "empty tag keys or values aren't supported",
    nodeClass({ securityGroupSelectorTerms: [{ tags: { a: '' } }] }),
    'spec.securityGroupSelectorTerms[0].tags.a',
  ],
  [
    "empty tag keys or values aren't supported",
    nodeClass({ capacityReservationSelectorTerms: [{ tags: { a: '' } }] }),
    'spec.capacityReservationSelectorTerms[0].tags.a',
  ],
  [
    "expected at least one, got none, ['tags', 'id', 'name', 'alias', 'ssmParameter']",
    amis({ owner: 'self' }),
    'spec.amiSelectorTerms[0]',
  ],
  [
    "'id' is mutually exclusive, cannot be set with a combination of other fields in amiSelectorTerms",
    amis({ id: 'ami-1', name: 'a' }),
    'spec.amiSelectorTerms[0]',
  ],
  [
    "'alias' is mutually exclusive, cannot be set with a combination of other fields in amiSelectorTerms",
    amis({ alias: 'al2@latest', name: 'a' }),
    'spec.amiSelectorTerms[0]',
  ],
  [
    "'alias' is mutually exclusive, cannot be set with a combination of other amiSelectorTerms",
    amis({ alias: 'al2@latest' }, { id: 'ami-1' }),
    'spec.amiSelectorTerms',
  ],
  ['subnetSelectorTerms cannot be empty', nodeClass({ subnetSelectorTerms: [] }), 'spec.subnetSelectorTerms'],
  [
    "expected at least one, got none, ['tags', 'id']",
    nodeClass({ subnetSelectorTerms: [{ id: 'subnet-1' }, {}] }),
    'spec.subnetSelectorTerms[1]',
  ],
  [
    "'id' is mutually exclusive, cannot be set with a combination of other fields in a subnet selector term",
    nodeClass({ subnetSelectorTerms: [{ id: 'subnet-1', tags: { a: 'b' } }] }),
    'spec.subnetSelectorTerms',
  ],
  [
    'securityGroupSelectorTerms cannot be empty',
    nodeClass({ securityGroupSelectorTerms: [] }),
    'spec.securityGroupSelectorTerms',
  ],
  [
    "expected at least one, got none, ['tags', 'id', 'name']",
    nodeClass({ securityGroupSelectorTerms: [{}] }),
    'spec.securityGroupSelectorTerms[0]',
  ],
  [
    "'id' is mutually exclusive, cannot be set with a combination of other fields in a security group selector term",
    nodeClass({ securityGroupSelectorTerms: [{ id: 'sg-1', tags: { a: 'b' } }] }),
    'spec.securityGroupSelectorTerms',
  ],
  [
    "'name' is mutually exclusive, cannot be set with a combination of other fields in a security group selector term",
    nodeClass({ securityGroupSelectorTerms: [{ name: 'a', tags: { a: 'b' } }] }),
    'spec.securityGroupSelectorTerms',
  ],
  [
    "expected at least one, got none, ['tags', 'id', 'instanceMatchCriteria']",
    nodeClass({ capacityReservationSelectorTerms: [{ ownerID: '111122223333' }] }),
    'spec.capacityReservationSelectorTerms[0]',
  ],
  [
    "'id' is mutually exclusive, cannot be set along with other fields in a capacity reservation selector term",
    nodeClass({ capacityReservationSelectorTerms: [{ id: 'cr-1', ownerID: '111122223333' }] }),
    'spec.capacityReservationSelectorTerms',
  ],
  [
    "expected at least one, got none, ['name', 'id']",
    nodeClass({ placementGroupSelector: {} }),
    'spec.placementGroupSelector',
  ],
  [
    "'name' and 'id' are mutually exclusive",
    nodeClass({ placementGroupSelector: { name: 'a', id: 'pg-1' } }),
    'spec.placementGroupSelector',
  ],
  ['snapshotID or volumeSize must be defined', volume({}), 'spec.blockDeviceMappings[0].ebs.volumeSize'],
  [
    'snapshotID must be set when volumeInitializationRate is set',
    volume({ volumeSize: '1Gi', volumeInitializationRate: 100 }),
    'spec.blockDeviceMappings[0].ebs.snapshotID',
  ],
  [
    'must have only one blockDeviceMappings with rootVolume',
    nodeClass({ blockDeviceMappings: [{ rootVolume: true }, { rootVolume: true }] }),
    'spec.blockDeviceMappings',
  ],
  [
    'at least one of tcpEstablishedTimeout, udpStreamTimeout, or udpTimeout must be set',
    nodeClass({ connectionTracking: {} }),
    'spec.connectionTracking',
  ],
  [
    "networkInterfaces must include a primary interface with interfaceType='interface'",
    network([0, 0, 'efa-only']),
    'spec.networkInterfaces',
  ],
  [
    'networkInterfaces must not have duplicate networkCardIndex and deviceIndex pairs, and can have at most one efa device per network card',
    network([0, 0, 'interface'], [0, 1, 'interface'], [0, 1, 'interface']),
    'spec.networkInterfaces[2]',
  ],
  [
    'networkInterfaces must not have duplicate networkCardIndex and deviceIndex pairs, and can have at most one efa device per network card',
    network([0, 0, 'interface'], [0, 1, 'efa-only'], [0, 2, 'efa-only']),
    'spec.networkInterfaces[2]',
  ],
  ["empty tag keys aren't supported", nodeClass({ tags: { '': 'a' } }), 'spec.tags[""]'],
  [
    'tag contains a restricted tag matching eks:eks-cluster-name',
    nodeClass({ tags: { 'eks:eks-cluster-name': 'a' } }),
    'spec.tags["eks:eks-cluster-name"]',
  ],
  [
    'tag contains a restricted tag matching kubernetes.io/cluster/',
    nodeClass({ tags: { 'kubernetes.io/cluster/a': 'a' } }),
    'spec.tags["kubernetes.io/cluster/a"]',
  ],
  ...['karpenter.sh/nodepool', 'karpenter.sh/nodeclaim', 'karpenter.k8s.aws/ec2nodeclass'].map(
    (key) =>
      [
        `tag contains a restricted tag matching ${key}`,
        nodeClass({ tags: { a: 'b', [key]: 'c' } }),
        `spec.tags["${key}"]`,
      ] as const,
  ),
];

/** Edge cases that satisfy the rules. */
const VALID: ReadonlyArray<readonly [what: string, raw: object]> = [
  ['a static pool with a limit on nodes', nodePool({ replicas: 1, limits: { nodes: 2 } })],
  ['as many values as minValues', poolWith({ values: ['a', 'b'], minValues: 2 })],
  ['the capacity type as a label', poolLabelled({ 'karpenter.sh/capacity-type': 'spot' })],
  ['a well-known label of AWS', poolWith({ key: 'karpenter.k8s.aws/instance-cpu', operator: 'Gte', values: ['0'] })],
  ['a label whose name ends like a domain', poolLabelled({ 'example.com/karpenter.sh': 'a' })],
  ['the pool as a requirement of an overlay', overlayWith({ key: 'karpenter.sh/nodepool' })],
  ['an alias with Custom', nodeClass({ amiFamily: 'Custom' })],
  ['an alias with its own family', nodeClass({ amiFamily: 'AL2023' })],
  [
    'a mixed subnet term among others, which is only warned about',
    nodeClass({ subnetSelectorTerms: [{ id: 'subnet-1' }, { tags: { a: '*' } }] }),
  ],
  ['a snapshot without a size', volume({ snapshotID: 'snap-1', volumeInitializationRate: 300 })],
  ['one efa-only interface a card', network([0, 0, 'interface'], [0, 1, 'efa-only'], [1, 0, 'efa-only'])],
  ['no network interface at all', network()],
  ['a tag that only begins like one of Karpenter', nodeClass({ tags: { 'karpenter.sh/nodepools': 'a' } })],
];

function rulesOf(schema: Schema): CelRule[] {
  const children = [...Object.values(schema.properties ?? {}), schema.items, schema.additionalProperties].filter(
    (child): child is Schema => typeof child === 'object',
  );
  return [...(schema['x-kubernetes-validations'] ?? []), ...children.flatMap(rulesOf)];
}

const rulesOfRelease = (release: string) => kindsOf(release).flatMap(({ schema }) => rulesOf(schema));

describe('CEL rule', () => {
  test.each(VIOLATIONS)('%s: reports the violation at its path', (message, raw, path) => {
    const violations = validateObject(raw)!;
    expect(violations.map((violation) => formatFieldPath(violation.path))).toEqual([path]);
    expect(violations[0]).toMatchObject({
      rule: 'cel',
      consequence: 'rejected',
      apiServer: expect.stringContaining(message) as unknown,
    });
  });

  test.each(VALID)('accepts %s', (_, raw) => {
    expect(problemsOf(raw)).toEqual([]);
  });

  test('about a label suggests the nearest well-known label', () => {
    const [{ remedy }] = validateObject(poolWith({ key: 'karpenter.k8s.aws/instance-famly' }))!;
    expect(remedy).toBe('write karpenter.k8s.aws/instance-family, or use a domain of your own');
  });

  test('of the newest release is covered here, unless it is a transition rule', () => {
    const messages = rulesOfRelease(NEWEST_KARPENTER_VERSION)
      .filter(({ rule }) => !compileCached(rule).isTransition)
      .map(({ message }) => message);
    const covered = new Set(VIOLATIONS.map(([message]) => message));
    expect([...new Set(messages)].filter((message) => !covered.has(message!))).toEqual([]);
  });

  test('is skipped for a new object if it is a transition rule', () => {
    const transitions = rulesOfRelease(NEWEST_KARPENTER_VERSION).filter(({ rule }) => compileCached(rule).isTransition);
    expect(transitions.map(({ message }) => message).sort()).toEqual([
      'Cannot transition NodePool between static (replicas set) and dynamic (replicas unset) provisioning modes',
      'nodeClassRef.group is immutable',
      'nodeClassRef.kind is immutable',
      'spec is immutable',
    ]);
  });

  test.each(KARPENTER_RELEASES)('of %s has a description and a remedy', (release) => {
    const unknown = rulesOfRelease(release).filter(
      (rule) => !compileCached(rule.rule).isTransition && !knownAdvice(rule),
    );
    expect(unknown).toEqual([]);
  });
});
