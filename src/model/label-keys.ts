/** Keys of the labels that Karpenter and its AWS provider set or read. */
export const Label = {
  NODE_POOL: 'karpenter.sh/nodepool',
  CAPACITY_TYPE: 'karpenter.sh/capacity-type',
  REGISTERED: 'karpenter.sh/registered',
  INITIALIZED: 'karpenter.sh/initialized',
  NODE_CLASS: 'karpenter.k8s.aws/ec2nodeclass',
  ZONE: 'topology.kubernetes.io/zone',
  ZONE_ID: 'topology.k8s.aws/zone-id',
  REGION: 'topology.kubernetes.io/region',
  INSTANCE_TYPE: 'node.kubernetes.io/instance-type',
  ARCH: 'kubernetes.io/arch',
  OS: 'kubernetes.io/os',
  HOSTNAME: 'kubernetes.io/hostname',
  WINDOWS_BUILD: 'node.kubernetes.io/windows-build',
  CAPACITY_RESERVATION_ID: 'karpenter.k8s.aws/capacity-reservation-id',
  CAPACITY_RESERVATION_TYPE: 'karpenter.k8s.aws/capacity-reservation-type',
  CAPACITY_RESERVATION_INTERRUPTIBLE: 'karpenter.k8s.aws/capacity-reservation-interruptible',
  INSTANCE_HYPERVISOR: 'karpenter.k8s.aws/instance-hypervisor',
  INSTANCE_ENCRYPTION_IN_TRANSIT_SUPPORTED: 'karpenter.k8s.aws/instance-encryption-in-transit-supported',
  INSTANCE_CATEGORY: 'karpenter.k8s.aws/instance-category',
  INSTANCE_CAPABILITY_FLEX: 'karpenter.k8s.aws/instance-capability-flex',
  INSTANCE_FAMILY: 'karpenter.k8s.aws/instance-family',
  INSTANCE_GENERATION: 'karpenter.k8s.aws/instance-generation',
  INSTANCE_SIZE: 'karpenter.k8s.aws/instance-size',
  INSTANCE_LOCAL_NVME: 'karpenter.k8s.aws/instance-local-nvme',
  INSTANCE_CPU: 'karpenter.k8s.aws/instance-cpu',
  INSTANCE_CPU_MANUFACTURER: 'karpenter.k8s.aws/instance-cpu-manufacturer',
  INSTANCE_CPU_SUSTAINED_CLOCK_SPEED_MHZ: 'karpenter.k8s.aws/instance-cpu-sustained-clock-speed-mhz',
  INSTANCE_MEMORY: 'karpenter.k8s.aws/instance-memory',
  INSTANCE_EBS_BANDWIDTH: 'karpenter.k8s.aws/instance-ebs-bandwidth',
  INSTANCE_NETWORK_BANDWIDTH: 'karpenter.k8s.aws/instance-network-bandwidth',
  INSTANCE_GPU_NAME: 'karpenter.k8s.aws/instance-gpu-name',
  INSTANCE_GPU_MANUFACTURER: 'karpenter.k8s.aws/instance-gpu-manufacturer',
  INSTANCE_GPU_COUNT: 'karpenter.k8s.aws/instance-gpu-count',
  INSTANCE_GPU_MEMORY: 'karpenter.k8s.aws/instance-gpu-memory',
  INSTANCE_ACCELERATOR_NAME: 'karpenter.k8s.aws/instance-accelerator-name',
  INSTANCE_ACCELERATOR_MANUFACTURER: 'karpenter.k8s.aws/instance-accelerator-manufacturer',
  INSTANCE_ACCELERATOR_COUNT: 'karpenter.k8s.aws/instance-accelerator-count',
  INSTANCE_TENANCY: 'karpenter.k8s.aws/instance-tenancy',
  PLACEMENT_GROUP_ID: 'karpenter.k8s.aws/placement-group-id',
  PLACEMENT_GROUP_PARTITION: 'karpenter.k8s.aws/placement-group-partition',
} as const;

const NOT_WELL_KNOWN: ReadonlySet<string> = new Set([
  Label.REGISTERED,
  Label.INITIALIZED,
  Label.NODE_CLASS,
  Label.HOSTNAME,
]);

/**
 * Labels that pods may select on without a NodePool defining them, as of Karpenter's AWS provider 1.15.1.
 *
 * @see https://karpenter.sh/docs/concepts/scheduling/#well-known-labels
 */
export const WELL_KNOWN_LABELS: ReadonlySet<string> = new Set(
  Object.values(Label).filter((key) => !NOT_WELL_KNOWN.has(key)),
);

/** The valid values of a key: a NodePool without any of them is invalid. Other keys may have any value. */
export const WELL_KNOWN_VALUES: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  [Label.CAPACITY_TYPE, new Set(['on-demand', 'reserved', 'spot'])],
  [Label.INSTANCE_TENANCY, new Set(['dedicated', 'default'])],
]);

/** Domains, sub-domains included, whose keys are reserved for Karpenter, except for the well-known ones. */
export const RESTRICTED_LABEL_DOMAINS: readonly string[] = ['karpenter.k8s.aws', 'karpenter.sh'];

/** Reserved keys outside the reserved domains. */
export const RESTRICTED_LABELS: ReadonlySet<string> = new Set([Label.HOSTNAME]);

const ALIASES: ReadonlyMap<string, string> = new Map([
  ['failure-domain.beta.kubernetes.io/zone', Label.ZONE],
  ['failure-domain.beta.kubernetes.io/region', Label.REGION],
  ['beta.kubernetes.io/arch', Label.ARCH],
  ['beta.kubernetes.io/os', Label.OS],
  ['beta.kubernetes.io/instance-type', Label.INSTANCE_TYPE],
  ['topology.ebs.csi.aws.com/zone', Label.ZONE],
]);

/** The key that Karpenter uses for a requirement: the current key for a deprecated alias, otherwise the key itself. */
export function normalizeLabelKey(key: string): string {
  return ALIASES.get(key) ?? key;
}

/** Whether the key is reserved for Karpenter: neither a NodePool nor a pod may require it. */
export function isRestrictedLabel(key: string): boolean {
  if (WELL_KNOWN_LABELS.has(key)) {
    return false;
  }
  const domain = labelDomain(key);
  return (
    RESTRICTED_LABELS.has(key) ||
    RESTRICTED_LABEL_DOMAINS.some((restricted) => domain === restricted || domain.endsWith(`.${restricted}`))
  );
}

/** The part before the first slash; empty without a slash. */
export function labelDomain(key: string): string {
  return key.includes('/') ? key.slice(0, key.indexOf('/')) : '';
}

/** The part after the first slash; the whole key without a slash. */
export function labelName(key: string): string {
  return key.slice(key.indexOf('/') + 1);
}

/** 'instance type' for a well-known label. A label of the user is written as it is. */
export function labelWords(key: string): string {
  return WELL_KNOWN_LABELS.has(key) ? labelName(key).replace(/-/g, ' ') : key;
}
