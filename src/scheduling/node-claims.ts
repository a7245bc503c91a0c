import { PackerSolution } from '../kernel';
import { merge, ResourceList } from '../model';
import { ClaimKinds } from './claim-kind';
import { podNames } from './pod-name';
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
  workload: Workload, solution: PackerSolution, kinds: ClaimKinds, claimsBefore: ReadonlyMap<string, number> = new Map(),
): FinalClaims {
  const ordinals = new Map(claimsBefore);
  const refused: UnschedulablePod[] = [];
  const claims = gather(workload, solution).claims.flatMap((gathered, claim) => {
    const nodePool = workload.templates[solution.claims[claim * 3]].pool.name;
    const { refusal, overhead, ...kind } = kinds.of(solution, claim);
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
  const nodes = solution === undefined || workload.nodes.length === 0 ? []
    : [...gather(workload, solution).nodes].sort(([left], [right]) => left - right);
  return nodes.map(([at, gathered]) => {
    const { pods, groups } = gathered;
    return { node: workload.nodes[at].node.name, pods, groups, requests: podRequests(workload, gathered) };
  });
}

/** Of hundreds of nodes few get pods: by their numbers, those that do. */
function gather(workload: Workload, solution: PackerSolution): { readonly claims: Gathered[]; readonly nodes: Map<number, Gathered> } {
  const empty = (): Gathered => ({ pods: [], members: [], groups: new Map() });
  const claims = Array.from({ length: solution.claimCount }, empty);
  const nodes = new Map<number, Gathered>();
  const onNode = (node: number) => nodes.get(node) ?? nodes.set(node, empty()).get(node)!;
  const placed = new Array<number>(workload.groups.length).fill(0);
  for (const { group, where, count } of runsOf(solution.placements)) {
    const { pods, members, groups } = where < 0 ? onNode(-1 - where) : claims[where];
    const nameOf = podNames(workload.groups[group]);
    for (let i = 0; i < count; i++) {
      pods.push(nameOf(placed[group]++));
      members.push(group);
    }
    groups.set(group, (groups.get(group) ?? 0) + count);
  }
  return { claims, nodes };
}

/** Equal pods come one after the other, and many of them go to one node. */
function* runsOf(placements: Int32Array): Generator<{ readonly group: number; readonly where: number; readonly count: number }> {
  let end = 0;
  for (let at = 0; at < placements.length; at = end) {
    const group = placements[at];
    const where = placements[at + 1];
    while (end < placements.length && placements[end] === group && placements[end + 1] === where) end += 2;
    yield { group, where, count: (end - at) / 2 };
  }
}

function podRequests({ pods: { classes, classOf } }: Workload, { groups }: Gathered): ResourceList {
  return merge(...[...groups].map(([group, count]) =>
    new Map([...classes[classOf[group]].requests].map(([resource, amount]) => [resource, amount * BigInt(count)]))));
}
