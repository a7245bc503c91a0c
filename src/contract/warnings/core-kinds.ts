/**
 * Warnings about the kinds that belong to Karpenter's core.
 *
 * Sources in sigs.k8s.io/karpenter v1.15.0: NewNodeClaimTemplate and ToNodeClaim in
 * pkg/controllers/provisioning/scheduling/nodeclaimtemplate.go (with ValidateLabels of k8s.io/apimachinery), IsActive
 * in pkg/apis/v1/nodepool.go, which parses with github.com/robfig/cron/v3, and computeReplicas in
 * pkg/controllers/capacitybuffer/controller.go.
 */
import { correctedSchedule } from './corrected-schedule';
import { CRON_MACROS, CronSchedule, WELL_KNOWN_VALUES, valueText } from '../../model';
import { setField, unsafeFix } from '../field-edit';
import { asRecord, FieldPath, FieldProblem, launchFails, misread } from '../field-problem';
import { compareKarpenterVersions } from '../karpenter-version';
import { knownValueFix } from '../known-value-fix';
import { LONGEST_LABEL_VALUE } from '../label-syntax';

/** The first release that labels NodeClaims with the name of their EC2NodeClass. */
const CLASS_LABEL_SINCE = '1.1.0';

/**
 * Karpenter writes the names of the NodePool and, since 1.1, of the EC2NodeClass as label values on each NodeClaim.
 * Names may be longer than label values, and the API server then rejects every NodeClaim.
 */
export function checkNameLengths(
  { metadata, spec }: Readonly<Record<string, unknown>>,
  version: string,
): FieldProblem[] {
  const nodeClassRef = asRecord(asRecord(asRecord(asRecord(spec)?.template)?.spec)?.nodeClassRef);
  return [
    ...checkName(['metadata', 'name'], asRecord(metadata)?.name),
    ...(compareKarpenterVersions(version, CLASS_LABEL_SINCE) >= 0
      ? checkName(['spec', 'template', 'spec', 'nodeClassRef', 'name'], nodeClassRef?.name)
      : []),
  ];
}

function checkName(path: FieldPath, name: unknown): FieldProblem[] {
  if (typeof name !== 'string' || name.length <= LONGEST_LABEL_VALUE) return [];
  const problem = `must have at most ${LONGEST_LABEL_VALUE} characters, because it becomes a label value of each NodeClaim`;
  return [launchFails(path, problem, name, 'write a shorter name: this name prevents every launch')];
}

/**
 * The schema's pattern accepts more schedules than Karpenter's parser. A budget whose schedule cannot be parsed allows
 * no disruption at all.
 */
export function checkBudgetSchedules(path: FieldPath, raw: unknown): FieldProblem[] {
  return (Array.isArray(raw) ? raw : []).flatMap((item, i) => {
    const schedule = asRecord(item)?.schedule;
    if (typeof schedule !== 'string' || CronSchedule.tryParse(schedule)) return [];
    const corrected = correctedSchedule(schedule);
    const schedulePath = [...path, i, 'schedule'];
    const problem = misread(
      schedulePath,
      'must be a cron schedule, because Karpenter cannot parse it: it disrupts no node of the NodePool for any reason',
      schedule,
      corrected === undefined
        ? `write five fields such as "0 9 * * mon-fri", or one of ${CRON_MACROS.join(', ')}; times are UTC`
        : `write "${corrected}"`,
      corrected === undefined ? undefined : unsafeFix(setField(schedulePath, corrected)),
    );
    return [{ ...problem, isSevere: true }];
  });
}

/** Values of requirements that Karpenter ignores. */
export function checkIgnoredValues(path: FieldPath, raw: unknown): FieldProblem[] {
  return (Array.isArray(raw) ? raw : []).flatMap((item, i) =>
    checkRequirementValues([...path, i, 'values'], asRecord(item) ?? {}),
  );
}

function checkRequirementValues(
  path: FieldPath,
  { key, operator, values: raw }: Readonly<Record<string, unknown>>,
): FieldProblem[] {
  const values: readonly unknown[] = Array.isArray(raw) ? raw : [];
  if (operator === 'NotIn' && values.length === 0) {
    return [
      misread(
        path,
        'must have a value when the operator is NotIn, or it means Exists',
        raw,
        'add a value, or remove the requirement',
      ),
    ];
  }
  if ((operator === 'Exists' || operator === 'DoesNotExist') && values.length > 0) {
    return [
      misread(
        path,
        `must be empty when the operator is ${operator}, which ignores values`,
        raw,
        'remove the values, or use In or NotIn',
      ),
    ];
  }
  const allowedValues = typeof key === 'string' && operator === 'In' ? WELL_KNOWN_VALUES.get(key) : undefined;
  if (!allowedValues || values.every((value) => allowedValues.has(value as string))) return [];
  const list = [...allowedValues].join(', ');
  return [
    misread(
      path,
      `must be one of ${list} for ${valueText(key)}`,
      raw,
      `write ${list}, in lower case`,
      knownValueFix(path, values, allowedValues),
    ),
  ];
}

/** @param consequence completes `must not be negative, …` */
export function checkNegativeQuantities(path: FieldPath, raw: unknown, consequence: string): FieldProblem[] {
  return Object.entries(asRecord(raw) ?? {})
    .filter(([, quantity]) => isNegative(quantity))
    .map(([resource, quantity]) =>
      misread([...path, resource], `must not be negative, ${consequence}`, quantity, 'write 0 or more'),
    );
}

function isNegative(quantity: unknown): boolean {
  return typeof quantity === 'string' ? quantity.startsWith('-') : typeof quantity === 'number' && quantity < 0;
}

/** Checks whether the buffer has a size, since there is no default. */
export function checkBufferSize(spec: Readonly<Record<string, unknown>>): FieldProblem[] {
  const { podTemplateRef, replicas, percentage, limits } = spec;
  const isUnsized = [replicas, percentage, limits].every((value) => value === undefined);
  return [
    ...checkNegativeQuantities(['spec', 'limits'], limits, 'or the buffer is empty'),
    ...(podTemplateRef !== undefined && percentage !== undefined
      ? [
          misread(
            ['spec', 'percentage'],
            'must be absent if podTemplateRef is set, because a pod template has no replicas',
            percentage,
            'write replicas',
          ),
        ]
      : []),
    ...(podTemplateRef === undefined && isUnsized
      ? [
          misread(
            ['spec', 'replicas'],
            'must be set, or percentage or limits, or the buffer is empty',
            undefined,
            'write the number of pods to keep room for',
          ),
        ]
      : []),
  ];
}
