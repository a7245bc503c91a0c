import { NodePoolManifest } from './manifest';

/** Of the node classes of EKS Auto Mode, and of the labels that its nodes have beyond those of Karpenter. */
export const AUTO_MODE_GROUP = 'eks.amazonaws.com';

/** Whether EKS launches the nodes of a NodePool, with classes and labels of its own. */
export function isAutoMode({ nodeClassRef }: Pick<NodePoolManifest, 'nodeClassRef'>): boolean {
  return nodeClassRef?.group === AUTO_MODE_GROUP;
}

/** NodePools that EKS Auto Mode brings along. */
export const AUTO_MODE_NODE_POOLS: readonly string[] = ['system', 'general-purpose'];
