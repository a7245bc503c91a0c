import { amiFamilyTraits } from './ami-family';
import { CatalogFacts } from './catalog-file';
import { column } from './columns';
import { BlockDeviceFacts, NodeClassFacts } from './node-class-facts';

const GB = 1e9;
const DEFAULT_VOLUME_BYTES = 20 * 2 ** 30;

/** Only the first mapping that matches counts: one without a size is not replaced by a later one. */
function sizeOf(devices: readonly BlockDeviceFacts[], matches: (device: BlockDeviceFacts) => boolean): bigint | undefined {
  return devices.find(matches)?.volumeSizeBytes;
}

/** Bytes of the EBS volume that holds the pods' ephemeral storage. */
export function volumeBytes(nodeClass: NodeClassFacts): number {
  const traits = amiFamilyTraits(nodeClass.amiFamily);
  const devices = nodeClass.blockDevices ?? [];
  if (devices.length === 0) {
    return traits.defaultVolumeBytes;
  }
  const root = sizeOf(devices, (device) => device.rootVolume === true);
  if (root !== undefined) {
    return Number(root);
  }
  if (traits.ephemeralDevice === undefined) {
    return Number(devices[devices.length - 1].volumeSizeBytes ?? DEFAULT_VOLUME_BYTES);
  }
  return Number(sizeOf(devices, (device) => device.deviceName === traits.ephemeralDevice) ?? traits.defaultVolumeBytes);
}

/** The `ephemeral-storage` capacity by type, in bytes. Instance stores are counted in decimal gigabytes. */
export function ephemeralStorageCapacity(facts: CatalogFacts, nodeClass: NodeClassFacts): Float64Array {
  const volume = volumeBytes(nodeClass);
  return nodeClass.instanceStoreRaid0
    ? column(facts.instanceStoreGB.length, (type) => facts.instanceStoreGB[type] > 0 ? facts.instanceStoreGB[type] * GB : volume)
    : new Float64Array(facts.instanceStoreGB.length).fill(volume);
}
