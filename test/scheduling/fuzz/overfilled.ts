import { PackerProblem, PackerSolution } from '../../../src/kernel';

/** Amounts from here on count as this much. */
const CEILING = 2n ** 61n;

/** What nodes are asked for by the pods that were put on them; an existing node is -1 less its number. */
type Requested = ReadonlyMap<number, readonly bigint[]>;

/** A claim with an instance type that does not hold its pods, or an existing node with more than it has left. */
export function overfilled(problem: PackerProblem, solution: PackerSolution): string | undefined {
  // To Karpenter too, a daemonset that asks for less than nothing makes room for others.
  if (problem.daemonRequests.some((amount) => amount < 0n)) return undefined;
  for (const [host, requests] of requested(problem, solution)) {
    const found = host < 0 ? overfilledNode(problem, -1 - host, requests) : overfilledClaim(problem, solution, host, requests);
    if (found !== undefined) return found;
  }
  return undefined;
}

function requested({ runCount, runs, resourceCount, classRequests }: PackerProblem, { placements }: PackerSolution): Requested {
  const classOf = new Map(Array.from({ length: runCount }, (_, run) => [runs[run * 3 + 2], runs[run * 3]]));
  const hosts = new Map<number, bigint[]>();
  for (let at = 0; at < placements.length; at += 2) {
    const sums = hosts.get(placements[at + 1]) ?? new Array<bigint>(resourceCount).fill(0n);
    const first = classOf.get(placements[at])! * resourceCount;
    hosts.set(placements[at + 1], sums.map((sum, resource) => least(CEILING, sum + classRequests[first + resource])));
  }
  return hosts;
}

function least(one: bigint, other: bigint): bigint {
  return one < other ? one : other;
}

function overfilledNode({ resourceCount, nodeRemaining }: PackerProblem, node: number, requests: readonly bigint[]): string | undefined {
  const resource = requests.findIndex((amount, at) => amount > 0n && amount > nodeRemaining[node * resourceCount + at]);
  return resource < 0 ? undefined : `node ${node}: ${requests[resource]} of resource ${resource} do not fit`;
}

function overfilledClaim(problem: PackerProblem, solution: PackerSolution, claim: number, requests: readonly bigint[]): string | undefined {
  const { typeCount, resourceCount, allocatable, templateView } = problem;
  const view = templateView[solution.claims[claim * 3]];
  for (let type = 0; type < typeCount; type++) {
    const byte = solution.claimTypes[claim * solution.typeBytes + Math.floor(type / 8)];
    if (Math.floor(byte / 2 ** (type % 8)) % 2 === 0) continue;
    const resource = requests.findIndex((amount, at) => amount > 0n && amount > allocatable[(view * resourceCount + at) * typeCount + type]);
    if (resource >= 0) return `claim ${claim}: ${requests[resource]} of resource ${resource} do not fit on type ${type}`;
  }
  return undefined;
}
