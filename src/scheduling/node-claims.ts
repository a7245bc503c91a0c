import { PackerSolution } from '../kernel';
import { merge, ResourceList } from '../model';
import { ClaimKinds } from './claim-kind';
import { DaemonGroup } from './daemon-groups';
import { LaunchPricing } from './launch-options';
import { podName } from './pod-name';
import { Workload } from './problem';
import { FilledNode, PlannedNodeClaim, PoolRefusal, UnschedulablePod } from './schedule-plan';

interface Gathered {
  readonly pods: string[];
  /** Per pod: its group. */
  readonly members: number[];
  readonly groups: Map<number, number>;
}

/** The claims that Karpenter creates, and the pods of those that it gives up in the end. */
export interface FinalClaims {
  readonly claims: readonly PlannedNodeClaim[];
  readonly refused: readonly UnschedulablePod[];
}

/** The kernel's claims in domain words. */
export function nodeClaims(
  workload: Workload, solution: PackerSolution, groups: ReadonlyArray<readonly DaemonGroup[]>, pricing: LaunchPricing,
  claimsBefore: ReadonlyMap<string, number> = new Map(),
): FinalClaims {
  const ordinals = new Map(claimsBefore);
  const kinds = new ClaimKinds(workload.templates, solution, groups, pricing, workload.settings);
  const refused: UnschedulablePod[] = [];
  const claims = gather(workload, solution).claims.flatMap((gathered, claim) => {
    const nodePool = workload.templates[solution.claims[claim * 3]].pool.name;
    const { refusal, overhead, ...kind } = kinds.of(claim);
    if (refusal) {
      refused.push(...refusedPods(gathered, { nodePool, message: refusal }));
      return [];
    }
    const ordinal = ordinals.get(nodePool) ?? 0;
    ordinals.set(nodePool, ordinal + 1);
    return [{
      id: `${nodePool}-${ordinal}`,
      nodePool,
      pods: gathered.pods,
      groups: gathered.groups,
      requests: merge(podRequests(workload, gathered), overhead),
      ...kind,
    }];
  });
  return { claims, refused };
}

function refusedPods({ pods, members }: Gathered, reason: PoolRefusal): UnschedulablePod[] {
  return pods.map((pod, at) => ({ pod, group: members[at], reasons: [reason] }));
}

/** The existing nodes that get pods. */
export function filledNodes(workload: Workload, solution: PackerSolution | undefined): Array<FilledNode & { readonly requests: ResourceList }> {
  const nodes = solution === undefined ? [] : gather(workload, solution).nodes;
  return nodes.flatMap((gathered, at) => {
    const { pods, groups } = gathered;
    return pods.length === 0 ? [] : [{ node: workload.nodes[at].node.name, pods, groups, requests: podRequests(workload, gathered) }];
  });
}

function gather(workload: Workload, solution: PackerSolution): { readonly claims: Gathered[]; readonly nodes: Gathered[] } {
  const empty = (): Gathered => ({ pods: [], members: [], groups: new Map() });
  const claims = Array.from({ length: solution.claimCount }, empty);
  const nodes = workload.nodes.map(empty);
  const placed = new Array<number>(workload.groups.length).fill(0);
  for (let at = 0; at < solution.placements.length; at += 2) {
    const [group, where] = solution.placements.subarray(at, at + 2);
    const { pods, members, groups } = where < 0 ? nodes[-1 - where] : claims[where];
    pods.push(podName(workload.groups[group], placed[group]++));
    members.push(group);
    groups.set(group, (groups.get(group) ?? 0) + 1);
  }
  return { claims, nodes };
}

function podRequests({ pods: { classes, classOf } }: Workload, { groups }: Gathered): ResourceList {
  return merge(...[...groups].map(([group, count]) =>
    new Map([...classes[classOf[group]].requests].map(([resource, amount]) => [resource, amount * BigInt(count)]))));
}
