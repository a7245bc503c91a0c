import { PackerSolution } from '../kernel';
import { merge, ResourceList } from '../model';
import { ClaimKinds } from './claim-kind';
import { claimRequirements } from './claim-requirements';
import { podNames } from './pod-name';
import { Workload } from './problem';
import { FilledNode, PlannedNodeClaim, PoolRefusal, UnschedulablePod } from './schedule-plan';
import { TopologyState } from './topology-text';

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
  workload: Workload, { solution, vocabulary }: Pick<TopologyState, 'solution' | 'vocabulary'>, kinds: ClaimKinds, claimsBefore: ReadonlyMap<string, number> = new Map(),
): FinalClaims {
  if (solution.claimCount === 0) return NO_CLAIMS;
  const ordinals = new Map(claimsBefore);
  const requirementsOf = claimRequirements(solution, vocabulary);
  const refused: UnschedulablePod[] = [];
  const claims = onClaims(workload, solution).flatMap((gathered, claim) => {
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
      requirements: requirementsOf(claim),
    }];
  });
  return { claims, refused };
}

const NO_CLAIMS: FinalClaims = { claims: [], refused: [] };

function refusedPods({ pods, members }: Gathered, reason: PoolRefusal): UnschedulablePod[] {
  return pods.map((pod, at) => ({ pod, group: members[at], reasons: [reason] }));
}

/** The existing nodes that get pods. */
export function filledNodes(workload: Workload, solution: PackerSolution | undefined): Array<FilledNode & { readonly requests: ResourceList }> {
  const nodes = solution === undefined || workload.nodes.length === 0 ? []
    : [...onNodes(workload, solution)].sort(([left], [right]) => left - right);
  return nodes.map(([at, gathered]) => {
    const { pods, groups } = gathered;
    return { node: workload.nodes[at].node.name, pods, groups, requests: podRequests(workload, gathered) };
  });
}

/** By the number of the node, in their order, how many pods of each group come to it, groups numbered as these indices are. */
export function countsOnNodes(
  { placements }: PackerSolution, indices: readonly number[],
): Array<readonly [node: number, groups: ReadonlyMap<number, number>]> {
  const found = new Map<number, Map<number, number>>();
  // Asked at thousands of moments: run by run, without an object for each.
  for (let at = 0, end = 0; at < placements.length; at = end) {
    end = endOfRun(placements, at);
    const node = -1 - placements[at + 1];
    if (node < 0) continue;
    const group = indices[placements[at]];
    const groups = found.get(node);
    const count = (end - at) / 2;
    if (groups) groups.set(group, (groups.get(group) ?? 0) + count);
    else found.set(node, new Map([[group, count]]));
  }
  return [...found].sort(([left], [right]) => left - right);
}

function onClaims(workload: Workload, solution: PackerSolution): Gathered[] {
  const claims = Array.from({ length: solution.claimCount }, nobody);
  gather(workload, solution, (where) => where < 0 ? undefined : claims[where]);
  return claims;
}

/** Of hundreds of nodes few get pods: by their numbers, those that do. */
function onNodes(workload: Workload, solution: PackerSolution): Map<number, Gathered> {
  const nodes = new Map<number, Gathered>();
  gather(workload, solution, (where) => where < 0 ? nodes.get(-1 - where) ?? nodes.set(-1 - where, nobody()).get(-1 - where) : undefined);
  return nodes;
}

function nobody(): Gathered {
  return { pods: [], members: [], groups: new Map() };
}

/** @param at what gathers the pods there, where anybody wants to know of them */
function gather({ groups: all }: Workload, { placements }: PackerSolution, at: (where: number) => Gathered | undefined): void {
  const placed = new Int32Array(all.length);
  for (const { group, where, count } of runsOf(placements)) {
    const first = placed[group];
    placed[group] += count;
    const gathered = at(where);
    if (!gathered) continue;
    const nameOf = podNames(all[group]);
    for (let ordinal = first; ordinal < first + count; ordinal++) {
      gathered.pods.push(nameOf(ordinal));
      gathered.members.push(group);
    }
    gathered.groups.set(group, (gathered.groups.get(group) ?? 0) + count);
  }
}

/** Equal pods come one after the other, and many of them go to one node. */
function* runsOf(placements: Int32Array): Generator<{ readonly group: number; readonly where: number; readonly count: number }> {
  for (let at = 0, end = 0; at < placements.length; at = end) {
    end = endOfRun(placements, at);
    yield { group: placements[at], where: placements[at + 1], count: (end - at) / 2 };
  }
}

function endOfRun(placements: Int32Array, at: number): number {
  let end = at + 2;
  while (end < placements.length && placements[end] === placements[at] && placements[end + 1] === placements[at + 1]) end += 2;
  return end;
}

function podRequests({ pods: { classes, classOf } }: Workload, { groups }: Gathered): ResourceList {
  return merge(...[...groups].map(([group, count]) =>
    new Map([...classes[classOf[group]].requests].map(([resource, amount]) => [resource, amount * BigInt(count)]))));
}
