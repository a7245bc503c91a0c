import { KubeletExpression } from '../model';
import { CatalogFile } from './catalog-file';
import { column } from './columns';

const MIB = 2 ** 20;
const GIB = 2 ** 30;

/** The unit of a whole number of each resource, and the step to which Karpenter rounds up. */
const UNITS: Readonly<Record<string, { readonly unit: number; readonly step: number }>> = {
  cpu: { unit: 1, step: 10 },
  memory: { unit: MIB, step: 16 },
  'ephemeral-storage': { unit: GIB, step: 1 },
};

/**
 * The value of an expression by type, NaN if it has none.
 *
 * @param maxPods the `maxPods` that the expression sees, by type
 */
export function expressionColumn(
  { names, facts }: CatalogFile,
  { valueFor }: KubeletExpression,
  maxPods: Float64Array,
): Float64Array {
  return column(
    names.length,
    (type) =>
      valueFor({
        vcpus: facts.vcpus[type],
        memoryMiB: facts.memoryMiB[type],
        defaultEnis: facts.networkInterfaces[type],
        ipsPerEni: facts.ipv4PerInterface[type],
        maxPods: maxPods[type],
        instanceType: names[type],
      }) ?? NaN,
  );
}

/**
 * The reserved amount of a resource by type. NaN means that the expression has no value; the default then applies.
 *
 * @see https://github.com/aws/karpenter-provider-aws/blob/v1.15.1/pkg/cel/environment.go formatResourceResult
 */
export function reservedColumn(
  file: CatalogFile,
  resource: string,
  expression: KubeletExpression,
  maxPods: Float64Array,
): Float64Array {
  const { unit, step } = UNITS[resource] ?? { unit: 1, step: 1 };
  return expressionColumn(file, expression, maxPods).map((value) =>
    value >= 0 ? Math.ceil(value / step) * step * unit : NaN,
  );
}
