/**
 * Checks of `spec.kubelet` of an EC2NodeClass since 1.15. The API server accepts any map, so these are Karpenter's own
 * checks. Karpenter launches no node for a class that fails them.
 *
 * Sources: ValidateKubeletConfig in pkg/apis/v1/kubeletconfiguration_validation.go, and Reconcile in
 * pkg/controllers/nodeclass/validation.go of Karpenter for AWS 1.15.1.
 */
import { asRecord, FieldPath, FieldProblem, notReady } from '../field-problem';
import { likelyFieldName, pruneAndDefault, renameFix, Schema, UnknownField, validate } from '../schema';
import { checkExpressions, rejectExpressions } from './kubelet-expressions';
import { checkKubeletSettings } from './kubelet-settings';
import { readDataFile } from '../../model';

/** Settings that Karpenter itself knows. AMI families except AL2023 and Custom accept no other settings. */
const MANAGED_FIELDS: readonly string[] = [
  'clusterDNS',
  'maxPods',
  'podsPerCore',
  'systemReserved',
  'kubeReserved',
  'evictionHard',
  'evictionSoft',
  'evictionSoftGracePeriod',
  'evictionMaxPodGracePeriod',
  'imageGCHighThresholdPercent',
  'imageGCLowThresholdPercent',
  'cpuCFSQuota',
];
/** Families that accept every setting: AL2023 passes all of them to the kubelet, Custom passes none. */
const OPEN_FAMILIES: readonly string[] = ['AL2023', 'Custom'];

let schema: Schema | undefined;

/**
 * @param family the AMI family, set explicitly or by the alias; undefined if it is not known
 * @param expressions whether the feature gate NodeClassCEL is enabled
 */
export function checkKubelet(
  path: FieldPath,
  raw: unknown,
  family: string | undefined,
  expressions: boolean,
): FieldProblem[] {
  const kubelet = asRecord(raw);
  if (!kubelet || Object.keys(kubelet).length === 0) return [];
  const problems = [...checkTypes(path, kubelet), ...checkKubeletSettings(path, kubelet)];
  if (problems.length > 0) return problems;
  const expressionProblems = expressions ? checkExpressions(path, kubelet, family) : rejectExpressions(path, kubelet);
  return [...expressionProblems, ...checkKubeletOfFamily(path, kubelet, family)];
}

function checkTypes(path: FieldPath, kubelet: Readonly<Record<string, unknown>>): FieldProblem[] {
  schema ??= readDataFile<{ schema: Schema }>('kubelet-configuration.json').schema;
  // If `maxPods` is a string, it is an expression.
  const withLiteralMaxPods = typeof kubelet.maxPods === 'string' ? { ...kubelet, maxPods: 0 } : kubelet;
  const { value, unknown } = pruneAndDefault(withLiteralMaxPods, schema, path);
  return [
    ...unknown.map(unknownSetting),
    ...validate(path, value, schema).map(({ path: fieldPath, problem, got, remedy, fix }) =>
      notReady(fieldPath, problem, got, remedy, fix),
    ),
  ];
}

function unknownSetting({ path, value, knownFields }: UnknownField): FieldProblem {
  const name = String(path[path.length - 1]);
  const meant = likelyFieldName(name, knownFields);
  return notReady(
    path,
    'is not a setting of the kubelet',
    value,
    meant === undefined ? 'remove it' : `write ${meant}`,
    renameFix(path, knownFields),
  );
}

/** @param family undefined if the AMI family is not known */
export function checkKubeletOfFamily(
  path: FieldPath,
  kubelet: Readonly<Record<string, unknown>>,
  family: string | undefined,
): FieldProblem[] {
  if (family === undefined || OPEN_FAMILIES.includes(family)) return [];
  const ignoredFields = Object.keys(kubelet).filter(
    (field) => !MANAGED_FIELDS.includes(field) || (field === 'podsPerCore' && family === 'Bottlerocket'),
  );
  const { clusterDNS } = kubelet;
  return [
    ...ignoredFields.map((field) =>
      notReady(
        [...path, field],
        `must be absent with the AMI family ${family}, which does not pass it to the kubelet`,
        kubelet[field],
        'remove it, or use AL2023',
      ),
    ),
    ...(Array.isArray(clusterDNS) && clusterDNS.length > 1
      ? [
          notReady(
            [...path, 'clusterDNS'],
            `must have one address with the AMI family ${family}`,
            clusterDNS,
            'keep one address, or use AL2023',
          ),
        ]
      : []),
  ];
}
