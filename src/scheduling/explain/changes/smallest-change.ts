import { candidateEdits } from './candidate-edits';
import { Edit, Effort } from './edit';
import { RefusedGroup } from './refused-group';
import { knownValueEdits } from './selector-edits';
import { Catalog } from '../../../catalog';
import { PackerRefusal } from '../../../kernel';
import { isStatic, ScheduleInput } from '../../input/schedule-input';
import { passesWithoutReasons, ProvisioningPass } from '../../provisioning/passes';
import { leftBehind, SolvedInput, solveInput } from '../../provisioning/solve';
import { Attempt, attemptOf } from '../../refusals/attempt';

/** The smallest change that makes a group's pods schedulable. */
export interface SmallestChange {
  /** An instruction such as 'lower memory from 7Gi to 6773Mi'; absent if no tried change helps. */
  readonly description?: string;
  /** Number of tried changes; each one simulates the provisioning passes of the whole changed input. */
  readonly tried: number;
  /** Whether the change only fixes a mistyped key, value or unit. @default false */
  readonly isTypo?: boolean;
}

/** Called between tries, and for each change with which the pods fit. */
export interface ChangeListener {
  /**
   * The input of the first pass. A typo is fixed before anything runs, so that nodes of earlier passes may be larger.
   */
  readonly firstInput?: ScheduleInput;
  /** @param finished the number of changes tried so far */
  onTry?(finished: number): void;
  /**
   * What else becomes worse if the input changes, as a clause. Then the next change is tried, and this one is returned
   * with the clause if no other helps.
   */
  objectionTo?(group: number, changed: ScheduleInput, isTypo: boolean): string | undefined;
}

/** At most this many changes are tried for one group. */
const MAX_TRIES = 16;
/** Bounds the run time by the pods that all passes of all tries together solve. */
const MAX_SOLVED_PODS = 400_000;
/** At most this many changes are tried for one input. */
const MAX_TOTAL_TRIES = 48;

/**
 * For each group with unschedulable pods: the change with the least effort that schedules all of its pods, and makes no
 * other pod unschedulable. A change may join up to three changes of single constraints. Changes are found by trying
 * them, in all passes of the provisioner.
 *
 * @param among groups to consider. @default - all
 */
export function smallestChanges(
  input: ScheduleInput,
  catalog: Catalog,
  among?: ReadonlySet<number>,
  listener: ChangeListener = {},
): ReadonlyMap<number, SmallestChange> {
  const before = solveInput(input, catalog);
  const left = leftBehind(before);
  const pods = input.pods.reduce((sum, { count }) => sum + count, 0);
  const budget: Budget = { tries: MAX_TOTAL_TRIES, pods: MAX_SOLVED_PODS, podsOfPass: pods, listener };
  const pools = {
    poolNames: new Set([...input.nodePools.map(({ name }) => name), ...(input.unreadyPools ?? [])]),
    staticPools: input.nodePools.filter(isStatic),
    pods: input.pods,
  };
  const changes = new Map<number, SmallestChange>();
  for (const group of [...left.keys()].sort((first, second) => first - second)) {
    if (among && !among.has(group)) continue;
    const refused = refusedGroup(before, group, left.get(group)!, pools);
    const edits = refused === undefined ? knownValueEdits(group, input.pods[group].shape) : candidateEdits(refused);
    if (edits === undefined || isSpent(budget)) continue;
    const change = firstThatPlaces(input, catalog, { group, edits }, left, budget);
    // Even a search without a try takes time.
    if (change.tried === 0) budget.tries--;
    changes.set(group, change);
  }
  return changes;
}

/** What is left to spend on tries. */
interface Budget {
  tries: number;
  pods: number;
  readonly podsOfPass: number;
  readonly listener: ChangeListener;
}

function isSpent({ tries, pods, podsOfPass }: Budget): boolean {
  return tries <= 0 || pods < podsOfPass;
}

function refusedGroup(
  { solved, workload, indices }: SolvedInput,
  group: number,
  left: number,
  pools: Pick<RefusedGroup, 'poolNames' | 'staticPools' | 'pods'>,
): RefusedGroup | undefined {
  const index = indices.indexOf(group);
  if (solved === undefined || index < 0) return undefined;
  const podClass = workload.pods.classOf[index];
  const attempts: Attempt[] = workload.templates.map((_, template) => attemptOf(solved, podClass, template));
  // Deferred pods need no change: a later pass schedules them.
  if (attempts.some(({ refusal }) => refusal === PackerRefusal.RESERVED)) return undefined;
  return { group, left, attempts, solved, indices, ...pools };
}

function firstThatPlaces(
  input: ScheduleInput,
  catalog: Catalog,
  { group, edits }: { readonly group: number; readonly edits: Iterable<Edit> },
  left: ReadonlyMap<number, number>,
  budget: Budget,
): SmallestChange {
  const { listener } = budget;
  let tried = 0;
  let rejected: string | undefined;
  for (const edit of edits) {
    if (tried >= MAX_TRIES || isSpent(budget)) break;
    tried++;
    listener.onTry?.(MAX_TOTAL_TRIES - budget.tries);
    const isTypo = edit.effort === Effort.TYPO;
    const { firstInput = input } = listener;
    const fits = (changed: ScheduleInput) => {
      const passes = passesWithoutReasons(changed, catalog);
      budget.tries--;
      budget.pods -= passes.length * budget.podsOfPass;
      return places(passes, group, left);
    };
    const changed = edit.apply(input);
    if (!fits(changed) && !(isTypo && firstInput !== input && fits(edit.apply(firstInput)))) continue;
    const objection = listener.objectionTo?.(group, changed, isTypo);
    if (objection === undefined) return { description: edit.description, tried, ...(isTypo ? { isTypo } : {}) };
    rejected ??= `${edit.description}; this alone leads to another problem (${objection})`;
  }
  return { ...(rejected === undefined ? {} : { description: rejected }), tried };
}

function places(passes: readonly ProvisioningPass[], group: number, before: ReadonlyMap<number, number>): boolean {
  const { solved } = passes[passes.length - 1];
  if (solved.isBeyondBounds) return false;
  const after = leftBehind(solved);
  return !after.has(group) && [...after].every(([otherGroup, count]) => count <= (before.get(otherGroup) ?? 0));
}
