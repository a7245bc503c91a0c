import { Catalog } from '../../catalog';
import { oncePer } from '../../model';
import { NodePoolSpec, ScheduleInput } from '../schedule-input';
import { SolvedInput, solveInput } from '../solve';
import { Placer } from './node-tables';
import { NodeGone } from './nodes-gone';
import { StandingProblem } from './standing-problem';

/** Simulations and provisioning take turns, with settings of their own, and offerings come and go. */
const MOST_KEPT = 8;

interface Kept {
  readonly input: ScheduleInput;
  /** Absent where such questions have to be asked one by one. */
  readonly problem?: StandingProblem;
}

/**
 * The same as `solveInput`, for whoever asks many questions about one cluster: what they have in common is kept. Pools, classes,
 * daemonsets, nodes and the shapes of pods are told apart as objects, so pass the same ones, and change none of them.
 */
export function solveAgain(input: ScheduleInput, catalog: Catalog, placer: Placer = 'Karpenter'): SolvedInput {
  const kept = keptOf(catalog);
  const at = kept.findIndex((each) => isAlike(each.input, input));
  const [known] = at < 0 ? [] : kept.splice(at, 1);
  const solved = known?.problem?.solve(input, placer);
  const next = known && (solved || !known.problem) ? known : { input, problem: newProblem(input, catalog, kept) };
  kept.unshift(next);
  kept.splice(MOST_KEPT);
  return solved ?? next.problem?.solve(input, placer) ?? solveInput(input, catalog);
}

/**
 * Per node of the input, were it gone and its pods waited with the others, whether one of these surely ends on a node that is not up yet:
 * answered for all of them faster than each by itself. Where it cannot be told without solving, or nothing is kept, it is false.
 */
export function endOnNodesNotUp(input: ScheduleInput, gone: readonly NodeGone[], catalog: Catalog): boolean[] {
  const known = keptOf(catalog).find((each) => isAlike(each.input, input));
  return known?.problem?.endOnNodesNotUp(input, gone) ?? gone.map(() => false);
}

const keptOf = oncePer((_: Catalog): Kept[] => []);

function newProblem(input: ScheduleInput, catalog: Catalog, kept: readonly Kept[]): StandingProblem | undefined {
  for (const each of kept) {
    const found = haveLikePools(each.input, input) ? each.problem?.withPools(input, catalog) : undefined;
    if (found) return found;
  }
  return StandingProblem.of(input, catalog);
}

/** Whether pools, instance types and settings are the same, whatever nodes and pods there are. */
function isAlike(left: ScheduleInput, right: ScheduleInput): boolean {
  return left.nodeClasses === right.nodeClasses && same(left.nodePools, right.nodePools) && haveSameSettings(left, right);
}

/** Whether the pools differ in nothing but in what they launch, and to whom that is all the same. */
function haveLikePools(left: ScheduleInput, right: ScheduleInput): boolean {
  return left.nodePools.length === right.nodePools.length && left.nodePools.every((pool, at) => isLike(pool, right.nodePools[at]))
    && haveSameSettings(left, right);
}

function isLike(pool: NodePoolSpec, other: NodePoolSpec): boolean {
  return pool === other || (pool.name === other.name && pool.weight === other.weight && pool.taints === other.taints
    && pool.labels === other.labels && pool.limits === other.limits && pool.replicas === other.replicas && pool.nodeClass === other.nodeClass);
}

function haveSameSettings(left: ScheduleInput, right: ScheduleInput): boolean {
  return left.nodeOverlays === right.nodeOverlays && left.daemonSets === right.daemonSets && left.namespaces === right.namespaces
    && (left.settings === right.settings || same(settingsOf(left.settings), settingsOf(right.settings)));
}

/** Keys and values of all that is not asked anew with each question. */
const settingsOf = oncePer((settings: ScheduleInput['settings']): readonly unknown[] =>
  Object.entries(settings).filter(([key]) => key !== 'reservedOfferings').flat());

function same(left: readonly unknown[], right: readonly unknown[]): boolean {
  return left.length === right.length && left.every((item, at) => item === right[at]);
}
