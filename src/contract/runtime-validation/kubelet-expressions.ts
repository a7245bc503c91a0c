/**
 * CEL expressions in `spec.kubelet` of an EC2NodeClass. Karpenter evaluates them for each instance type.
 *
 * Sources: pkg/cel/environment.go, and evaluateKubeletExpressions in pkg/providers/instancetype/instancetype.go of
 * Karpenter for AWS 1.15.1.
 */
import { KubeletExpression, KubeletVariables, valueText } from '../../model';
import { asRecord, FieldPath, FieldProblem, notReady } from '../field-problem';
import { kubeletQuantity } from './kubelet-settings';

/** Expressions by field. Those of the reserved fields are by resource. */
export interface KubeletExpressions {
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

export function rejectExpressions(path: FieldPath, kubelet: Readonly<Record<string, unknown>>): FieldProblem[] {
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
export function checkExpressions(
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
