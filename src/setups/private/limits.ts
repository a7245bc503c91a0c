/** Limits with headroom: Karpenter launches the replacement of a drifted node before it removes the node. */
import { errorWithoutStack, shownNumber } from '../../model';
import { NodePoolLimits } from '../../nodes';

const SHARE = 0.2;
/** The largest instance of a pool. */
const LARGEST_CPUS = 32;
const LARGEST_GPUS = 4;

/** @param pool path of the pool's options, for errors */
export function cpuLimits(pool: string, cpu = 200): NodePoolLimits {
  return { cpu: withHeadroom(`${pool}.cpu`, cpu, LARGEST_CPUS) };
}

/** @param pool path of the pool's options, for errors */
export function gpuLimits(pool: string, gpus = 8): NodePoolLimits {
  return { other: { 'nvidia.com/gpu': String(withHeadroom(`${pool}.gpus`, gpus, LARGEST_GPUS)) } };
}

/** @param pool path of the pool's options, for errors */
export function nodeLimits(pool: string, replicas: number): NodePoolLimits {
  return { nodes: withHeadroom(`${pool}.replicas`, replicas, 1) };
}

function withHeadroom(path: string, amount: number, largest: number): number {
  if (!Number.isSafeInteger(amount) || amount < 1)
    throw errorWithoutStack(`${path}: must be a whole number from 1, got ${shownNumber(amount)}; write for example 8`);
  return amount + Math.max(Math.ceil(amount * SHARE), largest);
}
