import { checkEc2NodeClassSpec, FieldProblem, formatFieldPath } from '../../src/contract';

const VALID = {
  amiSelectorTerms: [{ alias: 'al2023@latest' }],
  role: 'KarpenterNodeRole',
  subnetSelectorTerms: [{ tags: { 'karpenter.sh/discovery': 'cluster' } }],
  securityGroupSelectorTerms: [{ name: 'nodes' }],
};
const withSpec = (fields: object) => ({ ...VALID, ...fields });
const withVolume = (ebs: object) => withSpec({ blockDeviceMappings: [{ deviceName: '/dev/xvda', ebs }] });
const summary = (problems: FieldProblem[]) => problems.map((p) => `${p.consequence} ${formatFieldPath(p.path)}`);

describe('EC2NodeClass spec', () => {
  test('is accepted with only the required fields', () => {
    expect(checkEc2NodeClassSpec(VALID)).toEqual([]);
  });

  test.each([
    ['no spec at all', undefined, ['launch-fails spec']],
    ['neither role nor instance profile', withSpec({ role: undefined }), ['rejected spec.role']],
    ['both role and instance profile', withSpec({ instanceProfile: 'p' }), ['rejected spec.role']],
    ['an empty role', withSpec({ role: '' }), ['rejected spec.role']],
    ['no subnet terms', withSpec({ subnetSelectorTerms: [] }), ['rejected spec.subnetSelectorTerms']],
    [
      '31 subnet terms',
      withSpec({ subnetSelectorTerms: Array(31).fill({ id: 'subnet-1' }) }),
      ['rejected spec.subnetSelectorTerms'],
    ],
    ['an empty subnet term', withSpec({ subnetSelectorTerms: [{}] }), ['rejected spec.subnetSelectorTerms[0]']],
    [
      'a subnet id with capitals',
      withSpec({ subnetSelectorTerms: [{ id: 'Subnet-1' }] }),
      ['rejected spec.subnetSelectorTerms[0].id'],
    ],
    [
      'an empty tag to select by',
      withSpec({ subnetSelectorTerms: [{ tags: { a: '' } }] }),
      ['rejected spec.subnetSelectorTerms[0].tags.a'],
    ],
    [
      'id and tags in every term',
      withSpec({ subnetSelectorTerms: [{ id: 'subnet-1', tags: { a: 'b' } }] }),
      ['rejected spec.subnetSelectorTerms'],
    ],
    [
      'id and tags in one term of two',
      withSpec({ subnetSelectorTerms: [{ id: 'subnet-1', tags: { a: 'b' } }, { id: 'subnet-2' }] }),
      ['misread spec.subnetSelectorTerms[0]'],
    ],
    [
      'name and tags in a security group term',
      withSpec({ securityGroupSelectorTerms: [{ name: 'n', tags: { a: 'b' } }] }),
      ['rejected spec.securityGroupSelectorTerms'],
    ],
    [
      'an AMI by tags without a family',
      withSpec({ amiSelectorTerms: [{ tags: { a: 'b' } }] }),
      ['rejected spec.amiFamily'],
    ],
    [
      'an owner alone',
      withSpec({ amiFamily: 'AL2023', amiSelectorTerms: [{ owner: 'self' }] }),
      ['rejected spec.amiSelectorTerms[0]'],
    ],
    [
      'an alias beside another term',
      withSpec({ amiSelectorTerms: [{ alias: 'al2023@latest' }, { id: 'ami-1' }] }),
      ['rejected spec.amiSelectorTerms'],
    ],
    [
      'an alias with a name',
      withSpec({ amiSelectorTerms: [{ alias: 'al2023@latest', name: 'n' }] }),
      ['rejected spec.amiSelectorTerms[0]'],
    ],
    ['an alias of another family', withSpec({ amiFamily: 'AL2' }), ['rejected spec.amiFamily']],
    [
      'an alias without a version',
      withSpec({ amiSelectorTerms: [{ alias: 'al2023' }] }),
      ['rejected spec.amiSelectorTerms[0].alias'],
    ],
    [
      'an alias in capitals',
      withSpec({ amiSelectorTerms: [{ alias: 'AL2023@latest' }] }),
      ['rejected spec.amiSelectorTerms[0].alias'],
    ],
    [
      'a pinned Windows alias',
      withSpec({ amiSelectorTerms: [{ alias: 'windows2022@v1' }] }),
      ['rejected spec.amiSelectorTerms[0].alias'],
    ],
    [
      'a family that is gone',
      withSpec({ amiSelectorTerms: [{ id: 'ami-1' }], amiFamily: 'Ubuntu' }),
      ['rejected spec.amiFamily'],
    ],
    [
      'a hop limit of 65',
      withSpec({ metadataOptions: { httpPutResponseHopLimit: 65 } }),
      ['rejected spec.metadataOptions.httpPutResponseHopLimit'],
    ],
    [
      'a boolean for tokens',
      withSpec({ metadataOptions: { httpTokens: true } }),
      ['rejected spec.metadataOptions.httpTokens'],
    ],
    [
      'the tag of the cluster',
      withSpec({ tags: { 'kubernetes.io/cluster/a': 'owned' } }),
      ['rejected spec.tags["kubernetes.io/cluster/a"]'],
    ],
    ['a tag with a number', withSpec({ tags: { a: 1 } }), ['rejected spec.tags.a']],
    [
      'a capacity reservation of nobody',
      withSpec({ capacityReservationSelectorTerms: [{ ownerID: '111122223333' }] }),
      ['rejected spec.capacityReservationSelectorTerms[0]'],
    ],
    [
      'no capacity reservation terms in a list',
      withSpec({ capacityReservationSelectorTerms: [] }),
      ['rejected spec.capacityReservationSelectorTerms'],
    ],
    [
      'id and owner in every capacity reservation term',
      withSpec({ capacityReservationSelectorTerms: [{ id: 'cr-1', ownerID: '111122223333' }] }),
      ['rejected spec.capacityReservationSelectorTerms'],
    ],
    [
      'an unknown match criterion',
      withSpec({ capacityReservationSelectorTerms: [{ instanceMatchCriteria: 'any' }] }),
      ['rejected spec.capacityReservationSelectorTerms[0].instanceMatchCriteria'],
    ],
    [
      'a placement group by id and name',
      withSpec({ placementGroupSelector: { id: 'pg-1', name: 'near' } }),
      ['rejected spec.placementGroupSelector'],
    ],
    [
      'a placement group id in capitals',
      withSpec({ placementGroupSelector: { id: 'PG-1' } }),
      ['rejected spec.placementGroupSelector.id'],
    ],
    [
      'nested virtualization that is true',
      withSpec({ cpuOptions: { nestedVirtualization: true } }),
      ['rejected spec.cpuOptions.nestedVirtualization'],
    ],
    [
      'enclaves that are "enabled"',
      withSpec({ enclaveOptions: { enabled: 'enabled' } }),
      ['rejected spec.enclaveOptions.enabled'],
    ],
    ['user data that is a number', withSpec({ userData: 1 }), ['rejected spec.userData']],
    ['prefixes below 0', withSpec({ ipPrefixCount: -1 }), ['rejected spec.ipPrefixCount']],
    [
      'a TCP timeout of 59 seconds',
      withSpec({ connectionTracking: { tcpEstablishedTimeout: 59 } }),
      ['rejected spec.connectionTracking.tcpEstablishedTimeout'],
    ],
    [
      'two root volumes',
      withSpec({ blockDeviceMappings: [{ rootVolume: true }, { rootVolume: true }] }),
      ['rejected spec.blockDeviceMappings'],
    ],
  ])('is invalid with %s', (_, spec, expected) => {
    expect(summary(checkEc2NodeClassSpec(spec))).toEqual(expected);
  });

  test('is accepted without network interfaces, and with the primary interface', () => {
    const primary = { networkCardIndex: 0, deviceIndex: 0, interfaceType: 'interface' };
    expect(checkEc2NodeClassSpec(withSpec({ networkInterfaces: [] }))).toEqual([]);
    expect(
      checkEc2NodeClassSpec(
        withSpec({ networkInterfaces: [primary, { networkCardIndex: 0, deviceIndex: 1, interfaceType: 'efa-only' }] }),
      ),
    ).toEqual([]);
  });

  test.each([
    ['a card and device twice', [0, 0, 'interface'], 'rejected spec.networkInterfaces[1]'],
    ['a second efa-only interface of a card', [1, 2, 'efa-only'], 'rejected spec.networkInterfaces[2]'],
    ['a card below 0', [-1, 0, 'interface'], 'rejected spec.networkInterfaces[1].networkCardIndex'],
    ['an interface type that is no more', [2, 0, 'efa'], 'rejected spec.networkInterfaces[1].interfaceType'],
  ])('is invalid with %s', (_, [networkCardIndex, deviceIndex, interfaceType], expected) => {
    const known = [
      { networkCardIndex: 0, deviceIndex: 0, interfaceType: 'interface' },
      { networkCardIndex: 1, deviceIndex: 1, interfaceType: 'efa-only' },
    ];
    const added = { networkCardIndex, deviceIndex, interfaceType };
    const networkInterfaces = interfaceType === 'efa-only' ? [...known, added] : [known[0], added];
    expect(summary(checkEc2NodeClassSpec(withSpec({ networkInterfaces })))).toEqual([expected]);
  });

  test('is accepted with the family Custom and an alias', () => {
    expect(checkEc2NodeClassSpec(withSpec({ amiFamily: 'Custom' }))).toEqual([]);
  });
});

describe('volume size', () => {
  test.each([
    ['60GB', 'write 60G or 60Gi', false, '60G'],
    ['30 Gi', 'write 30Gi', true, '30Gi'],
    ['1.5TB', 'write 1500G or 1536Gi', false, '1500G'],
    ['1.5Ti', 'write 1536Gi', true, '1536Gi'],
    ['18Ti', 'write 18432Gi', true, '18432Gi'],
    ['60', 'write 60Gi or 60G', false, '60Gi'],
    ['100gib', 'write 100Gi', true, '100Gi'],
  ])('corrects the volume size %s', (volumeSize, remedy, safe, value) => {
    const path = ['spec', 'blockDeviceMappings', 0, 'ebs', 'volumeSize'];
    expect(checkEc2NodeClassSpec(withVolume({ volumeSize }))).toMatchObject([
      { remedy, fix: { safe, edits: [{ operation: 'set', path, value }] } },
    ]);
  });

  test.each(['0.5Gi', '10 stones', '70000Gi', 'x'])('has no correction for the volume size %s', (volumeSize) => {
    const [{ remedy, fix }] = checkEc2NodeClassSpec(withVolume({ volumeSize }));
    expect(remedy).toContain('write for example 30Gi');
    expect(fix).toBeUndefined();
  });

  test.each(['1Gi', '59000Gi', '64000G', '17Ti', '58Ti', '64T'])('accepts %s', (volumeSize) => {
    expect(checkEc2NodeClassSpec(withVolume({ volumeSize }))).toEqual([]);
  });

  test.each(['0Gi', '59001Gi', '64001G', '1.5Gi', '500Mi', '18Ti', '30', '30gi', ' 30Gi'])(
    'rejects "%s"',
    (volumeSize) => {
      expect(summary(checkEc2NodeClassSpec(withVolume({ volumeSize })))).toEqual([
        'rejected spec.blockDeviceMappings[0].ebs.volumeSize',
      ]);
    },
  );

  test('is not ready with only a unit, which matches the pattern but cannot be decoded', () => {
    expect(summary(checkEc2NodeClassSpec(withVolume({ volumeSize: 'Ti' })))).toEqual([
      'not-ready spec.blockDeviceMappings[0].ebs.volumeSize',
    ]);
  });
});

describe('volume', () => {
  test.each([
    ['neither size nor snapshot', {}, ['rejected volumeSize']],
    [
      'an initialisation rate without a snapshot',
      { volumeSize: '1Gi', volumeInitializationRate: 100 },
      ['rejected snapshotID'],
    ],
    ['an unknown type', { volumeSize: '1Gi', volumeType: 'gp4' }, ['rejected volumeType']],
    ['a key but no encryption', { volumeSize: '1Gi', kmsKeyID: 'k' }, ['launch-fails encrypted']],
    ['throughput on gp2', { volumeSize: '1Gi', volumeType: 'gp2', throughput: 125 }, ['launch-fails throughput']],
    ['IOPS without a type, which the AMI can have', { volumeSize: '1Gi', iops: 3000 }, ['misread iops']],
    ['too few IOPS for gp3', { volumeSize: '1Gi', volumeType: 'gp3', iops: 100 }, ['launch-fails iops']],
    ['IOPS with a fraction', { volumeSize: '1Gi', volumeType: 'gp3', iops: 3000.5 }, ['rejected iops']],
  ])('is invalid with %s', (_, ebs, expected) => {
    expect(summary(checkEc2NodeClassSpec(withVolume(ebs)))).toEqual(
      expected.map((line) => line.replace(' ', ' spec.blockDeviceMappings[0].ebs.')),
    );
  });
});

describe('kubelet settings', () => {
  test('are accepted with quantities, percentages, and an expression for maxPods', () => {
    const kubelet = {
      maxPods: 'vcpus * 10',
      evictionHard: { 'memory.available': '5%', 'nodefs.available': '1Gi' },
      evictionSoft: { 'memory.available': '10.5%' },
      evictionSoftGracePeriod: { 'memory.available': '1m30s' },
      kubeReserved: { cpu: '100m', memory: 'memory_mib / 20' },
      imageGCHighThresholdPercent: 85,
      imageGCLowThresholdPercent: 80,
    };
    expect(checkEc2NodeClassSpec(withSpec({ kubelet }))).toEqual([]);
  });

  test.each([
    ['negative maxPods', { maxPods: -1 }, ['not-ready spec.kubelet.maxPods']],
    ['a fraction of a pod', { podsPerCore: 1.5 }, ['not-ready spec.kubelet.podsPerCore']],
    [
      'an unknown signal',
      { evictionHard: { 'memory.free': '5%' } },
      ['not-ready spec.kubelet.evictionHard["memory.free"]'],
    ],
    [
      'a threshold over 100%',
      { evictionHard: { 'memory.available': '101%' } },
      ['not-ready spec.kubelet.evictionHard["memory.available"]'],
    ],
    [
      'a threshold that is no text',
      { evictionHard: { 'memory.available': 5 } },
      ['not-ready spec.kubelet.evictionHard["memory.available"]'],
    ],
    [
      'a soft threshold without its grace period',
      { evictionSoft: { 'memory.available': '5%' } },
      ['not-ready spec.kubelet.evictionSoft["memory.available"]'],
    ],
    [
      'a grace period that is no duration',
      { evictionSoft: { 'pid.available': '5%' }, evictionSoftGracePeriod: { 'pid.available': '30' } },
      ['not-ready spec.kubelet.evictionSoftGracePeriod["pid.available"]'],
    ],
    ['a reservation of pods', { systemReserved: { pods: '5' } }, ['not-ready spec.kubelet.systemReserved.pods']],
    ['a negative reservation', { kubeReserved: { cpu: '-1' } }, ['not-ready spec.kubelet.kubeReserved.cpu']],
    [
      'image thresholds the wrong way round',
      { imageGCHighThresholdPercent: 70, imageGCLowThresholdPercent: 80 },
      ['not-ready spec.kubelet.imageGCHighThresholdPercent'],
    ],
    ['taints, which Karpenter sets', { registerWithTaints: [] }, ['not-ready spec.kubelet.registerWithTaints']],
  ])('are invalid with %s', (_, kubelet, expected) => {
    expect(summary(checkEc2NodeClassSpec(withSpec({ kubelet })))).toEqual(expected);
  });
});

describe('kubelet settings by AMI family', () => {
  const kubelet = { podsPerCore: 10, registryPullQPS: 10, clusterDNS: ['10.0.0.10', 'fd00::a'] };

  test.each([
    ['AL2023', []],
    ['Custom', []],
    ['AL2', ['registryPullQPS', 'clusterDNS']],
    ['Windows2022', ['registryPullQPS', 'clusterDNS']],
    ['Bottlerocket', ['podsPerCore', 'registryPullQPS', 'clusterDNS']],
  ])('are checked for %s', (amiFamily, rejectedFields) => {
    const spec = withSpec({ amiSelectorTerms: [{ id: 'ami-1' }], amiFamily, kubelet });
    expect(summary(checkEc2NodeClassSpec(spec))).toEqual(
      rejectedFields.map((field) => `not-ready spec.kubelet.${field}`),
    );
  });

  test('follow the alias if amiFamily is not set', () => {
    const spec = withSpec({ amiSelectorTerms: [{ alias: 'bottlerocket@latest' }], kubelet: { podsPerCore: 1 } });
    expect(summary(checkEc2NodeClassSpec(spec))).toEqual(['not-ready spec.kubelet.podsPerCore']);
  });
});
