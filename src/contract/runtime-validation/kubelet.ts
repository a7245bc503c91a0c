/**
 * Checks of `spec.kubelet` of an EC2NodeClass since 1.15. The API server accepts any map, so these are Karpenter's own
 * checks. Karpenter launches no node for a class that fails them.
 *
 * Sources: ValidateKubeletConfig in pkg/apis/v1/kubeletconfiguration_validation.go, and Reconcile in
 * pkg/controllers/nodeclass/validation.go of Karpenter for AWS 1.15.1.
 */
import { asRecord, FieldPath, FieldProblem, notReady } from '../field-problem';
import { likelyFieldName, pruneAndDefault, renameFix, Schema, UnknownField, validate } from '../schema';
import { checkKubeletSettings, kubeletQuantity } from './kubelet-settings';
import { readDataFile, KubeletExpression, KubeletVariables, valueText } from '../../model';

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

// CEL expressions in `spec.kubelet` of an EC2NodeClass. Karpenter evaluates them for each instance type.
//
// Sources: pkg/cel/environment.go, and evaluateKubeletExpressions in pkg/providers/instancetype/instancetype.go of
// Karpenter for AWS 1.15.1.

/** Expressions by field. Those of the reserved fields are by resource. */
interface KubeletExpressions {
  readonly maxPods?: KubeletExpression;
  readonly kubeReserved: ReadonlyMap<string, KubeletExpression>;
  readonly systemReserved: ReadonlyMap<string, KubeletExpression>;
}

/** A value that is not a literal, with its path inside `kubelet`. */
interface ExpressionText {
  readonly steps: readonly string[];
  readonly text: string;
}

const RESERVED = ['kubeReserved', 'systemReserved'] as const;
const MAX_PODS = 2 ** 31 - 1;
const WINDOWS_MAX_PODS = 110;

/**
 * Linux instance types of all sizes. Karpenter evaluates an expression for every instance type, so it must have a value
 * for each of them.
 */
const SAMPLE_TYPES: readonly KubeletVariables[] = [
  { instanceType: 't2.nano', vcpus: 1, memoryMiB: 512, defaultEnis: 2, ipsPerEni: 2, maxPods: 4 },
  { instanceType: 't3.medium', vcpus: 2, memoryMiB: 4096, defaultEnis: 3, ipsPerEni: 6, maxPods: 17 },
  { instanceType: 'c6g.xlarge', vcpus: 4, memoryMiB: 8192, defaultEnis: 4, ipsPerEni: 15, maxPods: 58 },
  { instanceType: 'p5.48xlarge', vcpus: 192, memoryMiB: 2097152, defaultEnis: 2, ipsPerEni: 50, maxPods: 100 },
  {
    instanceType: 'u7in-32tb.224xlarge',
    vcpus: 896,
    memoryMiB: 33554432,
    defaultEnis: 15,
    ipsPerEni: 50,
    maxPods: 737,
  },
];

/** The expressions in `kubelet`. Strings that are not valid CEL are left out. */
export function kubeletExpressions(raw: unknown): KubeletExpressions {
  const expressions = expressionTexts(asRecord(raw) ?? {}).map(({ steps: [field, resource], text }) => ({
    field,
    resource,
    expression: kubeletExpression(text),
  }));
  const reserved = (wantedField: (typeof RESERVED)[number]) =>
    new Map(
      expressions.flatMap(({ field, resource, expression }) =>
        field === wantedField && expression ? [[resource, expression] as const] : [],
      ),
    );
  return {
    maxPods: expressions.find(({ field }) => field === 'maxPods')?.expression,
    kubeReserved: reserved('kubeReserved'),
    systemReserved: reserved('systemReserved'),
  };
}

function rejectExpressions(path: FieldPath, kubelet: Readonly<Record<string, unknown>>): FieldProblem[] {
  const remedy = 'write a literal value, or enable the feature gate NodeClassCEL';
  return expressionTexts(kubelet).map(({ steps, text }) =>
    notReady(
      [...path, ...steps],
      'is not a literal value, and expressions need the feature gate NodeClassCEL',
      text,
      remedy,
    ),
  );
}

/** @param family undefined if the AMI family is not known */
function checkExpressions(
  path: FieldPath,
  kubelet: Readonly<Record<string, unknown>>,
  family: string | undefined,
): FieldProblem[] {
  const byDefault = SAMPLE_TYPES.map((sample) =>
    withMaxPods(sample, family?.startsWith('Windows') ? WINDOWS_MAX_PODS : sample.maxPods, kubelet, family),
  );
  const resolved = byDefault.map((sample) => withMaxPods(sample, maxPodsOf(kubelet.maxPods, sample), kubelet, family));
  return expressionTexts(kubelet).flatMap(({ steps, text }) => {
    const isMaxPods = steps[0] === 'maxPods';
    const problem = isMaxPods ? problemOf(text, byDefault, MAX_PODS) : problemOf(text, resolved, Infinity);
    const example = isMaxPods ? '110, or min(max_pods, 110)' : '100m, 1Gi, or vcpus * 10';
    return problem === undefined ? [] : [notReady([...path, ...steps], problem, text, `write for example ${example}`)];
  });
}

function maxPodsOf(maxPods: unknown, sample: KubeletVariables): number {
  const explicit = typeof maxPods === 'string' ? kubeletExpression(maxPods)?.valueFor(sample) : maxPods;
  return typeof explicit === 'number' ? explicit : sample.maxPods;
}

function withMaxPods(
  sample: KubeletVariables,
  maxPods: number,
  { podsPerCore }: Readonly<Record<string, unknown>>,
  family: string | undefined,
): KubeletVariables {
  const limit =
    typeof podsPerCore === 'number' && podsPerCore > 0 && family !== 'Bottlerocket'
      ? podsPerCore * sample.vcpus
      : Infinity;
  return { ...sample, maxPods: Math.min(maxPods, limit) };
}

function problemOf(text: string, samples: readonly KubeletVariables[], max: number): string | undefined {
  const expression = kubeletExpression(text);
  if (expression === undefined) return 'must be a literal value or a CEL expression';
  for (const sample of samples) {
    const value = expression.valueFor(sample);
    if (value === undefined) {
      return (
        `must be a number for every instance type, but is not for ${sample.instanceType}: the integers vcpus, memory_mib, default_enis, ips_per_eni and ` +
        'max_pods can be used, the string instance_type, and the functions min and max'
      );
    }
    if (value < 0 || value > max)
      return `must be ${max === Infinity ? '0 or more' : `from 0 to ${max}`} for every instance type, but is ${value} for ${sample.instanceType}`;
  }
  return undefined;
}

/** Strings that are not literal values. */
function expressionTexts(kubelet: Readonly<Record<string, unknown>>): ExpressionText[] {
  const reserved = RESERVED.flatMap((field) =>
    Object.entries(asRecord(kubelet[field]) ?? {})
      .filter(([, value]) => kubeletQuantity(value) === undefined)
      .map(([resource, value]) => ({ steps: [field, resource], text: valueText(value) })),
  );
  return [...(typeof kubelet.maxPods === 'string' ? [{ steps: ['maxPods'], text: kubelet.maxPods }] : []), ...reserved];
}
const expressionsByText = new Map<string, KubeletExpression | undefined>();

/** Compiles a CEL expression. Undefined if the text is not CEL. Unknown names and types fail only at evaluation. */
function kubeletExpression(text: string): KubeletExpression | undefined {
  if (!expressionsByText.has(text)) expressionsByText.set(text, compile(text));
  return expressionsByText.get(text);
}

function compile(text: string): KubeletExpression | undefined {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- only users of expressions need the library
  const { kubeletProgram } = require('../cel/kubelet-program') as typeof import('../cel/kubelet-program');
  try {
    return { text, valueFor: kubeletProgram(text) };
  } catch {
    return undefined;
  }
}
