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
import { addressOf, recordAt, Run } from './records';
import * as solve from './solve';
import { applyLimits, isCutByLimits } from './templates';
import * as topologyCounts from './topology-counts';

@unmanaged
class WhatIfQuery {
  /** The first run of the base query that is placed differently; -1 if the query is skipped. */
  firstRun: i32;
  removedNode: i32;
  /** First word and number of its UncountedPods. */
  uncountedStart: i32;
  uncountedCount: i32;
  /** First word and number of its AddedRuns, in queue order. */
  addedStart: i32;
  addedCount: i32;
}

/** Pods that no longer count in a domain, or on a host, of the topology group. */
@unmanaged
class UncountedPods {
  group: i32;
  domain: i32;
  pods: i32;
}

/** A run that is added before a run of the base query. */
@unmanaged
class AddedRun {
  before: i32;
  podClass: i32;
  pods: i32;
  group: i32;
}

/** A WhatIfQuery per query, followed by the words of all queries. */
export let whatIfQueries: usize = 0;
/**
 * u8 per query: 1 if an added pod ends on a node that is not initialized, before any pod is tried again; 0 also if this
 * is unknown.
 */
export let whatIfAnswers: usize = 0;

/** How many runs of the base query are solved. */
let solvedRuns: i32 = 0;

/** Begins the base query, and allocates memory for the what-if queries. The host writes them next. */
export function beginWhatIfQueries(): void {
  solve.begin(input.maxAddedPods);
  const bytes = <usize>input.whatIfCount * (offsetof<WhatIfQuery>() + 1) + (<usize>input.whatIfWords << 2);
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
      const query = recordAt<WhatIfQuery>(whatIfQueries, index);
      if (query.firstRun != run) continue;
      if (!isReached) isSaved = saveAt(run);
      isReached = true;
      if (isSaved && solveWhatIf(query)) store<u8>(whatIfAnswers + <usize>index, 1);
    }
  }
}

/** Solves the base query up to this run, and saves its state. False if the state cannot be saved. */
function saveAt(run: i32): bool {
  for (; solvedRuns < run; solvedRuns++) placeRun(recordAt<Run>(input.runs, solvedRuns));
  claimOrder.saveState();
  claims.saveState();
  nodes.saveState();
  solve.saveState();
  topologyCounts.saveState();
  return saveQuery();
}

function solveWhatIf(query: WhatIfQuery): bool {
  const words = addressOf<WhatIfQuery>(whatIfQueries, input.whatIfCount);
  solve.restoreState();
  store<u8>(input.nodeUsable + <usize>query.removedNode, 0);
  const uncounted = words + (<usize>query.uncountedStart << 2);
  for (let index = 0; index < query.uncountedCount; index++) {
    const removed = recordAt<UncountedPods>(uncounted, index);
    topologyCounts.removePods(removed.group, removed.domain, removed.pods);
  }
  solve.watchNodes(input.firstAddedGroup, input.firstUninitializedNode);
  const isUsed = usesUninitializedNode(words + (<usize>query.addedStart << 2), query.addedCount);
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
      const addedRun = recordAt<AddedRun>(addedRuns, added);
      if (addedRun.before > run) break;
      solve.place(addedRun.podClass, addedRun.pods, addedRun.group);
      if (isCutByLimits) return false;
      if (solve.isWatchedNodeUsed) return true;
    }
    if (run == input.runCount || added == addedRunCount) break;
    placeRun(recordAt<Run>(input.runs, run));
    if (isCutByLimits) return false;
  }
  return false;
}

function placeRun(run: Run): void {
  solve.place(run.podClass, run.pods, run.group);
}
