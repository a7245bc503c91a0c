/**
 * Node conditions that Karpenter for AWS repairs if the feature gate NodeRepair is enabled.
 *
 * Source: `RepairPolicies` in pkg/cloudprovider/cloudprovider.go of Karpenter for AWS 1.15.1.
 */

/** When and how Karpenter repairs a node for an unhealthy condition. */
export interface RepairPolicy {
  /** Milliseconds for which the condition must last before the node is repaired. */
  readonly tolerationDuration: number;
  /** The longest drain in milliseconds. */
  readonly drainBound: number;
}

export interface NodeCondition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
}

const MINUTE = 60_000;

/** The policy for kubelet conditions, and for conditions whose reason has no policy of its own. */
export const DEFAULT_REPAIR: RepairPolicy = { tolerationDuration: 30 * MINUTE, drainBound: 10 * MINUTE };
/** The policy for known GPU faults, which do not recover by themselves. */
const KNOWN_GPU_FAULT: RepairPolicy = { tolerationDuration: 10 * MINUTE, drainBound: 5 * MINUTE };
const KNOWN_GPU_FAULTS = [/XID(46|48|54|62|63|95|109|110|136|140|143|155|156|158)/, /XID(64|74|79|119|120)/];

/** Unhealthy statuses by condition type. */
const UNHEALTHY_STATUSES: Readonly<Record<string, readonly string[]>> = {
  Ready: ['False', 'Unknown'],
  AcceleratedHardwareReady: ['False'],
  StorageReady: ['False'],
  NetworkingReady: ['False'],
  KernelReady: ['False'],
  ContainerRuntimeReady: ['False'],
};

/** The policy for a node condition. Undefined if Karpenter does not repair the condition. */
export function repairPolicyOf({ type, status, reason = '' }: NodeCondition): RepairPolicy | undefined {
  if (!Object.hasOwn(UNHEALTHY_STATUSES, type) || !UNHEALTHY_STATUSES[type].includes(status)) return undefined;
  const isKnownGpuFault = type === 'AcceleratedHardwareReady' && KNOWN_GPU_FAULTS.some((fault) => fault.test(reason));
  return isKnownGpuFault ? KNOWN_GPU_FAULT : DEFAULT_REPAIR;
}
