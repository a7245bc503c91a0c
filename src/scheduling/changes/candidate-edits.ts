import { Attempt, Solved } from '../attempt';
import { Constraint, constraintsOf, launchableTypes, MIN_VALUES } from '../launchable-types';
import { bothOf, Edit } from './edit';
import { hostPortEdit, selectorEdits, tolerationEdits } from './pod-edits';
import { labelEdits, limitEdits, minValuesEdits, nodeLimitEdits, wideningEdits, wideningRank } from './pool-edits';
import { requestEdits } from './request-edits';
import { topologyEdits } from './topology-edits';

/** A pod of a group that found no node, and what each pool said to it. */
export interface Refused {
  /** Index into `ScheduleInput.pods`. */
  readonly group: number;
  /** How many of its pods are left over. */
  readonly left: number;
  /** In the order in which Karpenter tries the pools. */
  readonly attempts: readonly Attempt[];
  readonly solved: Solved;
}

/** More pairs than these are not thought through: where so much is wrong, one change is no help. */
const MOST_PAIRS = 12;

/** What could be changed so that some instance type is left, the least effort first. */
export function candidateEdits(refused: Refused): Edit[] {
  const singles = refused.attempts.flatMap((attempt) => singleEdits(refused, attempt));
  const edits = singles.length > 0 ? singles : refused.attempts.flatMap((attempt) => pairEdits(refused, attempt));
  const distinct = new Map<string, Edit>();
  for (const edit of edits) if (!distinct.has(edit.description)) distinct.set(edit.description, edit);
  return [...distinct.values()].sort((left, right) => left.effort - right.effort);
}

function singleEdits(refused: Refused, attempt: Attempt): Edit[] {
  return inOrder(constraintsOf(attempt)).flatMap((constraint) => {
    const types = launchableTypes(attempt, [constraint]);
    return types.length === 0 ? [] : editsFor(refused, attempt, constraint, types);
  });
}

function pairEdits(refused: Refused, attempt: Attempt): Edit[] {
  const constraints = inOrder(constraintsOf(attempt));
  const pairs: Edit[] = [];
  for (const [at, first] of constraints.entries()) {
    for (const second of constraints.slice(at + 1)) {
      if (pairs.length >= MOST_PAIRS) return pairs;
      const types = launchableTypes(attempt, [first, second]);
      if (types.length === 0) continue;
      const [one] = editsFor(refused, attempt, first, types);
      const [other] = editsFor(refused, attempt, second, types);
      if (one !== undefined && other !== undefined) pairs.push(bothOf(one, other));
    }
  }
  return pairs;
}

function inOrder(constraints: readonly Constraint[]): Constraint[] {
  const rank = ({ kind, name }: Constraint) => kind === 'pool' ? wideningRank(name) : -1;
  return [...constraints].sort((left, right) => rank(left) - rank(right));
}

/** @param types instance types that would do without the constraint */
function editsFor({ group, left, solved }: Refused, attempt: Attempt, { kind, name }: Constraint, types: readonly number[]): Edit[] {
  const { template, variant } = attempt;
  switch (kind) {
    case 'taints': return tolerationEdits(group, attempt);
    case 'pool': return wideningEdits(attempt, name, types);
    case 'pod': return [
      ...selectorEdits(group, attempt, name, types),
      ...template.requirements.has(name) || variant.requirements.get(name).operator() !== 'In' ? [] : labelEdits(attempt, name),
    ];
    // What a volume is bound to cannot be changed.
    case 'volumes': return [];
    case 'ports': return [hostPortEdit(group, attempt)];
    case 'topology': return topologyEdits(group, attempt, solved);
    case 'resource': return requestEdits(group, attempt, name, types);
    case 'limit': return limitEdits(attempt, name, types, left);
    case 'node limit': return nodeLimitEdits(template);
    case 'minValues': return minValuesEdits(attempt, launchableTypes(attempt, [MIN_VALUES]));
  }
}

