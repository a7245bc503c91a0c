import { Attempt, SolvedWorkload } from '../attempt';
import { Constraint, constraintsOf, launchableTypes, MIN_VALUES } from '../launchable-types';
import { combinedEdit, Edit } from './edit';
import { hostPortEdit, selectorEdits, tolerationEdits, requestEdits } from './pod-edits';
import { labelEdits, limitEdits, minValuesEdits, nodeLimitEdits, wideningEdits, wideningRank } from './pool-edits';
import { topologyEdits } from './topology-edits';

/** A group with unschedulable pods, and the attempt with each pool. */
export interface RefusedGroup {
  /** Index into `ScheduleInput.pods`. */
  readonly group: number;
  /** Number of unschedulable pods of the group. */
  readonly left: number;
  /** In the order in which Karpenter tries the pools. */
  readonly attempts: readonly Attempt[];
  readonly solved: SolvedWorkload;
}

/** At most this many pairs of edits are considered: with more conflicts, a small change does not help. */
const MAX_PAIRS = 12;

/**
 * Edits after which some instance type fits, least effort first. Pairs of edits are considered only if no single edit
 * helps.
 */
export function candidateEdits(refused: RefusedGroup): Edit[] {
  const singles = refused.attempts.flatMap((attempt) => singleEdits(refused, attempt));
  const edits = singles.length > 0 ? singles : refused.attempts.flatMap((attempt) => pairEdits(refused, attempt));
  const distinct = new Map<string, Edit>();
  for (const edit of edits) if (!distinct.has(edit.description)) distinct.set(edit.description, edit);
  return [...distinct.values()].sort((left, right) => left.effort - right.effort);
}

function singleEdits(refused: RefusedGroup, attempt: Attempt): Edit[] {
  return inOrder(constraintsOf(attempt)).flatMap((constraint) => {
    const types = launchableTypes(attempt, [constraint]);
    return types.length === 0 ? [] : editsFor(refused, attempt, constraint, types);
  });
}

function pairEdits(refused: RefusedGroup, attempt: Attempt): Edit[] {
  const constraints = inOrder(constraintsOf(attempt));
  const pairs: Edit[] = [];
  for (const [index, first] of constraints.entries()) {
    for (const second of constraints.slice(index + 1)) {
      if (pairs.length >= MAX_PAIRS) return pairs;
      const types = launchableTypes(attempt, [first, second]);
      if (types.length === 0) continue;
      const [firstEdit] = editsFor(refused, attempt, first, types);
      const [secondEdit] = editsFor(refused, attempt, second, types);
      if (firstEdit !== undefined && secondEdit !== undefined) pairs.push(combinedEdit(firstEdit, secondEdit));
    }
  }
  return pairs;
}

function inOrder(constraints: readonly Constraint[]): Constraint[] {
  const rank = ({ kind, name }: Constraint) => kind === 'pool' ? wideningRank(name) : -1;
  return [...constraints].sort((left, right) => rank(left) - rank(right));
}

/** @param types the instance types that fit without the constraint */
function editsFor({ group, left, solved }: RefusedGroup, attempt: Attempt, { kind, name }: Constraint, types: readonly number[]): Edit[] {
  const { template, variant } = attempt;
  switch (kind) {
    case 'taints': return tolerationEdits(group, attempt);
    case 'pool': return wideningEdits(attempt, name, types);
    case 'pod': return [
      ...selectorEdits(group, attempt, name, types),
      ...template.requirements.has(name) || variant.requirements.get(name).operator() !== 'In' ? [] : labelEdits(attempt, name),
    ];
    // A volume cannot be moved to another zone.
    case 'volumes': return [];
    case 'ports': return [hostPortEdit(group, attempt)];
    case 'topology': return topologyEdits(group, attempt, solved);
    case 'resource': return requestEdits(group, attempt, name, types);
    case 'limit': return limitEdits(attempt, name, types, left);
    case 'node limit': return nodeLimitEdits(template);
    case 'minValues': return minValuesEdits(attempt, launchableTypes(attempt, [MIN_VALUES]));
  }
}
