import { labelDomain, labelName } from '../model';

/**
 * API group of the node classes of EKS Auto Mode, and domain of the labels that its nodes have besides Karpenter's.
 *
 * @see https://docs.aws.amazon.com/eks/latest/userguide/create-node-class.html
 */
export const AUTO_MODE_GROUP = 'eks.amazonaws.com';

/** Whether EKS Auto Mode, instead of a self-managed Karpenter, launches the nodes of a NodePool. */
export function isAutoMode({ nodeClassRef }: { readonly nodeClassRef?: { readonly group?: string } }): boolean {
  return nodeClassRef?.group === AUTO_MODE_GROUP;
}

/** Labels that have the domain of Auto Mode instead of Karpenter's. */
const RENAMED_LABELS = new Set([
  'instance-category',
  'instance-family',
  'instance-size',
  'instance-generation',
  'instance-cpu',
  'instance-cpu-manufacturer',
  'instance-memory',
  'instance-ebs-bandwidth',
  'instance-network-bandwidth',
  'instance-gpu-name',
  'instance-gpu-manufacturer',
  'instance-gpu-count',
  'instance-gpu-memory',
  'instance-local-nvme',
  'instance-hypervisor',
  'instance-encryption-in-transit-supported',
]);

/**
 * The label of Auto Mode that stands for one of a self-managed Karpenter.
 *
 * @see https://docs.aws.amazon.com/eks/latest/userguide/create-node-pool.html
 */
export function autoModeLabelFor(key: string): string | undefined {
  return labelDomain(key) === 'karpenter.k8s.aws' && RENAMED_LABELS.has(labelName(key))
    ? `${AUTO_MODE_GROUP}/${labelName(key)}`
    : undefined;
}

/** The built-in NodePools of EKS Auto Mode. */
export const AUTO_MODE_NODE_POOLS: readonly string[] = ['system', 'general-purpose'];

/** Defaults of EKS Auto Mode for a NodePool that sets neither. They appear on the NodeClaims only. */
export const AUTO_MODE_EXPIRE_AFTER = '336h';
export const AUTO_MODE_TERMINATION_GRACE_PERIOD = '24h';

/**
 * The most days from launch to the end of the drain: EKS refuses a NodePool whose expireAfter and
 * terminationGracePeriod together are longer.
 *
 * @see https://docs.aws.amazon.com/eks/latest/userguide/automode.html
 */
export const AUTO_MODE_MAX_DAYS = 21;
