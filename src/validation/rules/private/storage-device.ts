import { amiFamilyTraits, BlockDeviceFacts, NodeClassFacts } from '../../../catalog';
import { formatAmount } from '../../../model';
import { NodeClassManifest } from '../../manifest/model';

/** Where the images of a node class have the volume that pods use, which the class gives no size while it sizes another one. */
export interface UnsizedStorage {
  /** The device with the storage of pods. */
  readonly device: string;
  /** What it has without a mapping of its own. */
  readonly has: string;
  /** The device that is mapped in its place. */
  readonly mapped: string;
  readonly size: string;
  /** Of the mapping, in the class. */
  readonly at: number;
}

/** Why nothing is known of the volumes of a class that maps some. */
export function unknownVolumes({ object, facts }: NodeClassManifest): string | undefined {
  return facts === undefined && object.raw.spec?.blockDeviceMappings !== undefined ? 'the class cannot be used as it is written, or is known only at deployment' : undefined;
}

/** What the root volume is called in one family or another, and taken for that of others. */
const ROOTS = ['/dev/xvda', '/dev/sda1'];

/** Undefined where the volume is mapped, or none that is taken for it. */
export function unsizedStorage({ amiFamily, blockDevices = [] }: NodeClassFacts): UnsizedStorage | undefined {
  const { ephemeralDevice: device, defaultVolumeBytes } = amiFamilyTraits(amiFamily);
  if (device === undefined || blockDevices.some((mapping) => mapping.rootVolume === true || mapping.deviceName === device)) return undefined;
  const at = blockDevices.findIndex((mapping) => ROOTS.includes(mapping.deviceName) && isLarger(mapping, defaultVolumeBytes));
  if (at < 0) return undefined;
  const { deviceName: mapped, volumeSizeBytes } = blockDevices[at];
  return { device, has: bytes(BigInt(defaultVolumeBytes)), mapped, size: bytes(volumeSizeBytes!), at };
}

/** Of a smaller one nothing is expected. */
function isLarger({ volumeSizeBytes }: BlockDeviceFacts, least: number): boolean {
  return volumeSizeBytes !== undefined && Number(volumeSizeBytes) > least;
}

function bytes(amount: bigint): string {
  return formatAmount('ephemeral-storage', amount);
}
