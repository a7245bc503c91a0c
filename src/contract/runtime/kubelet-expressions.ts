/**
 * Expressions in `spec.kubelet` of an EC2NodeClass, which Karpenter works out for each instance type.
 *
 * Sources: pkg/cel/environment.go, and evaluateKubeletExpressions in pkg/providers/instancetype/instancetype.go of
 * Karpenter for AWS 1.15.1.
 */
import { KubeletExpression, KubeletVariables } from '../../model';
import { kubeletExpression } from '../cel';
import { FieldPath, FieldProblem } from '../field-problem';
import { asRecord } from '../value-rule';
import { kubeletQuantity } from './kubelet-settings';
import { notReady } from './not-ready';

/** By field, and there by resource; `maxPods` has no resource. */
export interface KubeletExpressions {
  readonly maxPods?: KubeletExpression;
  readonly kubeReserved: ReadonlyMap<string, KubeletExpression>;
  readonly systemReserved: ReadonlyMap<string, KubeletExpression>;
}

interface Written {
  readonly steps: readonly string[];
  readonly text: string;
}

const RESERVED = ['kubeReserved', 'systemReserved'] as const;
const MOST_PODS = 2 ** 31 - 1;
const PODS_OF_WINDOWS = 110;

/** Instance types of all sizes, as Linux has them: Karpenter asks for a value for every one that there is. */
const SAMPLES: readonly KubeletVariables[] = [
  { instanceType: 't2.nano', vcpus: 1, memoryMiB: 512, defaultEnis: 2, ipsPerEni: 2, maxPods: 4 },
  { instanceType: 't3.medium', vcpus: 2, memoryMiB: 4096, defaultEnis: 3, ipsPerEni: 6, maxPods: 17 },
  { instanceType: 'c6g.xlarge', vcpus: 4, memoryMiB: 8192, defaultEnis: 4, ipsPerEni: 15, maxPods: 58 },
  { instanceType: 'p5.48xlarge', vcpus: 192, memoryMiB: 2097152, defaultEnis: 2, ipsPerEni: 50, maxPods: 100 },
  { instanceType: 'u7in-32tb.224xlarge', vcpus: 896, memoryMiB: 33554432, defaultEnis: 15, ipsPerEni: 50, maxPods: 737 },
];

/** What is written as an expression; a text that is no CEL is left out. */
export function kubeletExpressions(raw: unknown): KubeletExpressions {
  const found = written(asRecord(raw) ?? {}).map(({ steps: [field, resource], text }) => ({ field, resource, expression: kubeletExpression(text) }));
  const reserved = (of: typeof RESERVED[number]) =>
    new Map(found.flatMap(({ field, resource, expression }) => field === of && expression ? [[resource, expression] as const] : []));
  return {
    maxPods: found.find(({ field }) => field === 'maxPods')?.expression,
    kubeReserved: reserved('kubeReserved'),
    systemReserved: reserved('systemReserved'),
  };
}

export function refuseExpressions(path: FieldPath, kubelet: Readonly<Record<string, unknown>>): FieldProblem[] {
  const remedy = 'write a plain value, or turn the feature gate NodeClassCEL on';
  return written(kubelet).map(({ steps, text }) =>
    notReady([...path, ...steps], 'is taken for an expression, which the feature gate NodeClassCEL has to allow', text, remedy));
}

/** @param family undefined where it is not known */
export function checkExpressions(path: FieldPath, kubelet: Readonly<Record<string, unknown>>, family: string | undefined): FieldProblem[] {
  const byDefault = SAMPLES.map((sample) => withPods(sample, family?.startsWith('Windows') ? PODS_OF_WINDOWS : sample.maxPods, kubelet, family));
  const resolved = byDefault.map((sample) => withPods(sample, podsOf(kubelet.maxPods, sample), kubelet, family));
  return written(kubelet).flatMap(({ steps, text }) => {
    const ofPods = steps[0] === 'maxPods';
    const problem = ofPods ? problemOf(text, byDefault, MOST_PODS) : problemOf(text, resolved, Infinity);
    const example = ofPods ? '110, or min(max_pods, 110)' : '100m, 1Gi, or vcpus * 10';
    return problem === undefined ? [] : [notReady([...path, ...steps], problem, text, `write for example ${example}`)];
  });
}

function podsOf(maxPods: unknown, sample: KubeletVariables): number {
  const stated = typeof maxPods === 'string' ? kubeletExpression(maxPods)?.valueFor(sample) : maxPods;
  return typeof stated === 'number' ? stated : sample.maxPods;
}

function withPods(
  sample: KubeletVariables, maxPods: number, { podsPerCore }: Readonly<Record<string, unknown>>, family: string | undefined,
): KubeletVariables {
  const most = typeof podsPerCore === 'number' && podsPerCore > 0 && family !== 'Bottlerocket' ? podsPerCore * sample.vcpus : Infinity;
  return { ...sample, maxPods: Math.min(maxPods, most) };
}

function problemOf(text: string, samples: readonly KubeletVariables[], most: number): string | undefined {
  const expression = kubeletExpression(text);
  if (expression === undefined) return 'must be a plain value or an expression in CEL';
  for (const sample of samples) {
    const value = expression.valueFor(sample);
    if (value === undefined) {
      return `must be a number for every instance type, and is none for ${sample.instanceType}: there are vcpus, memory_mib, default_enis, ips_per_eni and `
        + 'max_pods, which are whole numbers, instance_type, min and max';
    }
    if (value < 0 || value > most) return `must be ${most === Infinity ? '0 or more' : `from 0 to ${most}`} for every instance type, and is ${value} for ${sample.instanceType}`;
  }
  return undefined;
}

/** Texts that are no plain values. */
function written(kubelet: Readonly<Record<string, unknown>>): Written[] {
  const reserved = RESERVED.flatMap((field) => Object.entries(asRecord(kubelet[field]) ?? {})
    .filter(([, value]) => kubeletQuantity(value) === undefined).map(([resource, value]) => ({ steps: [field, resource], text: String(value) })));
  return [...typeof kubelet.maxPods === 'string' ? [{ steps: ['maxPods'], text: kubelet.maxPods }] : [], ...reserved];
}
