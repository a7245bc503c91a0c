/**
 * What Karpenter for AWS repairs nodes for, where its feature gate NodeRepair is open.
 *
 * Source: `RepairPolicies` in pkg/cloudprovider/cloudprovider.go of Karpenter for AWS 1.15.1.
 */

/** How a fault is taken. */
export interface RepairPolicy {
  /** Milliseconds that it has to last. */
  readonly tolerated: number;
  /** Milliseconds that the pods of its node may be kept, then. */
  readonly drainBound: number;
}

export interface NodeCondition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
}

const MINUTE = 60_000;

/** Of what is not known by its reason, and of the kubelet. */
export const DEFAULT_REPAIR: RepairPolicy = { tolerated: 30 * MINUTE, drainBound: 10 * MINUTE };
/** Of GPUs with a fault that is known: time does not help. */
const KNOWN_GPU_FAULT: RepairPolicy = { tolerated: 10 * MINUTE, drainBound: 5 * MINUTE };
const KNOWN_GPU_FAULTS = [/XID(46|48|54|62|63|95|109|110|136|140|143|155|156|158)/, /XID(64|74|79|119|120)/];

/** By the type of a condition, the values that are not well. */
const REPAIRED: Readonly<Record<string, readonly string[]>> = {
  Ready: ['False', 'Unknown'],
  AcceleratedHardwareReady: ['False'],
  StorageReady: ['False'],
  NetworkingReady: ['False'],
  KernelReady: ['False'],
  ContainerRuntimeReady: ['False'],
};

/** Undefined where nothing is repaired for the condition. */
export function repairPolicyOf({ type, status, reason = '' }: NodeCondition): RepairPolicy | undefined {
  if (!Object.hasOwn(REPAIRED, type) || !REPAIRED[type].includes(status)) return undefined;
  const isKnown = type === 'AcceleratedHardwareReady' && KNOWN_GPU_FAULTS.some((fault) => fault.test(reason));
  return isKnown ? KNOWN_GPU_FAULT : DEFAULT_REPAIR;
}
