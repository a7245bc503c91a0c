import { Requirement, RequirementSpec, Requirements } from '../../model';
import { NodePoolSpec } from '../../scheduling';
import { fail, notEvaluated, pass } from './private/outcome';
import { Pool, poolsOf } from './private/pool';
import { Outcome, Rule, RuleContext } from './rule';

const REQUIREMENTS_PATH = ['spec', 'template', 'spec', 'requirements'];
/** Requirements and template labels of one pool together. */
const MOST_CONSTRAINTS = 100;

interface Contradiction {
  readonly key: string;
  /** As a user would read them. */
  readonly constraints: readonly string[];
  /** Of the last requirement that takes part. */
  readonly index: number;
}

/** @see https://karpenter.sh/docs/concepts/nodepools/#spectemplatespecrequirements */
export class RequirementsContradictThemselves implements Rule {
  public readonly id = 'KARP-108';
  public readonly name = 'requirements-contradict-themselves';
  public readonly severity = 'error';
  public readonly summary = 'The constraints of a NodePool on one label exclude every value, or there are more than 100 of them.';

  public check(context: RuleContext): Outcome[] {
    return poolsOf(context).flatMap((pool) => {
      if (pool.spec === undefined) {
        return [notEvaluated(pool.object, pool.why)];
      }
      const failures = [...tooMany(pool, pool.spec), ...contradictions(pool.spec).map((found) => contradictionOutcome(pool, found))];
      return failures.length > 0 ? failures : [pass(pool.object)];
    });
  }
}

function tooMany(pool: Pool, spec: NodePoolSpec): Outcome[] {
  const labels = Object.keys(spec.labels).length;
  const total = spec.requirements.length + labels;
  if (total <= MOST_CONSTRAINTS) {
    return [];
  }
  return [fail({
    object: pool.object,
    path: REQUIREMENTS_PATH,
    message: `has ${spec.requirements.length} requirements and ${labels} template labels, ${total} together; Karpenter takes ${MOST_CONSTRAINTS}`,
    remedy: `drop ${total - MOST_CONSTRAINTS} of them, or merge requirements on the same key`,
    evidence: { requirements: spec.requirements.length, labels, most: MOST_CONSTRAINTS },
  })];
}

function contradictionOutcome(pool: Pool, { key, constraints, index }: Contradiction): Outcome {
  return fail({
    object: pool.object,
    path: index < 0 ? REQUIREMENTS_PATH : [...REQUIREMENTS_PATH, index],
    message: `no value of ${key} meets ${constraints.join(' and ')}: no node can have the label`,
    remedy: `keep one of the constraints on ${key}, or give them a value in common`,
    evidence: { key, constraints },
  });
}

interface Constraint {
  readonly text: string;
  readonly requirement: Requirement;
  readonly index: number;
}

function contradictions(spec: NodePoolSpec): Contradiction[] {
  const byKey = new Map<string, Constraint[]>();
  for (const constraint of constraintsOf(spec)) {
    const key = constraint.requirement.key;
    byKey.set(key, [...byKey.get(key) ?? [], constraint]);
  }
  return [...byKey].flatMap(([key, constraints]) => {
    const culprits = culpritsAmong(constraints);
    return culprits.length === 0 ? [] : [{
      key,
      constraints: culprits.map(({ text }) => text),
      index: Math.max(...culprits.map(({ index }) => index)),
    }];
  });
}

function constraintsOf(spec: NodePoolSpec): Constraint[] {
  const labels = Requirements.fromLabels({ ...spec.labels });
  return [
    ...labels.keys().map((key) => ({ text: `label ${key}=${[...labels.get(key).values].join()}`, requirement: labels.get(key), index: -1 })),
    ...spec.requirements.map((written, index) => ({ text: describeSpec(written), requirement: Requirement.from(written), index })),
  ];
}

function describeSpec({ operator, values = [] }: RequirementSpec): string {
  switch (operator) {
    case 'Exists':
    case 'DoesNotExist': return operator;
    case 'In':
    case 'NotIn': return `${operator} [${values.join(', ')}]`;
    default: return `${operator} ${values.join(', ')}`;
  }
}

/** A single constraint, the first pair, or all together; none when some value, or the label's absence, meets them all. */
function culpritsAmong(constraints: readonly Constraint[]): readonly Constraint[] {
  for (const [position, second] of constraints.entries()) {
    const first = constraints.slice(0, position).find(({ requirement }) => conflict(requirement, second.requirement));
    if (first !== undefined) {
      return [first, second];
    }
  }
  const all = constraints.map(({ requirement }) => requirement).reduce((joined, requirement) => joined.intersect(requirement));
  const absenceAsked = constraints.some(({ requirement }) => requirement.operator() === 'DoesNotExist');
  return !absenceAsked && isEmpty(all) ? constraints : [];
}

/** A label's absence meets both NotIn and DoesNotExist, so these two never conflict with each other. */
function conflict(first: Requirement, second: Requirement): boolean {
  const absence = [first, second].every((requirement) => ['NotIn', 'DoesNotExist'].includes(requirement.operator()));
  return !absence && (!first.hasIntersection(second) || isEmpty(first.intersect(second)));
}

function isEmpty(requirement: Requirement): boolean {
  if (!requirement.complement) {
    return requirement.values.size === 0;
  }
  const { gte, lte } = requirement;
  if (gte === undefined || lte === undefined) {
    return false;
  }
  const excluded = [...requirement.values].filter((value) => /^\d+$/.test(value) && BigInt(value) >= gte && BigInt(value) <= lte);
  return BigInt(new Set(excluded.map(BigInt)).size) === lte - gte + 1n;
}
