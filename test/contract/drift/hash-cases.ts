/** Manifests by name. Their hashes were recorded from Karpenter, with the API server's defaults. */
import { KIND_APIS, NEWEST_KARPENTER_VERSION } from '../../../src/contract';
import { findKind, kindsOf, pruneAndDefault } from '../../../src/contract/schema';

type Manifest = Readonly<Record<string, unknown>>;

/** Any string: Karpenter hashes it unchanged. */
export const CA_BUNDLE = 'LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCg==';

const REF = { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'main' };
const REQUIREMENTS = [{ key: 'karpenter.sh/capacity-type', operator: 'In', values: ['spot'] }];

export function nodePool(template: Manifest = {}, spec: Manifest = {}): Manifest {
  const { metadata, ...more } = template;
  return {
    apiVersion: 'karpenter.sh/v1',
    kind: 'NodePool',
    metadata: { name: 'default' },
    spec: {
      template: { ...(metadata ? { metadata } : {}), spec: { nodeClassRef: REF, requirements: REQUIREMENTS, ...more } },
      ...spec,
    },
  };
}

export function nodeClass(spec: Manifest = {}): Manifest {
  return {
    apiVersion: 'karpenter.k8s.aws/v1',
    kind: 'EC2NodeClass',
    metadata: { name: 'main' },
    spec: {
      role: 'nodes',
      amiSelectorTerms: [{ alias: 'al2023@latest' }],
      subnetSelectorTerms: [{ tags: { cluster: 'shop' } }],
      securityGroupSelectorTerms: [{ tags: { cluster: 'shop' } }],
      ...spec,
    },
  };
}

export const NODE_POOLS: Readonly<Record<string, Manifest>> = {
  plain: nodePool(),
  'another node class': nodePool({ nodeClassRef: { ...REF, name: 'other' } }),
  'a label': nodePool({ metadata: { labels: { team: 'a' } } }),
  'labels and annotations': nodePool({
    metadata: { labels: { team: 'a', tier: 'web' }, annotations: { note: 'räum auf' } },
  }),
  'no labels in metadata': nodePool({ metadata: {} }),
  'empty labels': nodePool({ metadata: { labels: {} } }),
  'a taint': nodePool({ taints: [{ key: 'a', value: 'b', effect: 'NoSchedule' }] }),
  'two taints': nodePool({
    taints: [
      { key: 'a', effect: 'NoSchedule' },
      { key: 'b', effect: 'NoExecute' },
    ],
  }),
  'two taints the other way round': nodePool({
    taints: [
      { key: 'b', effect: 'NoExecute' },
      { key: 'a', effect: 'NoSchedule' },
    ],
  }),
  'the same taint twice': nodePool({
    taints: [
      { key: 'a', effect: 'NoSchedule' },
      { key: 'a', effect: 'NoSchedule' },
    ],
  }),
  'a taint with a time': nodePool({ taints: [{ key: 'a', effect: 'NoExecute', timeAdded: '2026-01-02T03:04:05Z' }] }),
  'a taint with a part of a second, elsewhere': nodePool({
    taints: [{ key: 'a', effect: 'NoExecute', timeAdded: '2026-01-02T05:04:05.25+02:00' }],
  }),
  'no taints in a list': nodePool({ taints: [] }),
  'a startup taint': nodePool({ startupTaints: [{ key: 'a', value: 'b', effect: 'NoSchedule' }] }),
  'other requirements': nodePool({ requirements: [{ key: 'team', operator: 'Exists', minValues: 2 }] }),
  'nodes that never expire': nodePool({ expireAfter: 'Never' }),
  'nodes that expire in no time': nodePool({ expireAfter: '0s' }),
  'a day in minutes': nodePool({ expireAfter: '1440m' }),
  'a day in hours': nodePool({ expireAfter: '24h' }),
  'a grace period': nodePool({ terminationGracePeriod: '1h30m' }),
  'no grace period at all': nodePool({ terminationGracePeriod: '0s' }),
  'all that is not the template': nodePool(
    {},
    {
      weight: 10,
      limits: { cpu: '100' },
      disruption: { consolidateAfter: '1m', budgets: [{ nodes: '1', schedule: '@daily', duration: '1h' }] },
    },
  ),
};

const EBS = { volumeSize: '100Gi', volumeType: 'gp3', encrypted: true };

export const NODE_CLASSES: Readonly<Record<string, Manifest>> = {
  plain: nodeClass(),
  'an instance profile': nodeClass({ role: undefined, instanceProfile: 'nodes' }),
  'a family instead of an alias': nodeClass({ amiFamily: 'AL2023' }),
  'images of its own': nodeClass({ amiFamily: 'Custom', amiSelectorTerms: [{ id: 'ami-0123456789abcdef0' }] }),
  Bottlerocket: nodeClass({ amiSelectorTerms: [{ alias: 'bottlerocket@latest' }] }),
  'another image of the family': nodeClass({ amiSelectorTerms: [{ alias: 'al2023@v20240807' }] }),
  'other subnets and security groups': nodeClass({
    subnetSelectorTerms: [{ id: 'subnet-0123456789abcdef0' }],
    securityGroupSelectorTerms: [{ name: 'nodes' }],
    capacityReservationSelectorTerms: [{ ownerID: '111122223333', tags: { a: 'b' } }],
    ipPrefixCount: 2,
  }),
  'user data': nodeClass({ userData: '#!/bin/bash\necho "grüß dich"\n' }),
  'user data that is empty': nodeClass({ userData: '' }),
  tags: nodeClass({ tags: { team: 'a', tier: 'web' } }),
  'no tags in a map': nodeClass({ tags: {} }),
  'public addresses': nodeClass({ associatePublicIPAddress: true }),
  'no public addresses': nodeClass({ associatePublicIPAddress: false }),
  volumes: nodeClass({
    blockDeviceMappings: [
      { deviceName: '/dev/xvda', rootVolume: true, ebs: EBS },
      {
        deviceName: '/dev/xvdb',
        ebs: { volumeSize: '1024Mi', iops: 3000, throughput: 125, deleteOnTermination: false },
      },
    ],
  }),
  'the same size in other words': nodeClass({
    blockDeviceMappings: [{ deviceName: '/dev/xvda', ebs: { ...EBS, volumeSize: '102400Mi' } }],
  }),
  'a size in words': nodeClass({ blockDeviceMappings: [{ deviceName: '/dev/xvda', ebs: EBS }] }),
  'a snapshot': nodeClass({
    blockDeviceMappings: [
      {
        deviceName: '/dev/xvda',
        ebs: { snapshotID: 'snap-0123456789abcdef0', kmsKeyID: 'alias/own', volumeInitializationRate: 100 },
      },
    ],
  }),
  'instance stores': nodeClass({ instanceStorePolicy: 'RAID0' }),
  'network interfaces': nodeClass({
    networkInterfaces: [
      { networkCardIndex: 0, deviceIndex: 0, interfaceType: 'interface' },
      { networkCardIndex: 1, deviceIndex: 1, interfaceType: 'efa-only' },
    ],
  }),
  monitoring: nodeClass({ detailedMonitoring: true }),
  'metadata for containers': nodeClass({ metadataOptions: { httpPutResponseHopLimit: 2 } }),
  'a context': nodeClass({ context: 'spot-fleet' }),
  'connection tracking': nodeClass({ connectionTracking: { tcpEstablishedTimeout: 300, udpTimeout: 40 } }),
  'nested virtualization': nodeClass({ cpuOptions: { nestedVirtualization: 'enabled' } }),
  'a placement group': nodeClass({ placementGroupSelector: { name: 'close' } }),
  enclaves: nodeClass({ enclaveOptions: { enabled: true } }),
  'a kubelet': nodeClass({
    kubelet: {
      maxPods: 110,
      evictionHard: { 'nodefs.available': '10%', 'memory.available': '5%' },
      clusterDNS: ['10.0.1.100'],
      cpuCFSQuota: false,
    },
  }),
  'a kubelet with an expression': nodeClass({
    kubelet: { kubeReserved: { cpu: 'cpu > 4 && maxPods < 10 ? "1" : "2"' } },
  }),
  'a kubelet with nothing in it': nodeClass({ kubelet: {} }),
};

/** The manifest as the API server returns it: defaulted, with sorted keys. */
export function stored(manifest: Manifest): unknown {
  const kind = manifest.kind as 'NodePool' | 'EC2NodeClass';
  return withSortedKeys(
    pruneAndDefault(manifest, findKind(kindsOf(NEWEST_KARPENTER_VERSION), KIND_APIS[kind].apiVersion, kind)!.schema)
      .value,
  );
}

function withSortedKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withSortedKeys);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([left], [right]) => (left < right ? -1 : 1))
      .map(([key, item]) => [key, withSortedKeys(item)]),
  );
}
