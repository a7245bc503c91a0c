import { amountsPerColumnUnit, formatAmount, Requirement } from '../../model';
import { PoolTemplate } from '../launch/pool-template';

const MIB = 2n ** 20n;
const GIB = 2n ** 30n;
/** `someValues` lists at most this many values. */
const MAX_VALUES = 5;

/** 'a', 'a and b', 'a, b and c'. */
export function joined(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names[names.length - 1]}`;
}

/** '1 instance type', '2 instance types'. */
export function count(amount: number, noun: string): string {
  return `${amount} ${noun}${amount === 1 ? '' : 's'}`;
}

/** '1.93 CPUs', '6.74 GiB memory', '29 pods', '1 node', '1 nvidia.com/gpu'. */
export function amountText(resource: string, amount: bigint): string {
  if (resource === 'cpu') return `${quantityText(resource, amount)} ${amount === 1000n ? 'CPU' : 'CPUs'}`;
  if (resource === 'pods' || resource === 'nodes') return count(Number(amount), resource.slice(0, -1));
  return `${quantityText(resource, amount)} ${resource}`;
}

/** '1.93', '6.74 GiB': the amount without the name of the resource. Decimals of bytes are cut off. */
export function quantityText(resource: string, amount: bigint): string {
  if (resource === 'cpu') return String(Number(amount) / 1000);
  if (!['memory', 'ephemeral-storage'].includes(resource) && !resource.startsWith('hugepages-'))
    return formatAmount(resource, amount);
  const bytes = amount / BigInt(amountsPerColumnUnit(resource));
  const [unit, name] = bytes < 0n || bytes >= GIB ? [GIB, 'GiB'] : bytes >= MIB ? [MIB, 'MiB'] : [1n, 'bytes'];
  return `${Number((bytes * 100n) / unit) / 100} ${name}`;
}

/** The first values and the number of values left out: 'a, b, c, d, e and 3 more'. */
export function someValues(values: readonly string[]): string {
  return values.length > MAX_VALUES
    ? `${values.slice(0, MAX_VALUES).join(', ')} and ${values.length - MAX_VALUES} more`
    : joined(values);
}

/** 'In [a b]': a requirement in Karpenter's format, without the key. */
export function valuesText(requirement: Requirement): string {
  return String(requirement).slice(requirement.key.length + 1);
}

/** The values of a label that instance types in the catalog, or their offerings, have. */
export function catalogValues({ table }: PoolTemplate, key: string): readonly string[] {
  return table.labels.find((label) => label.key === key)?.values ?? [];
}
