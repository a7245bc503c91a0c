import { KubeletExpression } from '../model';
import { CatalogFile } from './catalog-file';
import { column } from './columns';

const MIB = 2 ** 20;
const GIB = 2 ** 30;

/** What a whole number means of each resource, in its canonical unit, and to multiples of what it is rounded up. */
const UNITS: Readonly<Record<string, { readonly unit: number; readonly step: number }>> = {
  'cpu': { unit: 1, step: 10 },
  'memory': { unit: MIB, step: 16 },
  'ephemeral-storage': { unit: GIB, step: 1 },
};

/**
 * By type, NaN where it has no value.
 *
 * @param maxPods by type, what the expression sees of it
 */
export function expressionColumn({ names, facts }: CatalogFile, { valueFor }: KubeletExpression, maxPods: Float64Array): Float64Array {
  return column(names.length, (type) => valueFor({
    vcpus: facts.vcpus[type],
    memoryMiB: facts.memoryMiB[type],
    defaultEnis: facts.networkInterfaces[type],
    ipsPerEni: facts.ipv4PerInterface[type],
    maxPods: maxPods[type],
    instanceType: names[type],
  }) ?? NaN);
}

/**
 * What is reserved of a resource; NaN where the expression has no value, and counts for nothing.
 *
 * @see https://github.com/aws/karpenter-provider-aws/blob/v1.15.1/pkg/cel/environment.go formatResourceResult
 */
export function reservedColumn(file: CatalogFile, resource: string, expression: KubeletExpression, maxPods: Float64Array): Float64Array {
  const { unit, step } = UNITS[resource] ?? { unit: 1, step: 1 };
  return expressionColumn(file, expression, maxPods).map((value) => value >= 0 ? Math.ceil(value / step) * step * unit : NaN);
}
