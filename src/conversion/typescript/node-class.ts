import { Cursor, enumOf, flag, listOf, number, struct, text, textMap, Writer } from './cursor';
import { literal } from './expression';
import { kubelet } from './kubelet';
import { seconds, volumeSize } from './quantities';
import { amiAlias, amiTerm, capacityReservationTerm, placementGroup, securityGroupTerm, subnetTerm } from './selector-terms';

const blockDevice = struct({
  deviceName: ['deviceName', text],
  rootVolume: ['rootVolume', flag],
  ebs: ['ebs', struct({
    volumeSize: ['volumeSize', volumeSize],
    volumeType: ['volumeType', enumOf('VolumeType')],
    iops: ['iops', number],
    throughput: ['throughput', number],
    encrypted: ['encrypted', flag],
    kmsKeyId: ['kmsKeyID', text],
    snapshotId: ['snapshotID', text],
    deleteOnTermination: ['deleteOnTermination', flag],
    volumeInitializationRate: ['volumeInitializationRate', number],
  })],
}, ['deviceName', 'ebs']);

/** One of two words as a boolean. */
function either(yes: string, no: string): Writer {
  return ({ value }) => value === yes || value === no ? literal(value === yes) : undefined;
}

const switched = either('enabled', 'disabled');

const metadataOptions = struct({
  httpEndpointEnabled: ['httpEndpoint', switched],
  httpProtocolIpv6Enabled: ['httpProtocolIPv6', switched],
  httpPutResponseHopLimit: ['httpPutResponseHopLimit', number],
  httpTokensRequired: ['httpTokens', either('required', 'optional')],
});

const networkInterface = struct({
  networkCardIndex: ['networkCardIndex', number],
  deviceIndex: ['deviceIndex', number],
  interfaceType: ['interfaceType', enumOf('NetworkInterfaceType')],
}, ['networkCardIndex', 'deviceIndex']);

const connectionTracking = struct({
  tcpEstablishedTimeout: ['tcpEstablishedTimeout', seconds],
  udpStreamTimeout: ['udpStreamTimeout', seconds],
  udpTimeout: ['udpTimeout', seconds],
});

/** Properties of an EC2NodeClass, from the whole object. */
export const nodeClassProps: Writer = struct({
  amiAlias: ['spec.amiSelectorTerms', (at) => isOneAlias(at) ? amiAlias(at.at(0, 'alias')!) : undefined],
  amiSelectorTerms: ['spec.amiSelectorTerms', (at) => isOneAlias(at) ? undefined : listOf(amiTerm)(at)],
  amiFamily: ['spec.amiFamily', enumOf('AmiFamily')],
  role: ['spec.role', text],
  instanceProfile: ['spec.instanceProfile', text],
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
  nestedVirtualization: ['spec.cpuOptions.nestedVirtualization', switched],
  enclaveEnabled: ['spec.enclaveOptions.enabled', flag],
  kubelet: ['spec.kubelet', kubelet],
  userData: ['spec.userData', text],
  context: ['spec.context', text],
}, ['subnetSelectorTerms', 'securityGroupSelectorTerms']);

function isOneAlias(terms: Cursor): boolean {
  return terms.items?.length === 1 && typeof terms.at(0, 'alias')?.value === 'string';
}
