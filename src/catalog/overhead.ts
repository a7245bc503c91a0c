import { amountsPerColumnUnit, Quantity, resourceAmount } from '../model';
import { amiFamilyTraits } from './ami-family';
import { ResourceColumns, interfaceLimitedPods } from './capacity';
import { CatalogFacts, CatalogFile } from './catalog-file';
import { column } from './columns';
import { reservedColumn } from './kubelet-expressions';
import { KubeletExpressionFacts, NodeClassFacts } from './node-class-facts';

const MIB = 2 ** 20;
const GIB = 2 ** 30;
const EVICTION_MEMORY_BYTES = 100 * MIB;
const EVICTION_STORAGE_PERCENT = 10;
const DECIMAL = /^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)(e[+-]?[0-9]+)?$/i;

/** Shares of the CPU that the kubelet reserves, by millicores. Each band is truncated separately. */
const CPU_BANDS: ReadonlyArray<{ readonly start: number; readonly end: number; readonly share: number }> = [
  { start: 0, end: 1000, share: 0.06 },
  { start: 1000, end: 2000, share: 0.01 },
  { start: 2000, end: 4000, share: 0.005 },
  { start: 4000, end: 2 ** 31, share: 0.0025 },
];

/** Most resources have no reservation. */
const nothing = (): number => 0;

function reservedMillicores(millicores: number): number {
  let sum = 0;
  for (const { start, end, share } of CPU_BANDS) {
    sum += Math.trunc(Math.max(Math.min(millicores, end) - start, 0) * share);
  }
  return sum;
}

/** The amount by type that Karpenter reserves if the node class does not set it. */
function defaultKubeReserved(
  resource: string,
  facts: CatalogFacts,
  nodeClass: NodeClassFacts,
  capacity: ResourceColumns,
): (type: number) => number {
  switch (resource) {
    case 'cpu':
      return (type) => reservedMillicores(facts.vcpus[type] * 1000);
    case 'memory': {
      const pods = amiFamilyTraits(nodeClass.amiFamily).reservesMemoryByInterfaces
        ? interfaceLimitedPods(facts, 0, nodeClass)
        : capacity.get('pods')!;
      return (type) => (11 * pods[type] + 255) * MIB;
    }
    case 'ephemeral-storage':
      return () => GIB;
    default:
      return nothing;
  }
}

function percentOf(capacity: Float64Array, percent: number): (type: number) => number {
  return (type) => Math.ceil((capacity[type] / 100) * percent);
}

/**
 * A threshold of `evictionHard`. 100% switches the signal off. A value that is neither a percentage nor a quantity is
 * rejected elsewhere; here the default applies.
 */
function signal(resource: string, text: string, capacity: Float64Array): ((type: number) => number) | undefined {
  if (text.endsWith('%')) {
    const number = text.replace(/^%+|%+$/g, '');
    const percent = DECIMAL.test(number) ? Number(number) : NaN;
    return Number.isFinite(percent) ? percentOf(capacity, percent === 100 ? 0 : percent) : undefined;
  }
  const quantity = Quantity.tryParse(text);
  if (quantity === undefined) {
    return undefined;
  }
  const amount = Math.ceil(Number(resourceAmount(resource, quantity)) / amountsPerColumnUnit(resource));
  return () => amount;
}

function evictionThreshold(
  resource: string,
  nodeClass: NodeClassFacts,
  capacity: ResourceColumns,
): (type: number) => number {
  const { evictionHard = {} } = nodeClass.kubelet ?? {};
  const amounts = capacity.get(resource)!;
  const threshold = (key: string) =>
    Object.hasOwn(evictionHard, key) ? signal(resource, String(evictionHard[key]), amounts) : undefined;
  switch (resource) {
    case 'memory':
      return threshold('memory.available') ?? (() => EVICTION_MEMORY_BYTES);
    case 'ephemeral-storage':
      return threshold('nodefs.available') ?? percentOf(amounts, EVICTION_STORAGE_PERCENT);
    default:
      return nothing;
  }
}

/** The allocatable amounts by type. A negative amount means that the type fits no pod. */
export function allocatableColumns(
  file: CatalogFile,
  nodeClass: NodeClassFacts,
  capacity: ResourceColumns,
): ResourceColumns {
  return new Map(
    [...capacity].map(([resource, amounts]) => {
      const kubelet = reserved(
        'kubeReserved',
        resource,
        file,
        nodeClass,
        capacity,
        defaultKubeReserved(resource, file.facts, nodeClass, capacity),
      );
      const system = reserved('systemReserved', resource, file, nodeClass, capacity, nothing);
      const eviction = evictionThreshold(resource, nodeClass, capacity);
      if (kubelet === nothing && eviction === nothing && system === nothing) return [resource, amounts.slice()];
      return [
        resource,
        column(amounts.length, (type) => amounts[type] - kubelet(type) - system(type) - eviction(type)),
      ];
    }),
  );
}

type Reserved = (type: number) => number;

/** The reservation of the node class, or the default. */
function reserved(
  field: Exclude<keyof KubeletExpressionFacts, 'maxPods'>,
  resource: string,
  file: CatalogFile,
  { kubelet }: NodeClassFacts,
  capacity: ResourceColumns,
  byDefault: Reserved,
): Reserved {
  const stated = kubelet?.[field]?.get(resource);
  if (stated !== undefined) {
    const amount = Math.ceil(Number(stated) / amountsPerColumnUnit(resource));
    return () => amount;
  }
  const expression = kubelet?.expressions?.[field].get(resource);
  if (expression === undefined) return byDefault;
  const amounts = reservedColumn(file, resource, expression, capacity.get('pods')!);
  return (type) => (Number.isNaN(amounts[type]) ? byDefault(type) : amounts[type]);
}
