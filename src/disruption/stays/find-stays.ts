import { Label } from '../../model';
import { ClusterNode } from '../cluster';
import { changesFor } from './changes';
import { eventOf, plainWhy } from './describe';
import { EndState } from './end-state';
import { NodeStay, StayChange, Stays } from './node-stay';
import { Obstacle, obstacleOf } from './obstacles';
import { Change, WhatIf, WhatIfs } from './what-if';
import { ScenarioTimes } from '../scenario/scenario-times';

/** The most simulations of changes. Equal changes of several nodes are one simulation. */
const MAX_SIMULATIONS = 30;
/** About five seconds of one core, for all simulations of changes together. */
const MAX_WORK = 1_000_000;
/** Smaller savings, in USD per hour, are rounding errors of prices. */
const LEAST_SAVINGS = 1e-6;

interface Try {
  readonly node: ClusterNode;
  readonly obstacle: Obstacle;
  freedBy?: WhatIf;
  readonly triedChanges: string[];
  readonly notTried: string[];
  /** What keeps the node with the first change that does not free it. */
  leftover?: Pick<Try, 'node' | 'obstacle'> & {
    readonly changes: readonly Change[];
    readonly why: string;
    readonly end: EndState;
  };
}

/**
 * Why nodes remain after a consolidation, and the smallest change that frees each. A change counts only if the
 * simulation of the changed cluster removes the node, and the cluster costs less then.
 */
export function findStays(end: EndState, times: ScenarioTimes): Stays {
  const whatIfs = new WhatIfs(end, times, MAX_WORK, MAX_SIMULATIONS);
  const tries = end.nodes.map(
    (node): Try => ({ node, obstacle: obstacleOf(node, end), triedChanges: [], notTried: [] }),
  );
  const priceOf = ({ node }: Try) => end.priceOf(node);
  const byPrice = [...tries].sort((left, right) => priceOf(right) - priceOf(left));
  // The first change of each node comes first, so that the most nodes get one when the work is used up.
  const queues = byPrice.map((subject) => ({ subject, left: changesFor(subject.node, subject.obstacle, end) }));
  for (let round = 0; queues.some(({ left }) => round < left.length); round++)
    for (const { subject, left } of queues)
      if (!subject.freedBy && round < left.length) tryChanges(subject, [left[round]], whatIfs);
  for (const subject of byPrice) trySecondObstacle(subject, whatIfs);
  return summarized(tries, end, whatIfs);
}

/** Tries changes together. */
function tryChanges(subject: Try, changes: readonly Change[], whatIfs: WhatIfs): void {
  const outcome = whatIfs.of(changes);
  if (outcome === undefined) {
    subject.notTried.push(textOf(changes));
    return;
  }
  subject.triedChanges.push(textOf(changes));
  const { end } = outcome;
  if (!end.has(subject.node.name)) {
    if (outcome.savesUsdPerHour > LEAST_SAVINGS) subject.freedBy = outcome;
    return;
  }
  if (subject.leftover) return;
  const node = end.nodes.find(({ name }) => name === subject.node.name)!;
  const obstacle = obstacleOf(node, end);
  subject.leftover = { changes, node, obstacle, why: plainWhy(node, obstacle, end), end };
}

/** Behind an obstacle there may be another one: a second PodDisruptionBudget, or too few instance types. */
function trySecondObstacle(subject: Try, whatIfs: WhatIfs): void {
  const { leftover, obstacle, freedBy } = subject;
  if (freedBy || !leftover || !isBlock(obstacle) || !isBlock(leftover.obstacle)) return;
  for (const change of changesFor(leftover.node, leftover.obstacle, leftover.end))
    if (!subject.freedBy) tryChanges(subject, [...leftover.changes, change], whatIfs);
}

/** Whether the obstacle keeps a node no matter what its pods need. */
function isBlock({ reason }: Obstacle): boolean {
  return reason !== 'several-nodes' && reason !== 'not-cheaper' && reason !== 'unschedulable-pod';
}

function textOf(changes: readonly Change[]): string {
  return changes.map(({ text }) => text).join(', and ');
}

function summarized(tries: readonly Try[], end: EndState, whatIfs: WhatIfs): Stays {
  const freed = tries.filter(({ freedBy }) => freedBy !== undefined);
  const outcomes = [...new Set(freed.map(({ freedBy }) => freedBy!))].sort(
    (left, right) => right.savesUsdPerHour - left.savesUsdPerHour,
  );
  const nodesOf = (outcome: WhatIf) => freed.filter(({ freedBy }) => freedBy === outcome);
  const changes = outcomes.map(
    (outcome): StayChange => ({
      change: textOf(outcome.changes),
      nodes: nodesOf(outcome).map(({ node }) => node.name),
      savesUsdPerHour: outcome.savesUsdPerHour,
      ...(outcome.loses.length > 0 ? { loses: outcome.loses } : {}),
    }),
  );
  const shareOf = ({ node, freedBy }: Try) => {
    if (!freedBy) return 0;
    const all = nodesOf(freedBy).reduce((sum, other) => sum + end.priceOf(other.node), 0);
    return all === 0 ? 0 : (freedBy.savesUsdPerHour * end.priceOf(node)) / all;
  };
  const stays = tries.map((subject) => stayOf(subject, end, shareOf(subject)));
  return {
    nodes: stays
      .map((stay, index) => ({ stay, index }))
      .sort((left, right) => right.stay.savesUsdPerHour - left.stay.savesUsdPerHour || left.index - right.index)
      .map(({ stay }) => stay),
    changes,
    savesUsdPerHour: savingsTogether(outcomes, whatIfs),
  };
}

/** What all changes save at once. Without that simulation, the largest savings of one change are certain. */
function savingsTogether(outcomes: readonly WhatIf[], whatIfs: WhatIfs): number {
  if (outcomes.length === 0) return 0;
  const all = [
    ...new Map(outcomes.flatMap(({ changes }) => changes.map((change) => [change.text, change] as const))).values(),
  ];
  const together = outcomes.length === 1 ? outcomes[0] : whatIfs.of(all);
  return Math.max(outcomes[0].savesUsdPerHour, together?.savesUsdPerHour ?? 0);
}

function stayOf(
  { node, obstacle, freedBy, triedChanges, notTried, leftover }: Try,
  end: EndState,
  share: number,
): NodeStay {
  const {
    [Label.NODE_POOL]: nodePool,
    [Label.INSTANCE_TYPE]: instanceType,
    [Label.CAPACITY_TYPE]: capacityType,
  } = node.labels;
  const event = eventOf(obstacle);
  const why = plainWhy(node, obstacle, end);
  return {
    node: node.name,
    ...(nodePool === undefined ? {} : { nodePool }),
    ...(instanceType === undefined ? {} : { instanceType }),
    ...(capacityType === undefined ? {} : { capacityType }),
    usdPerHour: end.priceOf(node),
    reason: obstacle.reason,
    ...(event ? { event } : {}),
    why,
    ...(obstacle.until === undefined ? {} : { until: new Date(obstacle.until).toISOString() }),
    ...(freedBy ? { change: textOf(freedBy.changes) } : {}),
    savesUsdPerHour: share,
    changesTried: triedChanges,
    changesNotTried: freedBy ? [] : notTried,
    ...(freedBy || leftover === undefined || leftover.why === why ? {} : { stillThen: leftover.why }),
  };
}
