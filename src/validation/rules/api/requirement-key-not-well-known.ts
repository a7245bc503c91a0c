import { LabelSuggestion, suggestLabel } from './labels/label-suggestion';
import { preferredKeyFindings } from './labels/preferred-keys';
import { renameField, safeFix, setField, unsafeFix } from '../../../contract';
import {
  countText,
  isRestrictedLabel,
  Label,
  labelDomain,
  labelName,
  normalizeLabelKey,
  Requirements,
  RequirementSpec,
} from '../../../model';
import { matchingTypes, NodePoolSpec, PodShape } from '../../../scheduling';
import { AUTO_MODE_GROUP, autoModeLabelFor } from '../../eks-auto-mode';
import { WorkloadManifest } from '../../manifest/model';
import { allPodsHaveNodes } from '../common/placements';
import {
  requirementAlternatives,
  constraintPath,
  labelKeyEdit,
  requiresLabel,
  targetsNonKarpenterNodes,
} from '../common/pod-constraints';
import { Pool, poolsOf, templateRequirements } from '../common/pool';
import { IdleSeverity, idleSeverityOf } from '../common/replicas';
import { fail, notEvaluated, Outcome, pass, Rule, RuleContext } from '../rule';

const OLD_NODE_POOL_LABEL = 'karpenter.sh/provisioner-name';
const TEMPLATE_PATH = ['spec', 'template'];

/** @see https://karpenter.sh/docs/concepts/scheduling/#labels */
export const requirementKeyNotWellKnown: Rule = {
  id: 'KARP-105',
  name: 'requirement-key-not-well-known',
  severity: 'error',
  summary: 'A constraint uses a misspelt label of Karpenter: it restricts nothing, or no node can meet it.',
  check(context: RuleContext): Outcome[] {
    const pools = poolsOf(context);
    return [
      ...pools.flatMap((pool) => checkPool(pool)),
      ...(pools.length === 0
        ? []
        : context.model.workloads.flatMap((workload) => [
            ...checkWorkload(context, workload, pools),
            ...preferredKeyFindings(context, workload, pools),
          ])),
    ];
  },
};

function checkPool(pool: Pool): Outcome[] {
  const { spec } = pool;
  if (spec === undefined) {
    const rejected = rejectedKeys(pool);
    return rejected.length > 0 ? rejected : [notEvaluated(pool.object, pool.why)];
  }
  const failures = [
    ...spec.requirements.flatMap((requirement, index) => checkRequirement(pool, spec, requirement, index)),
    ...Object.keys(spec.labels)
      .sort()
      .flatMap((key) => checkTemplateLabel(pool, spec, key)),
  ];
  return failures.length > 0 ? failures : [pass(pool.object)];
}

function checkWorkload(context: RuleContext, workload: WorkloadManifest, pools: readonly Pool[]): Outcome[] {
  const { shape } = workload;
  if (shape === undefined || workload.kind === 'DaemonSet' || targetsNonKarpenterNodes(workload)) {
    return [];
  }
  const alternatives = requirementAlternatives(shape).map((specs) =>
    [...new Set(specs.filter(requiresLabel).map(({ key }) => key))].sort(),
  );
  if (alternatives.every((keys) => keys.length === 0)) {
    return [];
  }
  const misspelt = alternatives.map((keys) => misspeltKeys(keys, pools));
  // A node has to meet one of the alternatives only.
  if (misspelt.some((keys) => keys.size === 0) || allPodsHaveNodes(context, workload)) {
    return [pass(workload.object)];
  }
  const idle = idleSeverityOf(context.model, workload);
  return [...new Map(misspelt.flatMap((keys) => [...keys]))].map(([key, near]) =>
    workloadFinding(workload, shape, key, near, { idle, remedy: workloadRemedy(shape, key, near, pools) }),
  );
}

/** Suggestions for the keys that no NodePool declares and that certainly are misspelt. */
function misspeltKeys(keys: readonly string[], pools: readonly Pool[]): ReadonlyMap<string, LabelSuggestion> {
  return new Map(
    keys.flatMap((key) => {
      const near = suggestLabel(key);
      const declared = pools.some(
        ({ spec, requirements, autoMode }) =>
          spec === undefined || requirements?.has(key) || (autoMode && isAutoModeLabel(key)),
      );
      return near?.certain && !declared ? [[key, near] as const] : [];
    }),
  );
}

/** The API server rejects unknown labels under Karpenter's own domains, so these NodePools have no usable spec. */
function rejectedKeys({ object }: Pool): Outcome[] {
  const requirements = object.raw?.spec?.template?.spec?.requirements;
  const written: readonly any[] = Array.isArray(requirements) ? requirements : [];
  const keys = written.map((requirement) => requirement?.key);
  return written.flatMap((requirement, index): Outcome[] => {
    const key = requirement?.key;
    const near = typeof key === 'string' && isRestrictedLabel(key) ? suggestLabel(key) : undefined;
    const isOwnName = near?.suggestion === Label.NODE_POOL;
    return near === undefined
      ? []
      : [
          fail({
            object,
            path: [...TEMPLATE_PATH, 'spec', 'requirements', index, 'key'],
            message: `unknown Karpenter label ${key} in a requirement: the API server rejects the NodePool; did you mean ${near.suggestion}?`,
            remedy: keys.includes(near.suggestion)
              ? `remove it, because ${near.suggestion} is required already`
              : isOwnName
                ? `remove it, because Karpenter sets ${near.suggestion} itself`
                : `write ${near.suggestion}`,
            evidence: { key, suggestion: near.suggestion },
            fix:
              isOwnName || keys.includes(near.suggestion)
                ? undefined
                : safeFix(setField([...TEMPLATE_PATH, 'spec', 'requirements', index, 'key'], near.suggestion)),
          }),
        ];
  });
}

function checkRequirement(pool: Pool, spec: NodePoolSpec, requirement: RequirementSpec, index: number): Outcome[] {
  const autoModeKey = pool.autoMode ? autoModeLabelFor(requirement.key) : undefined;
  if (autoModeKey !== undefined) return [selfManagedLabelFinding(pool, spec, index, autoModeKey)];
  const near = suggestionFor(pool, requirement.key);
  if (near === undefined) {
    return [];
  }
  if (isRequired(spec, near.suggestion)) return [];
  const corrected = spec.requirements.map((written, position) =>
    position === index ? { ...written, key: near.suggestion } : written,
  );
  const types = countTypes(pool, { ...spec, requirements: corrected });
  // Under another domain the values decide: a user's own label rarely has values that instance types have.
  const meant = near.certain || (requirement.operator === 'In' && types !== undefined && types > 0);
  return meant ? [requirementFinding(pool, requirement, index, near, types)] : [];
}

function selfManagedLabelFinding({ object }: Pool, spec: NodePoolSpec, index: number, suggestion: string): Outcome {
  const { key } = spec.requirements[index];
  const isRepeated = isRequired(spec, suggestion);
  const path = [...TEMPLATE_PATH, 'spec', 'requirements', index, 'key'];
  return fail({
    object,
    path,
    message: `requirement on ${key}, a label of a self-managed Karpenter: it selects no instance types of EKS Auto Mode, whose label is ${suggestion}`,
    remedy: isRepeated ? `remove it, because ${suggestion} is required already` : `write ${suggestion}`,
    evidence: { key, suggestion },
    fix: isRepeated ? undefined : unsafeFix(setField(path, suggestion)),
    severity: 'warning',
  });
}

function requirementFinding(
  pool: Pool,
  { key }: RequirementSpec,
  index: number,
  near: LabelSuggestion,
  types: number | undefined,
): Outcome {
  const { suggestion, certain } = near;
  const before = pool.launch?.view.instanceTypes.length;
  const remain = before === undefined ? '' : ` (all ${before} types remain)`;
  return fail({
    object: pool.object,
    path: [...TEMPLATE_PATH, 'spec', 'requirements', index, 'key'],
    message:
      `requirement on ${key}, which is not a label of Karpenter: Karpenter treats it as a custom label that restricts no instance type${remain}; ` +
      `did you mean ${suggestion}${wouldLeave(types)}?`,
    remedy: types === 0 ? `${withOtherValues(suggestion)}, or remove the requirement` : `write ${suggestion}`,
    evidence: { key, suggestion, instanceTypes: before ?? null, instanceTypesWithSuggestion: types ?? null },
    fix:
      types === 0
        ? undefined
        : { safe: certain, edits: [setField([...TEMPLATE_PATH, 'spec', 'requirements', index, 'key'], suggestion)] },
    severity: certain ? undefined : 'warning',
  });
}

/**
 * Reports the name of a well-known label under the wrong platform domain. Any other key is assumed to be the user's
 * own.
 */
function checkTemplateLabel(pool: Pool, spec: NodePoolSpec, key: string): Outcome[] {
  const near = suggestionFor(pool, key);
  if (near === undefined || !near.certain || labelName(key) !== labelName(near.suggestion)) {
    return [];
  }
  const { [key]: value, ...labels } = spec.labels;
  const types = countTypes(pool, { ...spec, labels: { ...labels, [near.suggestion]: value } });
  // A label whose value no instance type has is the user's own.
  if (types === 0 || isRequired(spec, near.suggestion)) return [];
  return [
    fail({
      object: pool.object,
      path: [...TEMPLATE_PATH, 'metadata', 'labels', key],
      message: `template label ${key}=${value} restricts no instance type; did you mean ${near.suggestion}${wouldLeave(types)}?`,
      remedy: `write ${near.suggestion}, preferably as a requirement`,
      evidence: { key, suggestion: near.suggestion, instanceTypesWithSuggestion: types ?? null },
      fix: safeFix(renameField([...TEMPLATE_PATH, 'metadata', 'labels', key], near.suggestion)),
      severity: 'warning',
    }),
  ];
}

function wouldLeave(types: number | undefined): string {
  return types === undefined || types === 0 ? '' : `, which would leave ${countText(types, 'type')}`;
}

/** Whether the NodePool restricts the label already. */
function isRequired({ requirements, labels }: NodePoolSpec, key: string): boolean {
  return Object.hasOwn(labels, key) || requirements.some((requirement) => normalizeLabelKey(requirement.key) === key);
}

function withOtherValues(key: string): string {
  return `write ${key} with values that instance types have`;
}

interface WorkloadAdvice {
  readonly idle: IdleSeverity;
  readonly remedy: string;
}

/** The meant label with the same values, if some NodePool can launch a node with them. */
function workloadRemedy(shape: PodShape, key: string, { suggestion }: LabelSuggestion, pools: readonly Pool[]): string {
  if (key === OLD_NODE_POOL_LABEL) return `write ${suggestion} and the name of a NodePool`;
  const requirements = requirementAlternatives(shape).flat();
  if (requirements.some((requirement) => normalizeLabelKey(requirement.key) === suggestion))
    return `remove it, because ${suggestion} is required already`;
  const meant = requirements
    .filter((requirement) => requirement.key === key)
    .map((requirement) => ({ ...requirement, key: suggestion }));
  const typeCounts = pools.map(
    (pool) => pool.spec && countTypes(pool, { ...pool.spec, requirements: [...pool.spec.requirements, ...meant] }),
  );
  return typeCounts.every((types) => types === 0) ? withOtherValues(suggestion) : `write ${suggestion}`;
}

function workloadFinding(
  workload: WorkloadManifest,
  shape: PodShape,
  key: string,
  { suggestion }: LabelSuggestion,
  { idle: { severity, note }, remedy }: WorkloadAdvice,
): Outcome {
  const path = constraintPath(workload, shape, key);
  return fail({
    object: workload.object,
    path,
    message: `requires the label ${key}, which Karpenter does not know and no NodePool declares: its pods stay Pending; did you mean ${suggestion}?${note}`,
    remedy,
    evidence: { key, suggestion },
    // Any other remedy also changes the values.
    fix: remedy === `write ${suggestion}` ? safeFix(labelKeyEdit(path, suggestion)) : undefined,
    severity,
  });
}

/**
 * Labels of EKS Auto Mode are valid in NodePools of Auto Mode. The API server refuses the label with the name of the
 * NodePool, which Karpenter sets itself.
 */
function suggestionFor(pool: Pool, key: string): LabelSuggestion | undefined {
  const near = pool.autoMode && isAutoModeLabel(key) ? undefined : suggestLabel(key);
  return near?.suggestion === Label.NODE_POOL ? undefined : near;
}

function isAutoModeLabel(key: string): boolean {
  return labelDomain(key) === AUTO_MODE_GROUP;
}

/** Number of instance types that the changed NodePool could launch; undefined if its node class is unknown. */
function countTypes({ launch }: Pool, spec: NodePoolSpec): number | undefined {
  // Instance types do not have the label of the NodePool's name.
  const requirements = templateRequirements(spec)
    .values()
    .filter(({ key }) => key !== Label.NODE_POOL);
  return launch === undefined ? undefined : matchingTypes(launch.table, Requirements.of(requirements)).length;
}
