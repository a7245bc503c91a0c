/**
 * The Go types that Karpenter hashes: their fields in order, including the fields that the hash ignores.
 *
 * Sources: pkg/apis/v1/nodepool.go, nodeclaim.go and duration.go of Karpenter 1.15.0; pkg/apis/v1/ec2nodeclass.go of
 * Karpenter for AWS 1.15.1; Taint of k8s.io/api/core/v1 and Time of k8s.io/apimachinery/pkg/apis/meta/v1.
 */
import { GoField, GoStruct, GoType } from './struct-hash';

const STRING: GoType = { kind: 'string' };
const BOOL: GoType = { kind: 'bool' };
const INT32: GoType = { kind: 'int32' };
const INT64: GoType = { kind: 'int64' };
const STRING_MAP: GoType = { kind: 'stringMap' };
/** The type of ignored fields does not matter. */
const ANY: GoType = { kind: 'string' };

const TIME = struct('Time', { ...field('Time', { kind: 'time' }), inline: true });

const TAINTS: GoType = {
  kind: 'list',
  of: struct(
    'Taint',
    field('Key', STRING),
    field('Value', STRING),
    field('Effect', STRING),
    pointer('TimeAdded', TIME),
  ),
};

const DURATION = struct('Duration', { ...field('Duration', { kind: 'nanoseconds' }), inline: true });
const NILLABLE_DURATION = struct('NillableDuration', { ...pointer('Duration', { kind: 'nanoseconds' }), inline: true });

/** `spec.template` of a NodePool. */
export const NODE_CLAIM_TEMPLATE = struct(
  'NodeClaimTemplate',
  {
    ...field('ObjectMeta', struct('ObjectMeta', field('Labels', STRING_MAP), field('Annotations', STRING_MAP))),
    key: 'metadata',
  },
  field(
    'Spec',
    struct(
      'NodeClaimTemplateSpec',
      field('Taints', TAINTS),
      field('StartupTaints', TAINTS),
      ignored('Requirements'),
      pointer(
        'NodeClassRef',
        struct('NodeClassReference', field('Kind', STRING), field('Name', STRING), field('Group', STRING)),
      ),
      pointer('TerminationGracePeriod', DURATION),
      field('ExpireAfter', NILLABLE_DURATION),
    ),
  ),
);

const BLOCK_DEVICE = struct(
  'BlockDevice',
  pointer('DeleteOnTermination', BOOL),
  pointer('Encrypted', BOOL),
  { ...pointer('IOPS', INT64), key: 'iops' },
  { ...pointer('KMSKeyID', STRING), key: 'kmsKeyID' },
  pointer('SnapshotID', STRING),
  pointer('Throughput', INT64),
  pointer('VolumeInitializationRate', INT32),
  pointer('VolumeSize', { kind: 'quantity' }),
  pointer('VolumeType', STRING),
);

/** `spec` of an EC2NodeClass. */
export const EC2_NODE_CLASS_SPEC = struct(
  'EC2NodeClassSpec',
  ignored('SubnetSelectorTerms'),
  ignored('SecurityGroupSelectorTerms'),
  ignored('CapacityReservationSelectorTerms'),
  pointer(
    'PlacementGroupSelector',
    struct('PlacementGroupSelector', pointer('Name', STRING), { ...pointer('ID', STRING), key: 'id' }),
  ),
  pointer('AssociatePublicIPAddress', BOOL),
  { ...ignored('IPPrefixCount'), key: 'ipPrefixCount' },
  { ...ignored('AMISelectorTerms'), key: 'amiSelectorTerms' },
  { ...ignored('AMIFamily'), key: 'amiFamily' },
  pointer('UserData', STRING),
  field('Role', STRING),
  pointer('InstanceProfile', STRING),
  field('Tags', STRING_MAP),
  ignored('Kubelet'),
  field('BlockDeviceMappings', {
    kind: 'list',
    of: struct(
      'BlockDeviceMapping',
      pointer('DeviceName', STRING),
      { ...pointer('EBS', BLOCK_DEVICE), key: 'ebs' },
      field('RootVolume', BOOL),
    ),
  }),
  pointer('InstanceStorePolicy', STRING),
  field('NetworkInterfaces', {
    kind: 'list',
    of: struct(
      'NetworkInterface',
      field('NetworkCardIndex', INT32),
      field('DeviceIndex', INT32),
      field('InterfaceType', STRING),
    ),
  }),
  pointer('DetailedMonitoring', BOOL),
  pointer(
    'MetadataOptions',
    struct(
      'MetadataOptions',
      { ...pointer('HTTPEndpoint', STRING), key: 'httpEndpoint' },
      { ...pointer('HTTPProtocolIPv6', STRING), key: 'httpProtocolIPv6' },
      { ...pointer('HTTPPutResponseHopLimit', INT64), key: 'httpPutResponseHopLimit' },
      { ...pointer('HTTPTokens', STRING), key: 'httpTokens' },
    ),
  ),
  pointer('EnclaveOptions', struct('EnclaveOptions', field('Enabled', BOOL))),
  pointer(
    'ConnectionTracking',
    struct(
      'ConnectionTracking',
      { ...pointer('TCPEstablishedTimeout', INT32), key: 'tcpEstablishedTimeout' },
      { ...pointer('UDPStreamTimeout', INT32), key: 'udpStreamTimeout' },
      { ...pointer('UDPTimeout', INT32), key: 'udpTimeout' },
    ),
  ),
  pointer('Context', STRING),
  { ...pointer('CPUOptions', struct('CPUOptions', pointer('NestedVirtualization', STRING))), key: 'cpuOptions' },
);

function struct(name: string, ...fields: readonly GoField[]): GoStruct {
  return { kind: 'struct', name, fields };
}

function field(name: string, type: GoType): GoField {
  return { name, type };
}

function pointer(name: string, type: GoType): GoField {
  return { name, type, pointer: true };
}

function ignored(name: string): GoField {
  return { name, type: ANY, ignored: true };
}
