import { enumOf, flag, listOf, made, mapOf, number, struct, text, textMap, Writer } from './cursor';
import { isObject } from './equality';
import { entry, literal, object } from './expression';
import { duration, seconds, volumeSize } from './quantities';
import { amiTerm, subnetTerm, securityGroupTerm, capacityReservationTerm, placementGroup } from './selector-terms';
import { settingOf, userData } from './user-data';

const KUBELET_PROPERTIES = {
  clusterDns: ['clusterDNS', listOf(text)],
  maxPods: [
    'maxPods',
    (cursor) => made('MaxPods', 'count', number)(cursor) ?? made('MaxPods', 'expression', text)(cursor),
  ],
  podsPerCore: ['podsPerCore', number],
  systemReserved: ['systemReserved', textMap],
  kubeReserved: ['kubeReserved', textMap],
  evictionHard: ['evictionHard', textMap],
  evictionSoft: ['evictionSoft', textMap],
  evictionSoftGracePeriod: ['evictionSoftGracePeriod', mapOf(duration)],
  evictionMaxPodGracePeriod: ['evictionMaxPodGracePeriod', seconds],
  imageGcHighThresholdPercent: ['imageGCHighThresholdPercent', number],
  imageGcLowThresholdPercent: ['imageGCLowThresholdPercent', number],
  cpuCfsQuota: ['cpuCFSQuota', flag],
} as const satisfies Record<string, readonly [string, Writer]>;

const kubeletSetting = settingOf('KubeletSetting');
const kubeletProperties = struct(KUBELET_PROPERTIES);
const KUBELET_FIELDS: readonly string[] = Object.values(KUBELET_PROPERTIES).map(([field]) => field);

/** Kubelet settings. Those without a property are written under `other`. */
const kubelet: Writer = (cursor) => {
  const settings = kubeletProperties(cursor);
  if (settings?.kind !== 'object' || !isObject(cursor.value)) return undefined;
  const other = Object.keys(cursor.value)
    .filter((key) => !KUBELET_FIELDS.includes(key))
    .map((key) => entry(key, kubeletSetting(cursor.at(key)!)!, cursor.at(key)!.path));
  return object([...settings.entries, ...(other.length > 0 ? [entry('other', object(other))] : [])]);
};

const blockDevice = struct(
  {
    deviceName: ['deviceName', text],
    rootVolume: ['rootVolume', flag],
    ebs: [
      'ebs',
      struct({
        volumeSize: ['volumeSize', volumeSize],
        volumeType: ['volumeType', enumOf('VolumeType')],
        iops: ['iops', number],
        throughput: ['throughput', number],
        encrypted: ['encrypted', flag],
        kmsKeyId: ['kmsKeyID', text],
        snapshotId: ['snapshotID', text],
        deleteOnTermination: ['deleteOnTermination', flag],
        volumeInitializationRate: ['volumeInitializationRate', number],
      }),
    ],
  },
  ['deviceName', 'ebs'],
);

/** One of two strings as a boolean. */
function booleanOf(yes: string, no: string): Writer {
  return ({ value }) => (value === yes || value === no ? literal(value === yes) : undefined);
}
const enabled = booleanOf('enabled', 'disabled');
const metadataOptions = struct({
  httpEndpointEnabled: ['httpEndpoint', enabled],
  httpProtocolIpv6Enabled: ['httpProtocolIPv6', enabled],
  httpPutResponseHopLimit: ['httpPutResponseHopLimit', number],
  httpTokensRequired: ['httpTokens', booleanOf('required', 'optional')],
});
const networkInterface = struct(
  {
    networkCardIndex: ['networkCardIndex', number],
    deviceIndex: ['deviceIndex', number],
    interfaceType: ['interfaceType', enumOf('NetworkInterfaceType')],
  },
  ['networkCardIndex', 'deviceIndex'],
);
const connectionTracking = struct({
  tcpEstablishedTimeout: ['tcpEstablishedTimeout', seconds],
  udpStreamTimeout: ['udpStreamTimeout', seconds],
  udpTimeout: ['udpTimeout', seconds],
});

/** Writes the properties of an EC2NodeClass from the whole object. */
export const nodeClassProps: Writer = struct(
  {
    amiSelectorTerms: ['spec.amiSelectorTerms', listOf(amiTerm)],
    amiFamily: ['spec.amiFamily', enumOf('AmiFamily')],
    identity: [
      ['spec.role', made('NodeIdentity', 'role', text)],
      ['spec.instanceProfile', made('NodeIdentity', 'instanceProfile', text)],
    ],
    subnetSelectorTerms: ['spec.subnetSelectorTerms', listOf(subnetTerm)],
    securityGroupSelectorTerms: ['spec.securityGroupSelectorTerms', listOf(securityGroupTerm)],
    capacityReservationSelectorTerms: ['spec.capacityReservationSelectorTerms', listOf(capacityReservationTerm)],
    placementGroupSelector: ['spec.placementGroupSelector', placementGroup],
    blockDeviceMappings: ['spec.blockDeviceMappings', listOf(blockDevice)],
    instanceStorePolicy: ['spec.instanceStorePolicy', enumOf('InstanceStorePolicy')],
    metadataOptions: ['spec.metadataOptions', metadataOptions],
    tags: ['spec.tags', textMap],
    detailedMonitoring: ['spec.detailedMonitoring', flag],
    associatePublicIpAddress: ['spec.associatePublicIPAddress', flag],
    ipPrefixCount: ['spec.ipPrefixCount', number],
    networkInterfaces: ['spec.networkInterfaces', listOf(networkInterface)],
    connectionTracking: ['spec.connectionTracking', connectionTracking],
    nestedVirtualization: ['spec.cpuOptions.nestedVirtualization', enabled],
    nitroEnclaves: ['spec.enclaveOptions.enabled', flag],
    kubelet: ['spec.kubelet', kubelet],
    userData: ['spec.userData', userData],
    context: ['spec.context', text],
  },
  ['amiSelectorTerms', 'identity', 'subnetSelectorTerms', 'securityGroupSelectorTerms'],
);
