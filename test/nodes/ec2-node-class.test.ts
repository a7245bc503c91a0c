import { ApiObject, JsonPatch, Size } from 'cdk8s';
import { newChart, NODE_CLASS, specOf } from './fixtures';
import * as nodes from '../../src/nodes';

const { AmiFamily, AmiSelectorTerm, EC2NodeClass, SecurityGroupSelectorTerm, SubnetSelectorTerm, VolumeType } = nodes;

function written(props: Partial<nodes.EC2NodeClassProps>): any {
  const chart = newChart();
  new EC2NodeClass(chart, 'class', { ...NODE_CLASS, ...props });
  return specOf(chart, 'EC2NodeClass');
}

const deviceWith = (ebs: nodes.EbsVolume) => ({ blockDeviceMappings: [{ deviceName: '/dev/xvda', ebs }] });

describe('EC2NodeClass', () => {
  test('requires IMDSv2 by default', () => {
    expect(written({}).metadataOptions).toEqual({
      httpEndpoint: 'enabled',
      httpProtocolIPv6: 'disabled',
      httpPutResponseHopLimit: 1,
      httpTokens: 'required',
    });
    const metadataOptions = {
      httpEndpointEnabled: false,
      httpTokensRequired: false,
      httpProtocolIpv6Enabled: true,
      httpPutResponseHopLimit: 2,
    };
    expect(written({ metadataOptions }).metadataOptions).toEqual({
      httpEndpoint: 'disabled',
      httpProtocolIPv6: 'enabled',
      httpPutResponseHopLimit: 2,
      httpTokens: 'optional',
    });
  });

  test('encrypts volumes, of type gp3, and deletes them with the node', () => {
    expect(written(deviceWith({ volumeSize: Size.gibibytes(30) })).blockDeviceMappings[0].ebs).toEqual({
      volumeSize: '30Gi',
      volumeType: 'gp3',
      encrypted: true,
      deleteOnTermination: true,
    });
  });

  test('does not set encryption for a volume from a snapshot, unless a key is given', () => {
    expect(written(deviceWith({ snapshotId: 'snap-1' })).blockDeviceMappings[0].ebs).not.toHaveProperty('encrypted');
    expect(
      written(deviceWith({ snapshotId: 'snap-1', kmsKeyId: 'alias/nodes' })).blockDeviceMappings[0].ebs,
    ).toMatchObject({ encrypted: true, kmsKeyID: 'alias/nodes' });
  });

  test.each([
    [AmiSelectorTerm.al2('v20250915'), 'al2@v20250915'],
    [AmiSelectorTerm.al2023('latest'), 'al2023@latest'],
    [AmiSelectorTerm.bottlerocket('v1.40.0'), 'bottlerocket@v1.40.0'],
    [AmiSelectorTerm.windows2019(), 'windows2019@latest'],
    [AmiSelectorTerm.windows2022(), 'windows2022@latest'],
    [AmiSelectorTerm.windows2025(), 'windows2025@latest'],
  ])('%#: selects an image by alias', (term, alias) => {
    expect(written({ amiSelectorTerms: [term] }).amiSelectorTerms).toEqual([{ alias }]);
  });

  test('selects images, subnets and security groups by terms', () => {
    const spec = written({
      amiFamily: AmiFamily.BOTTLEROCKET,
      amiSelectorTerms: [
        AmiSelectorTerm.byId('ami-0123456789abcdef1'),
        AmiSelectorTerm.byName('node-*', { owner: 'self', tags: { team: 'a' } }),
        AmiSelectorTerm.byTags({ team: '*' }, { owner: 'amazon' }),
        AmiSelectorTerm.bySsmParameter('/ami/node'),
      ],
      subnetSelectorTerms: [
        SubnetSelectorTerm.byId('subnet-0123456789abcdef1'),
        SubnetSelectorTerm.byTags({ tier: 'private' }),
      ],
      securityGroupSelectorTerms: [
        SecurityGroupSelectorTerm.byId('sg-0123456789abcdef1'),
        SecurityGroupSelectorTerm.byName('nodes'),
        SecurityGroupSelectorTerm.byTags({ tier: 'private' }),
      ],
    });
    expect(spec.amiFamily).toBe('Bottlerocket');
    expect(spec.amiSelectorTerms).toEqual([
      { id: 'ami-0123456789abcdef1' },
      { name: 'node-*', owner: 'self', tags: { team: 'a' } },
      { tags: { team: '*' }, owner: 'amazon' },
      { ssmParameter: '/ami/node' },
    ]);
    expect(spec.subnetSelectorTerms).toEqual([{ id: 'subnet-0123456789abcdef1' }, { tags: { tier: 'private' } }]);
    expect(spec.securityGroupSelectorTerms).toEqual([
      { id: 'sg-0123456789abcdef1' },
      { name: 'nodes' },
      { tags: { tier: 'private' } },
    ]);
  });

  test('selects capacity reservations by terms', () => {
    const { CapacityReservationSelectorTerm: Term, InstanceMatchCriteria } = nodes;
    expect(
      written({
        capacityReservationSelectorTerms: [
          Term.byId('cr-0123456789abcdef1'),
          Term.byTags(
            { team: 'a' },
            { ownerId: '111122223333', instanceMatchCriteria: InstanceMatchCriteria.TARGETED },
          ),
          Term.byInstanceMatchCriteria(InstanceMatchCriteria.OPEN, { ownerId: '111122223333' }),
        ],
      }).capacityReservationSelectorTerms,
    ).toEqual([
      { id: 'cr-0123456789abcdef1' },
      { tags: { team: 'a' }, ownerID: '111122223333', instanceMatchCriteria: 'targeted' },
      { ownerID: '111122223333', instanceMatchCriteria: 'open' },
    ]);
  });

  test('writes disks with every EBS setting', () => {
    const ebs = {
      volumeSize: Size.gibibytes(100),
      volumeType: VolumeType.IO2,
      iops: 4000,
      encrypted: true,
      kmsKeyId: 'alias/nodes',
      snapshotId: 'snap-1',
      deleteOnTermination: false,
      volumeInitializationRate: 200,
    };
    expect(
      written({
        blockDeviceMappings: [
          { deviceName: '/dev/xvda', rootVolume: true, ebs },
          { deviceName: '/dev/xvdb', ebs: { volumeSize: Size.gibibytes(1), throughput: 250 } },
        ],
      }).blockDeviceMappings,
    ).toEqual([
      {
        deviceName: '/dev/xvda',
        rootVolume: true,
        ebs: {
          volumeSize: '100Gi',
          volumeType: 'io2',
          iops: 4000,
          encrypted: true,
          kmsKeyID: 'alias/nodes',
          snapshotID: 'snap-1',
          deleteOnTermination: false,
          volumeInitializationRate: 200,
        },
      },
      {
        deviceName: '/dev/xvdb',
        ebs: { volumeSize: '1Gi', volumeType: 'gp3', throughput: 250, encrypted: true, deleteOnTermination: true },
      },
    ]);
  });

  test('writes fields of newer releases by a JSON patch', () => {
    const chart = newChart();
    new EC2NodeClass(chart, 'class', NODE_CLASS).addJsonPatch(JsonPatch.add('/spec/newField', { on: true }));
    expect(specOf(chart, 'EC2NodeClass').newField).toEqual({ on: true });
  });

  test('writes options that are set to false', () => {
    expect(written({ nestedVirtualization: false, nitroEnclaves: false })).toMatchObject({
      cpuOptions: { nestedVirtualization: 'disabled' },
      enclaveOptions: { enabled: false },
    });
  });

  test('has methods that add to its collections, and getters that return copies', () => {
    const chart = newChart();
    const nodeClass = new EC2NodeClass(chart, 'class', NODE_CLASS);
    nodeClass.addSubnetSelectorTerms(SubnetSelectorTerm.byId('subnet-0123456789abcdef1'));
    nodeClass.addSecurityGroupSelectorTerms(SecurityGroupSelectorTerm.byId('sg-0123456789abcdef1'));
    nodeClass.addBlockDevices({
      deviceName: '/dev/xvdb',
      ebs: { volumeSize: Size.tebibytes(1), volumeType: VolumeType.ST1 },
    });
    nodeClass.addCapacityReservationSelectorTerms(nodes.CapacityReservationSelectorTerm.byId('cr-0123456789abcdef1'));
    nodeClass.addNetworkInterfaces({ networkCardIndex: 0, deviceIndex: 0 });
    nodeClass.addTag('team', 'a');
    nodeClass.capacityReservationSelectorTerms.length = 0;
    nodeClass.networkInterfaces.length = 0;
    nodeClass.subnetSelectorTerms.length = 0;
    nodeClass.securityGroupSelectorTerms.length = 0;
    nodeClass.blockDeviceMappings.length = 0;
    Object.assign(nodeClass.tags, { more: '1' });

    const spec = specOf(chart, 'EC2NodeClass');
    expect([spec.subnetSelectorTerms.length, spec.securityGroupSelectorTerms.length]).toEqual([2, 2]);
    expect([spec.capacityReservationSelectorTerms.length, spec.networkInterfaces.length]).toEqual([1, 1]);
    expect(spec.blockDeviceMappings[0].ebs).toMatchObject({ volumeSize: '1024Gi', volumeType: 'st1' });
    expect(spec.tags).toEqual({ team: 'a' });
  });

  test('adds AMI terms, unless it has an alias', () => {
    const chart = newChart();
    const byId = { amiFamily: AmiFamily.AL2023, amiSelectorTerms: [AmiSelectorTerm.byId('ami-0123456789abcdef1')] };
    const nodeClass = new EC2NodeClass(chart, 'class', { ...NODE_CLASS, ...byId });
    nodeClass.addAmiSelectorTerms(AmiSelectorTerm.byId('ami-0123456789abcdef2'));
    nodeClass.amiSelectorTerms.length = 0;
    expect(specOf(chart, 'EC2NodeClass').amiSelectorTerms).toEqual([
      { id: 'ami-0123456789abcdef1' },
      { id: 'ami-0123456789abcdef2' },
    ]);
    expect(() =>
      new EC2NodeClass(chart, 'alias', NODE_CLASS).addAmiSelectorTerms(AmiSelectorTerm.byId('ami-0123456789abcdef1')),
    ).toThrow('chart/alias/spec.amiSelectorTerms: must have no other term if one term has an alias, got [{');
  });

  test('that is imported has a name, but writes no object', () => {
    const chart = newChart();
    const imported = EC2NodeClass.fromEC2NodeClassName(chart, 'class', 'shared');
    expect([imported.name, imported.group, imported.kind]).toEqual(['shared', 'karpenter.k8s.aws', 'EC2NodeClass']);
    expect(chart.node.findAll().filter(ApiObject.isApiObject)).toEqual([]);
  });
});

describe('EC2NodeClass with invalid props', () => {
  test.each<[string, Partial<nodes.EC2NodeClassProps>, string]>([
    [
      'no image',
      { amiSelectorTerms: [] },
      'chart/class/spec.amiSelectorTerms: must have at least 1 terms, got 0; add terms',
    ],
    [
      'no subnets',
      { subnetSelectorTerms: [] },
      'chart/class/spec.subnetSelectorTerms: must have at least one term, got []',
    ],
    [
      'a volume of half a GiB',
      deviceWith({ volumeSize: Size.mebibytes(512) }),
      'chart/class/spec.blockDeviceMappings[0].ebs.volumeSize: must be a whole number of Gi (1 to 59000), G (1 to 64000), Ti or T, got "0.5Gi"; write for example 30Gi',
    ],
    [
      'a key without encryption',
      deviceWith({ volumeSize: Size.gibibytes(1), kmsKeyId: 'k', encrypted: false }),
      'chart/class/spec.blockDeviceMappings[0].ebs.encrypted: must be true if kmsKeyID is set, got false; write true',
    ],
    [
      'a tag of Karpenter',
      { tags: { 'karpenter.sh/nodepool': 'x' } },
      'chart/class/spec.tags["karpenter.sh/nodepool"]: must not be a tag that Karpenter sets itself',
    ],
    [
      'interfaces without the primary one',
      { networkInterfaces: [{ networkCardIndex: 1, deviceIndex: 0 }] },
      'chart/class/spec.networkInterfaces: must have the primary interface',
    ],
    [
      'no timeout to track connections by',
      { connectionTracking: {} },
      'chart/class/spec.connectionTracking: must have at least one timeout, got {}',
    ],
  ])('rejects %s', (_, props, message) => {
    expect(() => written(props)).toThrow(message);
  });
});
