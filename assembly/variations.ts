/**
 * One question in variations: in each, one node takes no more pods, and its own pods come in. The queue is answered up to the first
 * run that this makes a difference for, and gone on with from there in each of them: whether one of the pods that came in ends on a node
 * of the last ones, those that are not up yet.
 */
import * as candidates from './candidates';
import * as claims from './claims';
import * as fullNodes from './full-nodes';
import * as input from './input';
import { copyQuestion, reserveCopy, restoreQuestion } from './memory';
import * as nodes from './nodes';
import * as solve from './solve';
import { applyLimits, isCutByLimits } from './templates';
import * as topologyCounts from './topology-counts';

/** Of the base's runs, how many are placed. */
let placed: i32 = 0;

/** Begins the question that all are variations of. */
export function beginVariations(): void {
  solve.begin(input.morePods);
  const wanted = fullNodes.bytesWanted();
  const start = reserveCopy(wanted);
  if (wanted > 0) fullNodes.begin(start);
  placed = 0;
}

/** Goes on to this run of the queue, and keeps what is there by then; false where it cannot be kept. */
export function keepAt(run: i32): bool {
  for (; placed < run; placed++) placeRun(input.runs + <usize>placed * 12);
  candidates.keep();
  claims.keep();
  nodes.keep();
  solve.keep();
  topologyCounts.keep();
  return copyQuestion();
}

/** Whether a pod that came in ends on a node that is not up yet, in the first round; false also where it cannot be told. */
export function vary(): bool {
  solve.restore();
  store<u8>(input.nodeUsable + <usize>input.goneNode, 0);
  for (let at = 0; at < input.uncountedCount; at++) {
    const record = input.uncounted + <usize>at * 12;
    topologyCounts.uncount(load<i32>(record), load<i32>(record, 4), load<i32>(record, 8));
  }
  solve.watch(input.firstMoreGroup, input.firstNodeNotUp);
  const isSeen = goOn();
  solve.restore();
  candidates.restore();
  claims.restore();
  nodes.restore();
  topologyCounts.restore();
  restoreQuestion();
  // What limits leave out stands with the templates, which outlast the question.
  if (input.limitCount > 0) applyLimits();
  return isSeen;
}

/** A limit leaves more with a node gone: what is cut by one proves nothing. */
function goOn(): bool {
  let more = 0;
  for (let run = placed; run <= input.runCount; run++) {
    for (; more < input.moreRunCount; more++) {
      const record = input.moreRuns + (<usize>more << 4);
      if (load<i32>(record) > run) break;
      placeRun(record + 4);
      if (isCutByLimits) return false;
      if (solve.isSeen) return true;
    }
    if (run == input.runCount || more == input.moreRunCount) break;
    placeRun(input.runs + <usize>run * 12);
    if (isCutByLimits) return false;
  }
  return false;
}

function placeRun(record: usize): void {
  solve.place(load<i32>(record), load<i32>(record, 4), load<i32>(record, 8));
}
