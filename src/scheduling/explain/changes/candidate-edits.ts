import { combinedEdit, Edit } from './edit';
import { isForOtherPods } from './intent';
import { hostPortEdit, tolerationEdits } from './pod-edits';
import {
  labelEdits,
  limitEdits,
  minValuesEdits,
  nodeLimitEdits,
  startupTaintEdits,
  wideningEdits,
  wideningRank,
} from './pool-edits';
import { RefusedGroup } from './refused-group';
import { requestEdits } from './request-edits';
import { selectorEdits } from './selector-edits';
import { replicaEdits } from './static-pool-edits';
import { topologyEdits } from './topology-edits';
import { Label } from '../../../model';
import { isStatic } from '../../input/schedule-input';
import { Attempt } from '../../refusals/attempt';
import { Constraint, constraintsOf, launchableTypes, MIN_VALUES } from '../../refusals/launchable-types';

/** More constraints than this are not removed together: such a change is not small. */
const MAX_CONSTRAINTS = 3;
/** At most this many combinations of constraints are examined for one pool and number of constraints. */
const MAX_COMBINATIONS = 150;
/** At most this many combinations of one pool become edits. */
const MAX_JOINT_EDITS = 12;

/**
 * Edits after which some instance type fits: first edits of one constraint, then joint edits of two and of three, each
 * in the order of effort.
 */
export function* candidateEdits(refused: RefusedGroup): Generator<Edit> {
  const seen = new Set<string>();
  const removable = refused.attempts
    .filter(({ template: { pool } }) => !isStatic(pool))
    .filter((attempt) => !isForOtherPods(attempt, refused.attempts))
    .map((attempt) => ({
      attempt,
      constraints: inOrder(constraintsOf(attempt)),
      fitting: [] as Constraint[][],
    }));
  for (let size = 1; size <= MAX_CONSTRAINTS; size++) {
    const edits = [
      ...(size === 1 ? replicaEdits(refused) : []),
      ...removable.flatMap((pool) => (size === 1 ? singleEdits(refused, pool) : jointEdits(refused, pool, size))),
    ];
    for (const edit of edits.sort((left, right) => left.effort - right.effort)) {
      if (seen.has(edit.description)) continue;
      seen.add(edit.description);
      yield edit;
    }
  }
}

interface RefusingPool {
  readonly attempt: Attempt;
  readonly constraints: readonly Constraint[];
  /** Combinations of constraints without which an instance type fits. */
  readonly fitting: Constraint[][];
}

function singleEdits(refused: RefusedGroup, { attempt, constraints, fitting }: RefusingPool): Edit[] {
  return constraints.flatMap((constraint) => {
    const types = launchableTypes(attempt, [constraint]);
    if (types.length === 0) return [];
    fitting.push([constraint]);
    return editsFor(refused, attempt, constraint, types);
  });
}

/** Each combination has every constraint that always refuses the pod. */
function jointEdits(refused: RefusedGroup, { attempt, constraints, fitting }: RefusingPool, size: number): Edit[] {
  const always = constraints.filter(({ kind }) => kind === 'taints' || kind === 'node limit');
  const others = constraints.filter((constraint) => !always.includes(constraint));
  const edits: Edit[] = [];
  let [examined, joint] = [0, 0];
  for (const chosen of combinations(others, size - always.length)) {
    const combination = [...always, ...chosen];
    if (examined++ >= MAX_COMBINATIONS || joint >= MAX_JOINT_EDITS) break;
    // Other pods decide about limits and topology: they may be short even if an instance type fits.
    const isExtended = fitting.some(
      (smaller) =>
        smaller.every((constraint) => combination.includes(constraint)) &&
        combination.some(
          (constraint) =>
            !smaller.includes(constraint) && constraint.kind !== 'limit' && constraint.kind !== 'topology',
        ),
    );
    const types = isExtended ? [] : launchableTypes(attempt, combination);
    if (types.length === 0) continue;
    fitting.push(combination);
    const parts = combination.map((constraint) => ofJoint(editsFor(refused, attempt, constraint, types), constraint));
    const joined = parts.reduce<Edit[]>(
      (wholes, next) => wholes.flatMap((whole) => next.map((edit) => combinedEdit(whole, edit))),
      [{ description: '', effort: 0, apply: (input) => input }],
    );
    joint += Number(joined.length > 0);
    edits.push(...joined);
  }
  return edits;
}

/**
 * The edits of one constraint that a joint edit may contain: the one with the least effort, and of a limit those for
 * one node and for all pods.
 */
function ofJoint(edits: readonly Edit[], { kind }: Constraint): Edit[] {
  if (kind === 'limit') return [...new Set([edits[0], edits[edits.length - 1]])];
  return [...edits].sort((left, right) => left.effort - right.effort).slice(0, 1);
}

function* combinations<Item>(items: readonly Item[], size: number, from = 0): Generator<Item[]> {
  if (size < 0) return;
  if (size === 0) {
    yield [];
    return;
  }
  for (let index = from; index <= items.length - size; index++) {
    for (const rest of combinations(items, size - 1, index + 1)) yield [items[index], ...rest];
  }
}

function inOrder(constraints: readonly Constraint[]): Constraint[] {
  const rank = ({ kind, name }: Constraint) => (kind === 'pool' ? wideningRank(name) : -1);
  return [...constraints].sort((left, right) => rank(left) - rank(right));
}

/** @param types the instance types that fit without the constraint */
function editsFor(
  refused: RefusedGroup,
  attempt: Attempt,
  { kind, name }: Constraint,
  types: readonly number[],
): Edit[] {
  const { group, left, poolNames, attempts } = refused;
  const { template, variant } = attempt;
  const ofAgents = kind === 'taints' ? startupTaintEdits(attempt) : [];
  switch (kind) {
    case 'taints':
      return ofAgents.length > 0 ? ofAgents : tolerationEdits(group, attempt, attempts);
    case 'pool':
      return wideningEdits(attempt, name, types);
    // A pod that selects a NodePool by its name is meant for that NodePool.
    case 'pod':
      return name === Label.NODE_POOL &&
        [...variant.requirements.get(name).values].some((value) => poolNames.has(value))
        ? []
        : [
            ...selectorEdits(group, attempt, name, types),
            ...(template.requirements.has(name) || variant.requirements.get(name).operator() !== 'In'
              ? []
              : labelEdits(attempt, name)),
          ];
    // A volume cannot be moved to another zone.
    case 'volumes':
      return [];
    case 'ports':
      return [hostPortEdit(group, attempt)];
    case 'topology':
      return topologyEdits(refused, attempt);
    case 'resource':
      return requestEdits(group, attempt, name, types);
    case 'limit':
      return limitEdits(attempt, name, types, left);
    case 'node limit':
      return nodeLimitEdits(template);
    case 'minValues':
      return minValuesEdits(attempt, launchableTypes(attempt, [MIN_VALUES]));
  }
}
