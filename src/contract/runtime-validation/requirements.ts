/**
 * Karpenter's own checks of requirements.
 *
 * Sources: ValidateRequirement in pkg/apis/v1/nodeclaim_validation.go of sigs.k8s.io/karpenter v1.15.0, and
 * WellKnownLabels in pkg/apis/v1/labels.go of Karpenter for AWS 1.15.1.
 */
import {
  isRestrictedLabel,
  Label,
  labelDomain,
  normalizeLabelKey,
  parseIntegerLikeGo,
  WELL_KNOWN_LABELS,
  WELL_KNOWN_VALUES,
  valueText,
} from '../../model';
import { asRecord, FieldPath, FieldProblem, notReady } from '../field-problem';
import { compareKarpenterVersions } from '../karpenter-version';
import { knownValueFix, separatedList } from '../known-value-fix';
import {
  isLabelValue,
  isQualifiedName,
  joinedValues,
  labelValueProblemText,
  LABEL_KEY_REMEDY,
  LABEL_VALUE_REMEDY,
} from '../label-syntax';

/**
 * The first version that requires known values for a key. Sources: pkg/apis/v1/nodeclaim_validation.go of
 * sigs.k8s.io/karpenter, with the check in v1.5.5 and without it in v1.1.5 (no version between is published);
 * pkg/apis/v1/labels.go of Karpenter for AWS, with the check in 1.9.3 and without it in 1.8.6.
 */
const KNOWN_VALUES_SINCE: Readonly<Record<string, string>> = {
  [Label.CAPACITY_TYPE]: '1.5.0',
  [Label.INSTANCE_TENANCY]: '1.9.0',
};

/**
 * Before this release, Karpenter also restricted the Kubernetes domains, except for some sub-domains. Sources:
 * IsRestrictedNodeLabel in pkg/apis/v1/labels.go of sigs.k8s.io/karpenter v1.0.5 to v1.8.2; v1.9.0 does not.
 */
const KUBERNETES_LABELS_ALLOWED_SINCE = '1.9.0';
const KUBERNETES_DOMAINS: readonly string[] = ['kubernetes.io', 'k8s.io'];
const ALLOWED_DOMAINS: readonly string[] = ['kops.k8s.io', 'node.kubernetes.io', 'node-restriction.kubernetes.io'];

const NUMERIC_OPERATORS: readonly unknown[] = ['Gt', 'Lt', 'Gte', 'Lte'];

export function checkRequirements(path: FieldPath, raw: unknown, version: string): FieldProblem[] {
  return (Array.isArray(raw) ? raw : []).flatMap((item, i) =>
    checkRequirement([...path, i], asRecord(item) ?? {}, version),
  );
}

function checkRequirement(
  path: FieldPath,
  requirement: Readonly<Record<string, unknown>>,
  version: string,
): FieldProblem[] {
  const { key, operator, values: raw, minValues } = requirement;
  const values: readonly unknown[] = Array.isArray(raw) ? raw : [];
  return [
    ...(typeof key === 'string' ? checkKey([...path, 'key'], key, version) : []),
    ...values.flatMap((value, i) =>
      typeof value === 'string' && !isLabelValue(value) ? [labelValueProblem([...path, 'values'], values, i)] : [],
    ),
    ...(operator === 'In' && values.length === 0
      ? [notReady([...path, 'values'], 'must have a value when the operator is In', raw, 'add a value, or use Exists')]
      : []),
    ...(operator === 'In' && typeof minValues === 'number' && values.length < minValues
      ? [
          notReady(
            [...path, 'minValues'],
            'must be at most the number of values',
            minValues,
            'write a smaller number, or add values',
          ),
        ]
      : []),
    ...(NUMERIC_OPERATORS.includes(operator) && !isNaturalNumber(values)
      ? [
          notReady(
            [...path, 'values'],
            `must be one integer of 0 or more, as a string, when the operator is ${valueText(operator)}`,
            raw,
            'write for example ["3"]',
          ),
        ]
      : []),
    ...checkKnownValues([...path, 'values'], requirement, values, version),
  ];
}

function labelValueProblem(path: FieldPath, values: readonly unknown[], index: number): FieldProblem {
  const several = joinedValues(values[index] as string);
  const list = several && separatedList(path, values);
  const problem = labelValueProblemText(several);
  return notReady([...path, index], problem, values[index], list?.remedy ?? LABEL_VALUE_REMEDY, list?.fix);
}

function checkKey(path: FieldPath, key: string, version: string): FieldProblem[] {
  if (!isQualifiedName(key)) return [notReady(path, 'must be a label key', key, LABEL_KEY_REMEDY)];
  return checkUnrestricted(path, normalizeLabelKey(key), version);
}

/** In Karpenter's own domains, only well-known labels are allowed. */
export function checkUnrestricted(path: FieldPath, key: string, version: string): FieldProblem[] {
  if (!isRestrictedLabel(key) && !isRestrictedKubernetesLabel(key, version)) return [];
  return [
    notReady(path, `must not be ${key}, which Karpenter sets itself`, key, 'remove it, or use a domain of your own'),
  ];
}

function isRestrictedKubernetesLabel(key: string, version: string): boolean {
  const domain = labelDomain(key);
  return (
    compareKarpenterVersions(version, KUBERNETES_LABELS_ALLOWED_SINCE) < 0 &&
    !WELL_KNOWN_LABELS.has(key) &&
    KUBERNETES_DOMAINS.some((restricted) => domain.endsWith(restricted)) &&
    !ALLOWED_DOMAINS.some((allowed) => domain.endsWith(allowed))
  );
}

function isNaturalNumber(values: readonly unknown[]): boolean {
  const [value] = values;
  const number = values.length === 1 && typeof value === 'string' ? parseIntegerLikeGo(value) : undefined;
  return number !== undefined && number >= 0n;
}

/** Karpenter ignores unknown values, unless fewer than `minValues` known values, or none, remain. */
function checkKnownValues(
  path: FieldPath,
  { key, operator, minValues }: Readonly<Record<string, unknown>>,
  values: readonly unknown[],
  version: string,
): FieldProblem[] {
  const allowedValues = typeof key === 'string' && operator === 'In' ? knownValues(key, version) : undefined;
  if (!allowedValues || values.length === 0) return [];
  const valid = values.filter((value) => allowedValues.has(value as string)).length;
  // If all values are known but fewer than minValues, another check has reported it.
  if (valid === values.length || (valid > 0 && (typeof minValues !== 'number' || valid >= minValues))) return [];
  const list = [...allowedValues].join(', ');
  return [
    notReady(
      path,
      `must be one of ${list} for ${valueText(key)}`,
      values,
      `write ${list}, in lower case`,
      knownValueFix(path, values, allowedValues),
    ),
  ];
}

function knownValues(key: string, version: string): ReadonlySet<string> | undefined {
  const since = Object.hasOwn(KNOWN_VALUES_SINCE, key) ? KNOWN_VALUES_SINCE[key] : undefined;
  return since === undefined || compareKarpenterVersions(version, since) < 0 ? undefined : WELL_KNOWN_VALUES.get(key);
}
