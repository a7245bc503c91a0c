import { PackerProblem, PackerSolution } from '../../../src/kernel';

/** Larger amounts are reduced to this value. */
const CEILING = 2n ** 61n;

/** Total requests of the pods on each host. An existing node is written as -1 minus its number. */
type Requested = ReadonlyMap<number, readonly bigint[]>;

/**
 * Finds a claim with an instance type that is too small for its pods, or an existing node with more pods than it has
 * resources left for.
 */
export function overfilled(problem: PackerProblem, solution: PackerSolution): string | undefined {
  // As in Karpenter, a DaemonSet with a negative request makes room for other pods.
  if (problem.daemonRequests.some((amount) => amount < 0n)) return undefined;
  for (const [host, requests] of requested(problem, solution)) {
    const failure =
      host < 0 ? overfilledNode(problem, -1 - host, requests) : overfilledClaim(problem, solution, host, requests);
    if (failure !== undefined) return failure;
  }
  return undefined;
}

function requested(
  { runCount, runs, resourceCount, classRequests }: PackerProblem,
  { placements }: PackerSolution,
): Requested {
  const classOf = new Map(Array.from({ length: runCount }, (_, run) => [runs[run * 3 + 2], runs[run * 3]]));
  const hosts = new Map<number, bigint[]>();
  for (let index = 0; index < placements.length; index += 2) {
    const sums = hosts.get(placements[index + 1]) ?? new Array<bigint>(resourceCount).fill(0n);
    const first = classOf.get(placements[index])! * resourceCount;
    hosts.set(
      placements[index + 1],
      sums.map((sum, resource) => smaller(CEILING, sum + classRequests[first + resource])),
    );
  }
  return hosts;
}

function smaller(left: bigint, right: bigint): bigint {
  return left < right ? left : right;
}

function overfilledNode(
  { resourceCount, nodeRemaining }: PackerProblem,
  node: number,
  requests: readonly bigint[],
): string | undefined {
  const resource = requests.findIndex(
    (amount, index) => amount > 0n && amount > nodeRemaining[node * resourceCount + index],
  );
  return resource < 0 ? undefined : `node ${node}: ${requests[resource]} of resource ${resource} do not fit`;
}

function overfilledClaim(
  problem: PackerProblem,
  solution: PackerSolution,
  claim: number,
  requests: readonly bigint[],
): string | undefined {
  const { typeCount, resourceCount, allocatable, templateView } = problem;
  const view = templateView[solution.claims[claim * 3]];
  for (let type = 0; type < typeCount; type++) {
    const byte = solution.claimTypes[claim * solution.typeBytes + Math.floor(type / 8)];
    if (Math.floor(byte / 2 ** (type % 8)) % 2 === 0) continue;
    const resource = requests.findIndex(
      (amount, index) => amount > 0n && amount > allocatable[(view * resourceCount + index) * typeCount + type],
    );
    if (resource >= 0)
      return `claim ${claim}: ${requests[resource]} of resource ${resource} do not fit on type ${type}`;
  }
  return undefined;
}
