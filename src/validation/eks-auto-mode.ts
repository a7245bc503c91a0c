import { NodePoolManifest } from './manifest';

/**
 * API group of the node classes of EKS Auto Mode, and domain of the labels that its nodes have besides Karpenter's.
 *
 * @see https://docs.aws.amazon.com/eks/latest/userguide/create-node-class.html
 */
export const AUTO_MODE_GROUP = 'eks.amazonaws.com';

/** Whether EKS Auto Mode, instead of a self-managed Karpenter, launches the nodes of a NodePool. */
export function isAutoMode({ nodeClassRef }: Pick<NodePoolManifest, 'nodeClassRef'>): boolean {
  return nodeClassRef?.group === AUTO_MODE_GROUP;
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
