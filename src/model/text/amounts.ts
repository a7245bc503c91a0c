import { columnAmount, milliAmount, ResourceList } from '../resource-list';
import { countText, numberText } from './numbers';

const MIB = 2n ** 20n;
const GIB = 2n ** 30n;
const BYTES: ReadonlySet<string> = new Set(['memory', 'ephemeral-storage']);

/**
 * An amount and its resource: `1.93 CPUs`, `6.74 GiB memory`, `29 pods`, `1 nvidia.com/gpu`. The amount is in the units
 * of `ResourceList`.
 */
export function amountText(resource: string, amount: bigint): string {
  if (resource === 'cpu') return `${quantityText(resource, amount)} ${amount === 1000n ? 'CPU' : 'CPUs'}`;
  if (resource === 'pods' || resource === 'nodes') return countText(amount, resource.slice(0, -1));
  return `${quantityText(resource, amount)} ${resource}`;
}

/** `1.93 CPUs and 6.74 GiB memory`, for the named resources. */
export function amountsText(resources: readonly string[], amounts: ResourceList): string {
  return listText(resources.map((resource) => amountText(resource, amounts.get(resource) ?? 0n)));
}

/**
 * An amount without its resource: `1.93`, `6.74 GiB`, `1,000 GiB`, `512 MiB`, `2,000`. Bytes are in GiB, MiB or bytes,
 * and a third decimal is cut off, so that what is left is never shown as more than it is.
 */
export function quantityText(resource: string, amount: bigint): string {
  const thousandths = milliAmount(resource, amount);
  if (!isInBytes(resource)) return numberText(Number(thousandths) / 1000);
  return bytesText(thousandths / 1000n);
}

/** As `quantityText`, of an amount in CPUs, bytes or counts, as verdicts have them. */
export function baseUnitText(resource: string, amount: number): string {
  return resource === 'cpu' ? numberText(amount) : quantityText(resource, columnAmount(resource, amount));
}

/** `6.74 GiB`, `512 MiB`, `100 bytes`. */
function bytesText(bytes: bigint): string {
  const [unit, name] = bytes < 0n || bytes >= GIB ? [GIB, 'GiB'] : bytes >= MIB ? [MIB, 'MiB'] : [1n, 'bytes'];
  return `${numberText(Number((bytes * 100n) / unit) / 100)} ${name}`;
}

function isInBytes(resource: string): boolean {
  return BYTES.has(resource) || resource.startsWith('hugepages-');
}

/** `a`, `a and b`, `a, b and c`: without a comma before the conjunction. */
export function listText(names: readonly string[], conjunction: 'and' | 'or' = 'and'): string {
  if (names.length < 2) return names.join('');
  return `${names.slice(0, -1).join(', ')} ${conjunction} ${names[names.length - 1]}`;
}

/** The first names and the number of names left out: `a, b and 3 more`, or `a, b and 3 more pods` with a noun. */
export function shortListText(names: readonly string[], most = 5, noun?: string): string {
  const left = names.length - most;
  return left > 0 ? `${names.slice(0, most).join(', ')} and ${moreText(left, noun)}` : listText(names);
}

/** `Deployment shop/web` of each, sorted: for lists in sentences and in evidence. */
export function workloadNames(
  workloads: ReadonlyArray<{ readonly kind: string; readonly namespace: string; readonly name: string }>,
): string[] {
  return workloads.map(({ kind, namespace, name }) => `${kind} ${namespace}/${name}`).sort();
}

/** `3 more`, `1 more pod`, `3 more pods`: what a list leaves out. */
export function moreText(count: number, noun?: string): string {
  return noun === undefined ? countText(count, 'more', 'more') : countText(count, `more ${noun}`);
}

/** What something becomes, step by step: `2 → 3`, `1,391 instance types → 24 (family = m5)`. */
export function stepsText(...steps: readonly string[]): string {
  return steps.join(' → ');
}

/** `2 → 3`, or `2` if nothing changes. */
export function changeText(before: string, after: string): string {
  return before === after ? after : stepsText(before, after);
}
