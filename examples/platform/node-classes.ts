import { Duration, Size } from 'cdk8s';
import { Construct } from 'constructs';
import { nodes } from '../../src';

const {
  AmiFamily,
  AmiSelectorTerm,
  CapacityReservationSelectorTerm,
  EC2NodeClass,
  KubeletSetting,
  NodeIdentity,
  VolumeType,
} = nodes;

const ACCOUNT = '111122223333';
const KEY = `arn:aws:kms:eu-west-1:${ACCOUNT}:key/1234abcd-12ab-34cd-56ef-1234567890ab`;

/** Where every node of the cluster is launched. */
const NETWORK = {
  subnetSelectorTerms: [
    nodes.SubnetSelectorTerm.byDiscoveryTag('platform'),
    nodes.SubnetSelectorTerm.byId('subnet-0123456789abcdef0'),
  ],
  securityGroupSelectorTerms: [
    nodes.SecurityGroupSelectorTerm.byDiscoveryTag('platform'),
    nodes.SecurityGroupSelectorTerm.byName('platform-nodes'),
    nodes.SecurityGroupSelectorTerm.byId('sg-0123456789abcdef0'),
  ],
};

/** The few nodes that are always there: Bottlerocket, whose second disk holds images and the data of pods. */
export function systemNodes(scope: Construct): nodes.EC2NodeClass {
  return new EC2NodeClass(scope, 'SystemNodes', {
    ...NETWORK,
    metadata: { name: 'system' },
    amiSelectorTerms: [AmiSelectorTerm.bottlerocket('v1.49.0')],
    identity: NodeIdentity.role('KarpenterNodeRole-platform'),
    blockDeviceMappings: [
      { deviceName: '/dev/xvda', ebs: { volumeSize: Size.gibibytes(4) } },
      {
        deviceName: '/dev/xvdb',
        rootVolume: true,
        ebs: { volumeSize: Size.gibibytes(50), encrypted: true, kmsKeyId: KEY },
      },
    ],
    metadataOptions: {
      httpEndpointEnabled: true,
      httpProtocolIpv6Enabled: false,
      httpPutResponseHopLimit: 1,
      httpTokensRequired: true,
    },
    userData: nodes.UserData.bottlerocket({ kernel: { lockdown: nodes.BottlerocketSetting.text('integrity') } }),
  });
}

/** What serves requests: many small pods, on any disks that an instance type brings along. */
export function webNodes(scope: Construct): nodes.EC2NodeClass {
  const nodeClass = new EC2NodeClass(scope, 'WebNodes', {
    ...NETWORK,
    metadata: { name: 'web' },
    amiSelectorTerms: [AmiSelectorTerm.al2023('v20250915')],
    identity: NodeIdentity.role('KarpenterNodeRole-platform'),
    associatePublicIpAddress: false,
    ipPrefixCount: 1,
    connectionTracking: {
      tcpEstablishedTimeout: Duration.minutes(10),
      udpStreamTimeout: Duration.seconds(90),
      udpTimeout: Duration.seconds(30),
    },
    detailedMonitoring: true,
    instanceStorePolicy: nodes.InstanceStorePolicy.RAID0,
    tags: { team: 'web' },
    kubelet: {
      clusterDns: ['10.100.0.10', 'fd00:10:100::a'],
      maxPods: nodes.MaxPods.count(110),
      podsPerCore: 20,
      systemReserved: { cpu: '50m', memory: '100Mi' },
      kubeReserved: { cpu: '80m', memory: '400Mi', 'ephemeral-storage': '1Gi', pid: '1000' },
      evictionHard: { 'memory.available': '100Mi', 'nodefs.available': '10%' },
      evictionSoft: { 'memory.available': '5%' },
      evictionSoftGracePeriod: { 'memory.available': Duration.minutes(2) },
      evictionMaxPodGracePeriod: Duration.minutes(1),
      imageGcHighThresholdPercent: 80,
      imageGcLowThresholdPercent: 70,
      cpuCfsQuota: true,
      other: { registryPullQPS: KubeletSetting.number(20), serializeImagePulls: KubeletSetting.flag(false) },
    },
  });
  nodeClass.addTag('cost-centre', '4711');
  return nodeClass;
}

/** Accelerated instances in reserved capacity, close to each other, with a fast network between them. */
export function trainingNodes(scope: Construct): nodes.EC2NodeClass {
  return new EC2NodeClass(scope, 'TrainingNodes', {
    ...NETWORK,
    metadata: { name: 'training' },
    amiFamily: AmiFamily.AL2023,
    amiSelectorTerms: [
      AmiSelectorTerm.byTags({ purpose: 'training' }, { owner: 'self' }),
      AmiSelectorTerm.byName('amazon-eks-node-al2023-x86_64-nvidia-1.34-v20250915', { owner: 'amazon' }),
      AmiSelectorTerm.byId('ami-0123456789abcdef0'),
      AmiSelectorTerm.bySsmParameter('/platform/ami/training'),
    ],
    identity: NodeIdentity.instanceProfile('KarpenterNodeInstanceProfile-training'),
    capacityReservationSelectorTerms: [
      CapacityReservationSelectorTerm.byId('cr-0123456789abcdef0'),
      CapacityReservationSelectorTerm.byTags(
        { purpose: 'training' },
        { ownerId: ACCOUNT, instanceMatchCriteria: nodes.InstanceMatchCriteria.TARGETED },
      ),
    ],
    placementGroupSelector: nodes.PlacementGroupSelector.byName('training'),
    networkInterfaces: [
      { networkCardIndex: 0, deviceIndex: 0, interfaceType: nodes.NetworkInterfaceType.INTERFACE },
      { networkCardIndex: 1, deviceIndex: 1, interfaceType: nodes.NetworkInterfaceType.EFA_ONLY },
    ],
    blockDeviceMappings: [
      {
        deviceName: '/dev/xvda',
        ebs: { volumeSize: Size.gibibytes(200), volumeType: VolumeType.GP3, iops: 6000, throughput: 500 },
      },
      // Models that every node begins with.
      {
        deviceName: '/dev/xvdf',
        ebs: { snapshotId: 'snap-0123456789abcdef0', volumeInitializationRate: 300, deleteOnTermination: true },
      },
    ],
  });
}

/** Builds in virtual machines and enclaves, on an image that sets itself up. */
export function sandboxNodes(scope: Construct): nodes.EC2NodeClass {
  return new EC2NodeClass(scope, 'SandboxNodes', {
    ...NETWORK,
    metadata: { name: 'sandbox' },
    amiFamily: AmiFamily.CUSTOM,
    amiSelectorTerms: [AmiSelectorTerm.byTags({ purpose: 'sandbox' })],
    identity: NodeIdentity.role('KarpenterNodeRole-platform'),
    placementGroupSelector: nodes.PlacementGroupSelector.byId('pg-0123456789abcdef0'),
    nestedVirtualization: true,
    nitroEnclaves: true,
    context: 'sandbox',
    userData: nodes.UserData.shellScript('/opt/sandbox/join-cluster platform'),
  });
}
