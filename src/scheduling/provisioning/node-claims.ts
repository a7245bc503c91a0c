import { ClaimKinds } from './claim-kinds';
import { PackerSolution } from '../../kernel';
import { merge, Requirement, ResourceList } from '../../model';
import { Workload } from '../encoding/problem';
import { Vocabulary } from '../encoding/vocabulary';
import { podNames } from '../pods/pod-name';
import { TopologyState } from '../refusals/topology-error';
import { FilledNode, PlannedNodeClaim, PoolRefusal, UnschedulablePod } from '../schedule-plan';

/** The pods of one node. */
interface NodePods {
  readonly pods: string[];
  /** The group of each pod. */
  readonly members: number[];
  readonly groups: Map<number, number>;
}

/** The claims that Karpenter creates, and the pods of the claims that it drops at the end. */
export interface FinalClaims {
  readonly claims: readonly PlannedNodeClaim[];
  readonly refused: readonly UnschedulablePod[];
}

/** Converts the kernel's claims into planned NodeClaims. */
export function nodeClaims(
  workload: Workload,
  { solution, vocabulary }: Pick<TopologyState, 'solution' | 'vocabulary'>,
  kinds: ClaimKinds,
  existingClaimCounts: ReadonlyMap<string, number> = new Map(),
): FinalClaims {
  if (solution.claimCount === 0) return NO_CLAIMS;
  const ordinals = new Map(existingClaimCounts);
  const requirementsOf = claimRequirements(solution, vocabulary);
  const refused: UnschedulablePod[] = [];
  const claims = onClaims(workload, solution).flatMap((nodePods, claim) => {
    const nodePool = workload.templates[solution.claims[claim * 3]].pool.name;
    const { refusal, overhead, ...kind } = kinds.of(solution, claim);
    if (refusal) {
      refused.push(...refusedPods(nodePods, { nodePool, message: refusal }));
      return [];
    }
    const ordinal = ordinals.get(nodePool) ?? 0;
    ordinals.set(nodePool, ordinal + 1);
    return [
      {
        id: `${nodePool}-${ordinal}`,
        nodePool,
        pods: nodePods.pods,
        groups: nodePods.groups,
        requests: merge(podRequests(workload, nodePods), overhead),
        ...kind,
        requirements: requirementsOf(claim),
      },
    ];
  });
  return { claims, refused };
}

const NO_CLAIMS: FinalClaims = { claims: [], refused: [] };

function refusedPods({ pods, members }: NodePods, reason: PoolRefusal): UnschedulablePod[] {
  return pods.map((pod, index) => ({ pod, group: members[index], reasons: [reason] }));
}

/** The existing nodes that get pods. */
export function filledNodes(
  workload: Workload,
  solution: PackerSolution | undefined,
): Array<FilledNode & { readonly requests: ResourceList }> {
  const nodes =
    solution === undefined || workload.nodes.length === 0
      ? []
      : [...onNodes(workload, solution)].sort(([left], [right]) => left - right);
  return nodes.map(([index, nodePods]) => {
    const { pods, groups } = nodePods;
    return { node: workload.nodes[index].node.name, pods, groups, requests: podRequests(workload, nodePods) };
  });
}

/**
 * Pairs of node number and pod count by group, in node order. `indices` maps the kernel's groups to the result's
 * groups.
 */
export function countsOnNodes(
  { placements }: Pick<PackerSolution, 'placements'>,
  indices: readonly number[],
): Array<readonly [node: number, groups: ReadonlyMap<number, number>]> {
  const byNode = new Map<number, Map<number, number>>();
  // Hot path of simulations: no object is created for a run.
  for (let start = 0, end = 0; start < placements.length; start = end) {
    end = endOfRun(placements, start);
    const node = -1 - placements[start + 1];
    if (node < 0) continue;
    const group = indices[placements[start]];
    const groups = byNode.get(node);
    const count = (end - start) / 2;
    if (groups) groups.set(group, (groups.get(group) ?? 0) + count);
    else byNode.set(node, new Map([[group, count]]));
  }
  return [...byNode].sort(([left], [right]) => left - right);
}

function onClaims(workload: Workload, solution: PackerSolution): NodePods[] {
  const claims = Array.from({ length: solution.claimCount }, noPods);
  collectPods(workload, solution, (target) => (target < 0 ? undefined : claims[target]));
  return claims;
}

/** By node number; only nodes that get pods. */
function onNodes(workload: Workload, solution: PackerSolution): Map<number, NodePods> {
  const nodes = new Map<number, NodePods>();
  collectPods(workload, solution, (target) =>
    target < 0 ? (nodes.get(-1 - target) ?? nodes.set(-1 - target, noPods()).get(-1 - target)) : undefined,
  );
  return nodes;
}

function noPods(): NodePods {
  return { pods: [], members: [], groups: new Map() };
}

/**
 * @param podsAt the collection for a placement target, which is a claim or -1 minus a node number; undefined to skip
 * the target
 */
function collectPods(
  { groups }: Workload,
  { placements }: PackerSolution,
  podsAt: (target: number) => NodePods | undefined,
): void {
  const placed = new Int32Array(groups.length);
  for (const { group, target, count } of runsOf(placements)) {
    const first = placed[group];
    placed[group] += count;
    const nodePods = podsAt(target);
    if (!nodePods) continue;
    const nameOf = podNames(groups[group]);
    for (let ordinal = first; ordinal < first + count; ordinal++) {
      nodePods.pods.push(nameOf(ordinal));
      nodePods.members.push(group);
    }
    nodePods.groups.set(group, (nodePods.groups.get(group) ?? 0) + count);
  }
}

/** Consecutive placements of one group onto one node; most placements are part of a long run. */
function* runsOf(
  placements: Int32Array,
): Generator<{ readonly group: number; readonly target: number; readonly count: number }> {
  for (let start = 0, end = 0; start < placements.length; start = end) {
    end = endOfRun(placements, start);
    yield { group: placements[start], target: placements[start + 1], count: (end - start) / 2 };
  }
}

function endOfRun(placements: Int32Array, start: number): number {
  let end = start + 2;
  while (
    end < placements.length &&
    placements[end] === placements[start] &&
    placements[end + 1] === placements[start + 1]
  )
    end += 2;
  return end;
}

function podRequests({ pods: { classes, classOf } }: Workload, { groups }: NodePods): ResourceList {
  return merge(
    ...[...groups].map(
      ([group, count]) =>
        new Map([...classes[classOf[group]].requests].map(([resource, amount]) => [resource, amount * BigInt(count)])),
    ),
  );
}

/**
 * A claim's requirements on custom labels, and the values of well-known labels that they exclude. Claims with equal
 * requirements share one list.
 */
export function claimRequirements(
  { claims, claimSets }: PackerSolution,
  vocabulary: Vocabulary,
): (claim: number) => readonly Requirement[] {
  const keys = vocabulary.numberedKeys();
  const bySet = new Map<number, readonly Requirement[]>();
  return (claim) => {
    const set = claims[claim * 3 + 1];
    let requirements = bySet.get(set);
    if (requirements === undefined) {
      requirements = claimSets.get(set)!.map(({ key, values, ...bounds }) => {
        const names = values.length === 0 ? [] : vocabulary.valuesOf(keys[key]);
        return Requirement.of({ key: keys[key], values: new Set(values.map((value) => names[value])), ...bounds });
      });
      bySet.set(set, requirements);
    }
    return requirements;
  };
}
