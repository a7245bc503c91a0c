import { AmiFamily } from './node-class-facts';

const GIB = 2 ** 30;

/** How an AMI family changes what Karpenter expects of its nodes. */
export interface AmiFamilyTraits {
  /** Whether memory is reserved for the pods that the network interfaces allow, regardless of `maxPods`. */
  readonly reservesMemoryByInterfaces: boolean;
  readonly podsPerCore: boolean;
  /** Whether the network interfaces limit the pods. If not, a node takes 110 pods unless `maxPods` is set. */
  readonly podsByInterfaces: boolean;
  /** The device that holds the pods' ephemeral storage. Undefined for a custom AMI. */
  readonly ephemeralDevice?: string;
  readonly defaultVolumeBytes: number;
  /** The value of the label node.kubernetes.io/windows-build. */
  readonly windowsBuild?: string;
}

const AL2: AmiFamilyTraits = {
  reservesMemoryByInterfaces: true,
  podsPerCore: true,
  podsByInterfaces: true,
  ephemeralDevice: '/dev/xvda',
  defaultVolumeBytes: 20 * GIB,
};

function windows(windowsBuild: string): AmiFamilyTraits {
  return {
    reservesMemoryByInterfaces: false,
    podsPerCore: true,
    podsByInterfaces: false,
    ephemeralDevice: '/dev/sda1',
    defaultVolumeBytes: 50 * GIB,
    windowsBuild,
  };
}

const TRAITS: ReadonlyMap<string, AmiFamilyTraits> = new Map<AmiFamily, AmiFamilyTraits>([
  ['AL2023', AL2],
  ['Bottlerocket', { ...AL2, reservesMemoryByInterfaces: false, podsPerCore: false, ephemeralDevice: '/dev/xvdb' }],
  ['Custom', { ...AL2, ephemeralDevice: undefined }],
  ['Windows2019', windows('10.0.17763')],
  ['Windows2022', windows('10.0.20348')],
  ['Windows2025', windows('10.0.26100')],
]);

/** Traits of an AMI family. An unknown name behaves as AL2, as in Karpenter. */
export function amiFamilyTraits(family: string): AmiFamilyTraits {
  return TRAITS.get(family) ?? AL2;
}
