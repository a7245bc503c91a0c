import { SettlingNode } from './launched-nodes';
import { SettledFleet } from './settle';
import { merge, ResourceList, subtract } from '../../model';
import { PodGroup, ScheduleInput } from '../input/schedule-input';
import { podNames } from '../pods/pod-name';
import { PlannedNodeClaim, SchedulePlan } from '../schedule-plan';

/**
 * A settled fleet as a plan: each pod is on the node to which kube-scheduler binds it. Claims are numbered in the order
 * of their launch.
 *
 * @param plan of the first pass, which has everything else
 */
export function planOfFleet(
  { nodes, virtual }: SettledFleet,
  { pods, existingClaimCounts = new Map() }: ScheduleInput,
  plan: SchedulePlan,
): SchedulePlan {
  const ordinals = new Map(existingClaimCounts);
  const namers = pods.map(podNames);
  const named = new Map<number, number>();
  const virtualPods = new Map(virtual.map(({ node, groups }) => [node, groups]));
  const podsOf = ({ node, bound }: SettlingNode): Pick<PlannedNodeClaim, 'pods' | 'groups'> => {
    const groups = new Map([...bound, ...(virtualPods.get(node.name) ?? [])]);
    return { groups, pods: [...groups].flatMap((entry) => namesOf(entry, pods, namers, named)) };
  };
  const nodeClaims: PlannedNodeClaim[] = [];
  const filledNodes: SchedulePlan['filledNodes'][number][] = [];
  for (const settling of nodes) {
    const { claim, offer, node } = settling;
    const scheduled = podsOf(settling);
    if (claim === undefined) {
      if (scheduled.groups.size > 0) filledNodes.push({ node: node.name, ...scheduled });
      continue;
    }
    const ordinal = ordinals.get(claim.nodePool) ?? 0;
    ordinals.set(claim.nodePool, ordinal + 1);
    const launch = claim.launch && offer ? { launch: { ...claim.launch, cheapest: offer } } : {};
    const requests = requestsWith(scheduled.groups, claim, pods);
    nodeClaims.push({ ...claim, id: `${claim.nodePool}-${ordinal}`, ...scheduled, requests, ...launch });
  }
  return { ...plan, nodeClaims, filledNodes };
}

/** The requests of a claim with other pods than those that it was launched for. Those of DaemonSets stay. */
function requestsWith(
  groups: ReadonlyMap<number, number>,
  claim: PlannedNodeClaim,
  pods: readonly PodGroup[],
): ResourceList {
  const sumOf = (counts: ReadonlyMap<number, number>) =>
    merge(
      ...[...counts].map(
        ([group, count]) =>
          new Map(
            [...pods[group].shape.requests, ['pods', 1n] as const].map(([resource, amount]) => [
              resource,
              amount * BigInt(count),
            ]),
          ),
      ),
    );
  const daemons = subtract(claim.requests, sumOf(claim.groups));
  return new Map([...merge(daemons, sumOf(groups))].filter(([, amount]) => amount > 0n));
}

function namesOf(
  [group, count]: readonly [number, number],
  pods: readonly PodGroup[],
  namers: ReadonlyArray<(ordinal: number) => string>,
  named: Map<number, number>,
): string[] {
  const first = named.get(group) ?? 0;
  named.set(group, Math.min(pods[group].count, first + count));
  return Array.from({ length: count }, (_, index) => namers[group](first + index));
}
