import { Requirement, RequirementSpec, Requirements } from '../../../model';
import { NodePoolSpec } from '../../../scheduling';
import { defineRule, SubjectFinding } from '../define-rule';
import { pools } from '../subjects';

const REQUIREMENTS_PATH = ['spec', 'template', 'spec', 'requirements'];
/** Karpenter's maximum for the requirements and template labels of one NodePool together. */
const MAX_CONSTRAINTS = 100;

interface Contradiction {
  readonly key: string;
  /** In the user's notation. */
  readonly constraints: readonly string[];
  /** Index of the last requirement involved; -1 if only template labels are involved. */
  readonly index: number;
}

/** @see https://karpenter.sh/docs/concepts/nodepools/#spectemplatespecrequirements */
export const requirementsContradictThemselves = defineRule({
  id: 'KARP-108',
  name: 'requirements-contradict-themselves',
  severity: 'error',
  summary:
    'The constraints of a NodePool on one label exclude every value, or the NodePool has more than 100 constraints.',
  subjects: pools({ unknown: ({ spec, why }) => (spec === undefined ? why : undefined) }),
  judge({ spec, launch }) {
    // Constraints without a common value leave types without the label, such as those without local disks.
    const launchesNothing = launch === undefined || launch.view.instanceTypes.length === 0;
    return [
      ...tooMany(spec!),
      ...contradictions(spec!).map((contradiction) => contradictionFinding(contradiction, launchesNothing)),
    ];
  },
});

function tooMany(spec: NodePoolSpec): SubjectFinding[] {
  const labels = Object.keys(spec.labels).length;
  const total = spec.requirements.length + labels;
  if (total <= MAX_CONSTRAINTS) {
    return [];
  }
  return [
    {
      path: REQUIREMENTS_PATH,
      message: `${spec.requirements.length} requirements and ${labels} template labels are ${total} constraints; Karpenter accepts ${MAX_CONSTRAINTS}`,
      remedy: `drop ${total - MAX_CONSTRAINTS} of them, or merge requirements on the same key`,
      evidence: { requirements: spec.requirements.length, labels, most: MAX_CONSTRAINTS },
    },
  ];
}

function contradictionFinding({ key, constraints, index }: Contradiction, launchesNothing: boolean): SubjectFinding {
  const effect = launchesNothing
    ? 'the NodePool can launch no node'
    : 'the NodePool launches only instance types without this label';
  return {
    path: index < 0 ? REQUIREMENTS_PATH : [...REQUIREMENTS_PATH, index],
    message: `no value of ${key} meets ${constraints.join(' and ')}: ${effect}`,
    ...(launchesNothing ? {} : { severity: 'warning' as const }),
    remedy: `keep one of the constraints on ${key}, or give them a value in common`,
    evidence: { key, constraints },
  };
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
    byKey.set(key, [...(byKey.get(key) ?? []), constraint]);
  }
  return [...byKey].flatMap(([key, constraints]) => {
    const conflicting = conflictingConstraints(constraints);
    return conflicting.length === 0
      ? []
      : [
          {
            key,
            constraints: conflicting.map(({ text }) => text),
            index: Math.max(...conflicting.map(({ index }) => index)),
          },
        ];
  });
}

function constraintsOf(spec: NodePoolSpec): Constraint[] {
  const labels = Requirements.fromLabels({ ...spec.labels });
  return [
    ...labels.keys().map((key) => ({
      text: `label ${key}=${[...labels.get(key).values].join()}`,
      requirement: labels.get(key),
      index: -1,
    })),
    ...spec.requirements.map((written, index) => ({
      text: describeSpec(written),
      requirement: Requirement.from(written),
      index,
    })),
  ];
}

function describeSpec({ operator, values = [] }: RequirementSpec): string {
  switch (operator) {
    case 'Exists':
    case 'DoesNotExist':
      return operator;
    case 'In':
    case 'NotIn':
      return `${operator} [${values.join(', ')}]`;
    default:
      return `${operator} ${values.join(', ')}`;
  }
}

/**
 * The first two constraints that conflict, or all if they conflict only together. Empty if some value, or the
 * label's absence, meets all of them.
 */
function conflictingConstraints(constraints: readonly Constraint[]): readonly Constraint[] {
  for (const [position, second] of constraints.entries()) {
    const first = constraints.slice(0, position).find(({ requirement }) => conflict(requirement, second.requirement));
    if (first !== undefined) {
      return [first, second];
    }
  }
  const all = constraints
    .map(({ requirement }) => requirement)
    .reduce((joined, requirement) => joined.intersect(requirement));
  const absenceRequired = constraints.some(({ requirement }) => requirement.operator() === 'DoesNotExist');
  return !absenceRequired && isEmpty(all) ? constraints : [];
}

/** NotIn and DoesNotExist are both met by the label's absence, so they never conflict with each other. */
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
  const excluded = [...requirement.values].filter(
    (value) => /^\d+$/.test(value) && BigInt(value) >= gte && BigInt(value) <= lte,
  );
  return BigInt(new Set(excluded.map(BigInt)).size) === lte - gte + 1n;
}
