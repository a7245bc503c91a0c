/**
 * What-if queries about one base query: what if one node is removed and its pods join the queue? The answer is whether
 * one of the added pods ends on a node that is not initialized. Such nodes come last among the nodes.
 *
 * The base query is solved up to the first run that a what-if query changes. Its state is saved there, and each what-if
 * query continues from it.
 */
import * as claimOrder from './claim-order';
import * as claims from './claims';
import * as input from './input';
import { reserveSnapshot, restoreQuery, saveQuery } from './memory';
import * as nodes from './nodes';
import * as solve from './solve';
import { applyLimits, isCutByLimits } from './templates';
import * as topologyCounts from './topology-counts';

/**
 * A header of six i32 per query, followed by the words of all queries. The header has:
 * - the first run of the base query that is placed differently; -1 if the query is skipped
 * - the removed node
 * - first word and number of its triples (topology group, domain or host, pods): pods that no longer count
 * - first word and number of its quadruples (base run that it comes before, class, count, group): the added runs, in
 *   queue order
 */
export let whatIfQueries: usize = 0;
/**
 * u8 per query: 1 if an added pod ends on a node that is not initialized, before any pod is tried again; 0 also if this
 * is unknown.
 */
export let whatIfAnswers: usize = 0;

const HEADER_BYTES: usize = 24;

/** How many runs of the base query are solved. */
let solvedRuns: i32 = 0;

/** Begins the base query, and allocates memory for the what-if queries. The host writes them next. */
export function beginWhatIfQueries(): void {
  solve.begin(input.maxAddedPods);
  const bytes = <usize>input.whatIfCount * (HEADER_BYTES + 1) + (<usize>input.whatIfWords << 2);
  whatIfQueries = reserveSnapshot(bytes);
  whatIfAnswers = whatIfQueries + bytes - <usize>input.whatIfCount;
  solvedRuns = 0;
}

/** Queries that share the same prefix of the queue are solved from the same snapshot. */
export function solveWhatIfQueries(): void {
  for (let run = 0; run <= input.runCount; run++) {
    let isReached = false;
    let isSaved = false;
    for (let index = 0; index < input.whatIfCount; index++) {
      const header = whatIfQueries + <usize>index * HEADER_BYTES;
      if (load<i32>(header) != run) continue;
      if (!isReached) isSaved = saveAt(run);
      isReached = true;
      if (isSaved && solveWhatIf(header)) store<u8>(whatIfAnswers + <usize>index, 1);
    }
  }
}

/** Solves the base query up to this run, and saves its state. False if the state cannot be saved. */
function saveAt(run: i32): bool {
  for (; solvedRuns < run; solvedRuns++) placeRun(input.runs + <usize>solvedRuns * 12);
  claimOrder.saveState();
  claims.saveState();
  nodes.saveState();
  solve.saveState();
  topologyCounts.saveState();
  return saveQuery();
}

function solveWhatIf(header: usize): bool {
  const words = whatIfQueries + <usize>input.whatIfCount * HEADER_BYTES;
  solve.restoreState();
  store<u8>(input.nodeUsable + <usize>load<i32>(header, 4), 0);
  const uncounted = words + (<usize>load<i32>(header, 8) << 2);
  for (let index = 0; index < load<i32>(header, 12); index++) {
    const record = uncounted + <usize>index * 12;
    topologyCounts.removePods(load<i32>(record), load<i32>(record, 4), load<i32>(record, 8));
  }
  solve.watchNodes(input.firstAddedGroup, input.firstUninitializedNode);
  const isUsed = usesUninitializedNode(words + (<usize>load<i32>(header, 16) << 2), load<i32>(header, 20));
  solve.restoreState();
  claimOrder.restoreState();
  claims.restoreState();
  nodes.restoreState();
  topologyCounts.restoreState();
  restoreQuery();
  // The types within the limits are in persistent memory, so they are not part of the snapshot.
  if (input.limitCount > 0) applyLimits();
  return isUsed;
}

/**
 * Removing a node leaves more of its pool's limits. If a limit excludes a type, the answer is therefore unknown, which
 * is false here.
 */
function usesUninitializedNode(addedRuns: usize, addedRunCount: i32): bool {
  let added = 0;
  for (let run = solvedRuns; run <= input.runCount; run++) {
    for (; added < addedRunCount; added++) {
      const record = addedRuns + (<usize>added << 4);
      if (load<i32>(record) > run) break;
      placeRun(record + 4);
      if (isCutByLimits) return false;
      if (solve.isWatchedNodeUsed) return true;
    }
    if (run == input.runCount || added == addedRunCount) break;
    placeRun(input.runs + <usize>run * 12);
    if (isCutByLimits) return false;
  }
  return false;
}

function placeRun(record: usize): void {
  solve.place(load<i32>(record), load<i32>(record, 4), load<i32>(record, 8));
}
