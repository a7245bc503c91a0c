import {
  asRecord,
  FieldPath,
  FieldProblem,
  quoteField,
  rejected,
  renameField,
  safeFix,
  setField,
  unsafeFix,
} from '../../../contract';
import { nearestName, Quantity } from '../../../model';
import { isCount, isToken } from '../field-reader';
import { ManifestObject } from '../model';
import { PlainRecord, recordsOf } from '../records';
import { timeZoneProblem } from './time-zones';

/** @see https://keda.sh/docs/latest/reference/scaledobject-spec/ */
const SCALED_OBJECT_FIELDS = [
  'scaleTargetRef',
  'pollingInterval',
  'initialCooldownPeriod',
  'cooldownPeriod',
  'idleReplicaCount',
  'minReplicaCount',
  'maxReplicaCount',
  'advanced',
  'triggers',
  'fallback',
];
/** Names of the same fields in a HorizontalPodAutoscaler. */
const OTHER_NAMES: ReadonlyMap<string, string> = new Map([
  ['minReplicas', 'minReplicaCount'],
  ['maxReplicas', 'maxReplicaCount'],
]);
const OF_RESOURCES: readonly unknown[] = ['cpu', 'memory'];
const HIGHEST_PRIORITY = 1_000_000_000;

/** Fields of a ScaledObject that are misspelt, and texts of its triggers that are numbers. */
export function scaledObjectProblems(spec: PlainRecord): FieldProblem[] {
  return [...misspeltFields(spec), ...triggerTexts(spec), ...neverWakes(spec), ...triggerZones(spec)];
}

/** Other unknown fields may belong to a newer release. */
function misspeltFields(spec: PlainRecord): FieldProblem[] {
  return Object.keys(spec)
    .filter((field) => !SCALED_OBJECT_FIELDS.includes(field) && !isToken(field))
    .flatMap((field) => {
      const meant = OTHER_NAMES.get(field) ?? nearestName(field, SCALED_OBJECT_FIELDS);
      if (meant === undefined) return [];
      const path = ['spec', field];
      const problem = 'is no field of a ScaledObject: KEDA uses its default instead';
      const fix = spec[meant] === undefined ? safeFix(renameField(path, meant)) : undefined;
      return [
        { ...rejected(path, problem, spec[field], `write ${meant}`, fix), apiServer: `unknown field "spec.${field}"` },
      ];
    });
}

function triggerTexts({ triggers }: PlainRecord): FieldProblem[] {
  return recordsOf(triggers).flatMap(({ metadata }, index) =>
    Object.entries(asRecord(metadata) ?? {})
      .filter(([, value]) => typeof value === 'number' || typeof value === 'boolean')
      .map(([key, value]) => {
        const path: FieldPath = ['spec', 'triggers', index, 'metadata', key];
        return rejected(path, 'must be a string', value, 'put the value in quotes', safeFix(quoteField(path)));
      }),
  );
}

/** Time zones of triggers of type cron, which KEDA loads as Go does. */
export function triggerZones({ triggers }: PlainRecord): FieldProblem[] {
  return recordsOf(triggers).flatMap(({ type, metadata }, index) => {
    const path: FieldPath = ['spec', 'triggers', index, 'metadata', 'timezone'];
    const zone = type === 'cron' ? asRecord(metadata)?.timezone : undefined;
    return timeZoneProblem(path, zone, ', otherwise KEDA does not scale by this trigger') ?? [];
  });
}

/** KEDA refuses to scale to 0 by metrics that only running pods have. */
function neverWakes({ triggers, minReplicaCount: min, idleReplicaCount: idle }: PlainRecord): FieldProblem[] {
  const types = recordsOf(triggers).map(({ type }) => type);
  if (types.length === 0 || !types.every((type) => OF_RESOURCES.includes(type))) return [];
  if ((min ?? 0) !== 0 || idle !== undefined) return [];
  const path = ['spec', 'minReplicaCount'];
  return [
    rejected(
      path,
      'must be at least 1 if all triggers are of type cpu or memory, because pods that do not run have no metrics',
      min,
      'write minReplicaCount: 1, or add a trigger of another type',
      unsafeFix(setField(path, 1)),
    ),
  ];
}

/** Bounds of a VerticalPodAutoscaler that its webhook refuses. */
export function verticalProblems(spec: PlainRecord): FieldProblem[] {
  return recordsOf(asRecord(spec.resourcePolicy)?.containerPolicies).flatMap(({ minAllowed, maxAllowed }, index) =>
    Object.entries(asRecord(minAllowed) ?? {}).flatMap(([resource, least]) => {
      const most = asRecord(maxAllowed)?.[resource];
      const [min, max] = [Quantity.tryParse(least), Quantity.tryParse(most)];
      if (min === undefined || max === undefined || min.nanos <= max.nanos) return [];
      const path = ['spec', 'resourcePolicy', 'containerPolicies', index, 'maxAllowed', resource];
      const problem = `must be at least minAllowed.${resource} (${String(least)})`;
      return [rejected(path, problem, most, `write ${String(least)} or more, or lower minAllowed.${resource}`)];
    }),
  );
}

/** A Job of Volcano that wants more pods than its tasks have never starts: its webhook refuses it. */
export function volcanoProblems({ minAvailable, tasks }: PlainRecord): FieldProblem[] {
  const replicas = recordsOf(tasks).map((task) => task.replicas ?? 1);
  if (!isCount(minAvailable) || replicas.length === 0 || !replicas.every(isCount)) return [];
  const total = replicas.reduce((sum, count) => sum + count, 0);
  const path = ['spec', 'minAvailable'];
  return minAvailable <= total
    ? []
    : [
        rejected(
          path,
          `must be at most the replicas of all tasks, which are ${total}`,
          minAvailable,
          `write minAvailable: ${total}, or more replicas`,
          unsafeFix(setField(path, total)),
        ),
      ];
}

/** The API server keeps higher values, and names that begin with `system-`, for its own PriorityClasses. */
export function priorityProblems({ name, raw }: ManifestObject): FieldProblem[] {
  const value = raw.value;
  if (name.startsWith('system-')) return [];
  return typeof value === 'number' && value > HIGHEST_PRIORITY
    ? [
        rejected(
          ['value'],
          `must be at most ${HIGHEST_PRIORITY} for a PriorityClass of your own`,
          value,
          `write ${HIGHEST_PRIORITY} or less, or use system-cluster-critical`,
          unsafeFix(setField(['value'], HIGHEST_PRIORITY)),
        ),
      ]
    : [];
}
