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

/**
 * Per variation six i32: the first run of the question that is placed otherwise for it (-1: it is not asked), the node that takes no more
 * pods, and of the words behind them all, each as the first and how many, its triples (topology group, domain or host, pods) of what no
 * longer counts, and its quadruples (the run of the queue that it comes before, class, count, group) of the runs that come in, in their order.
 */
export let variations: usize = 0;
/** u8 per variation: 1 where a pod that came in ends on a node that is not up yet, in the first round; 0 also where it cannot be told. */
export let answers: usize = 0;

const HEAD_BYTES: usize = 24;

/** Of the base's runs, how many are placed. */
let placed: i32 = 0;

/** Begins the question that all are variations of, and makes room for them. */
export function beginVariations(): void {
  solve.begin(input.morePods);
  const kept = fullNodes.bytesWanted();
  const bytes = <usize>input.variationCount * (HEAD_BYTES + 1) + (<usize>input.variationWords << 2);
  const start = reserveCopy(kept + bytes);
  fullNodes.begin(start);
  variations = start + kept;
  answers = variations + bytes - <usize>input.variationCount;
  placed = 0;
}

/** Those that begin with the same of the queue are answered after one another. */
export function answerVariations(): void {
  for (let run = 0; run <= input.runCount; run++) {
    let isReached = false;
    let isKept = false;
    for (let at = 0; at < input.variationCount; at++) {
      const head = variations + <usize>at * HEAD_BYTES;
      if (load<i32>(head) != run) continue;
      if (!isReached) isKept = keepAt(run);
      isReached = true;
      if (isKept && vary(head)) store<u8>(answers + <usize>at, 1);
    }
  }
}

/** Goes on to this run of the queue, and keeps what is there by then; false where it cannot be kept. */
function keepAt(run: i32): bool {
  for (; placed < run; placed++) placeRun(input.runs + <usize>placed * 12);
  candidates.keep();
  claims.keep();
  nodes.keep();
  solve.keep();
  topologyCounts.keep();
  return copyQuestion();
}

function vary(head: usize): bool {
  const words = variations + <usize>input.variationCount * HEAD_BYTES;
  solve.restore();
  store<u8>(input.nodeUsable + <usize>load<i32>(head, 4), 0);
  const uncounted = words + (<usize>load<i32>(head, 8) << 2);
  for (let at = 0; at < load<i32>(head, 12); at++) {
    const record = uncounted + <usize>at * 12;
    topologyCounts.uncount(load<i32>(record), load<i32>(record, 4), load<i32>(record, 8));
  }
  solve.watch(input.firstMoreGroup, input.firstNodeNotUp);
  const isSeen = goOn(words + (<usize>load<i32>(head, 16) << 2), load<i32>(head, 20));
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
function goOn(moreRuns: usize, moreRunCount: i32): bool {
  let more = 0;
  for (let run = placed; run <= input.runCount; run++) {
    for (; more < moreRunCount; more++) {
      const record = moreRuns + (<usize>more << 4);
      if (load<i32>(record) > run) break;
      placeRun(record + 4);
      if (isCutByLimits) return false;
      if (solve.isSeen) return true;
    }
    if (run == input.runCount || more == moreRunCount) break;
    placeRun(input.runs + <usize>run * 12);
    if (isCutByLimits) return false;
  }
  return false;
}

function placeRun(record: usize): void {
  solve.place(load<i32>(record), load<i32>(record, 4), load<i32>(record, 8));
}
