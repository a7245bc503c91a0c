import { Catalog } from '../../catalog';
import { Refusal } from '../../kernel';
import { Attempt, attemptOf } from '../attempt';
import { ScheduleInput } from '../schedule-input';
import { leftBehind, SolvedInput, solveInput } from '../solve';
import { candidateEdits, Refused } from './candidate-edits';
import { Edit } from './edit';

/** What would place the pods of a group. */
export interface SmallestChange {
  /** In the imperative, as in 'lower memory from 7Gi to 6773Mi'; absent where none of the changes tried places them. */
  readonly description?: string;
  /** How many changes were tried, each by solving the changed input as a whole. */
  readonly tried: number;
}

/** Changes that are tried for one group. */
const MOST_TRIES = 16;
/** Pods solved in all: what bounds the time, whatever the machine. */
const MOST_PODS_SOLVED = 200_000;
/** Of one input, however small. */
const MOST_TRIES_IN_ALL = 48;

/**
 * For each group of pods that was left over, the first change in order of effort with which all of its pods are placed, and none
 * of the others is lost; found by trying.
 *
 * @param among groups to look at; all by default
 */
export function smallestChanges(input: ScheduleInput, catalog: Catalog, among?: ReadonlySet<number>): ReadonlyMap<number, SmallestChange> {
  const before = solveInput(input, catalog);
  const left = leftBehind(before);
  const pods = input.pods.reduce((sum, { count }) => sum + count, 0);
  let budget = Math.min(MOST_TRIES_IN_ALL, Math.floor(MOST_PODS_SOLVED / Math.max(1, pods)));
  const changes = new Map<number, SmallestChange>();
  for (const group of [...left.keys()].sort((one, other) => one - other)) {
    if (among && !among.has(group)) continue;
    const refused = refusedGroup(before, group, left.get(group)!);
    if (refused === undefined || budget === 0) continue;
    const change = firstThatPlaces(input, catalog, refused, left, Math.min(MOST_TRIES, budget));
    budget -= Math.max(1, change.tried);
    changes.set(group, change);
  }
  return changes;
}

function refusedGroup({ solved, workload, indices }: SolvedInput, group: number, left: number): Refused | undefined {
  const at = indices.indexOf(group);
  if (solved === undefined || at < 0) return undefined;
  const podClass = workload.pods.classOf[at];
  const attempts: Attempt[] = workload.templates.map((_, template) => attemptOf(solved, podClass, template));
  // Such pods need no change, but some time.
  if (attempts.some(({ code }) => code === Refusal.RESERVED)) return undefined;
  return { group, left, attempts, solved };
}

function firstThatPlaces(
  input: ScheduleInput, catalog: Catalog, refused: Refused, left: ReadonlyMap<number, number>, most: number,
): SmallestChange {
  let tried = 0;
  for (const edit of candidateEdits(refused)) {
    if (tried >= most) break;
    tried++;
    if (places(edit, input, catalog, refused.group, left)) return { description: edit.description, tried };
  }
  return { tried };
}

function places(edit: Edit, input: ScheduleInput, catalog: Catalog, group: number, before: ReadonlyMap<number, number>): boolean {
  const solved = solveInput(edit.apply(input), catalog);
  if (solved.isBeyondBounds) return false;
  const after = leftBehind(solved);
  return !after.has(group) && [...after].every(([other, count]) => count <= (before.get(other) ?? 0));
}
