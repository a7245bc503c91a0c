import { amiFamilyTraits, BlockDeviceFacts, NodeClassFacts } from '../../catalog';
import { Quantity } from '../../model';
import { NodeClassManifest } from '../manifest/model';

/**
 * The device with the volume that pods use, which a node class leaves at its default size while it sizes another
 * device.
 */
export interface UnsizedPodStorage {
  /** The device with the storage of pods. */
  readonly device: string;
  /** The volume's size without a mapping. */
  readonly defaultSize: string;
  /** The device that is mapped instead. */
  readonly mappedDevice: string;
  readonly size: string;
  /** Index of the mapping in the class. */
  readonly index: number;
}

/** Why the volumes of a class with block device mappings are not known; undefined if they are. */
export function whyVolumesUnknown({ object, facts }: NodeClassManifest): string | undefined {
  return facts === undefined && object.raw.spec?.blockDeviceMappings !== undefined
    ? 'the class is invalid, or some of its values are known only at deployment'
    : undefined;
}

/** Root device names of AMI families, which users often copy to another family. */
const ROOT_DEVICES = ['/dev/xvda', '/dev/sda1'];

/** Undefined if the class maps the volume that pods use, or enlarges no other root device. */
export function unsizedPodStorage({ amiFamily, blockDevices = [] }: NodeClassFacts): UnsizedPodStorage | undefined {
  const { ephemeralDevice: device, defaultVolumeBytes } = amiFamilyTraits(amiFamily);
  if (
    device === undefined ||
    blockDevices.some((mapping) => mapping.rootVolume === true || mapping.deviceName === device)
  )
    return undefined;
  const index = blockDevices.findIndex(
    (mapping) => ROOT_DEVICES.includes(mapping.deviceName) && isLarger(mapping, defaultVolumeBytes),
  );
  if (index < 0) return undefined;
  const { deviceName: mappedDevice, volumeSizeBytes } = blockDevices[index];
  return { device, defaultSize: bytes(BigInt(defaultVolumeBytes)), mappedDevice, size: bytes(volumeSizeBytes!), index };
}

/** Only a volume larger than the default shows that its author expects more storage for pods. */
function isLarger({ volumeSizeBytes }: BlockDeviceFacts, least: number): boolean {
  return volumeSizeBytes !== undefined && Number(volumeSizeBytes) > least;
}

function bytes(amount: bigint): string {
  return Quantity.of(amount, 'BinarySI').toString();
}
