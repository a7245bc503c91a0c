import { capacityOf } from '../../../instance-types/node-fit';
import { RuleContext } from '../../rule';
import { LaunchingPool } from '../../subjects';

/** What EKS recommends for types of less than 30 vCPUs. */
export const RECOMMENDED_PODS = 110;
/** Nodes with a larger share of their CPU and memory requested could take few further pods. */
const FULL = 0.8;

/** A planned node that takes no more pods, although it has CPU and memory for them. */
export interface FullNode {
  readonly instanceType: string;
  readonly pods: bigint;
  /** The larger of the requested shares of CPU and memory. */
  readonly share: number;
}

/** As Karpenter plans them: kube-scheduler may spread their pods over all nodes. */
export function nodesFullOfPods({ passesPlan: plan }: RuleContext, { name, launch }: LaunchingPool): FullNode[] {
  return plan.nodeClaims.flatMap(({ nodePool, requests, launch: request }) => {
    const instanceType = request?.cheapest.instanceType;
    const index = instanceType === undefined ? -1 : launch.table.names.indexOf(instanceType);
    if (nodePool !== name || instanceType === undefined || index < 0) return [];
    const capacity = capacityOf(launch.table, index);
    const shareOf = (resource: string) => Number(requests.get(resource) ?? 0n) / Number(capacity.get(resource) ?? 1n);
    const share = Math.max(shareOf('cpu'), shareOf('memory'));
    const pods = capacity.get('pods') ?? 0n;
    const isFull = (requests.get('pods') ?? 0n) >= pods && pods < BigInt(RECOMMENDED_PODS);
    return isFull && share < FULL ? [{ instanceType, pods, share }] : [];
  });
}
