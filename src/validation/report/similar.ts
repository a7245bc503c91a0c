import { LIST_ALL } from './wording';
import { moreText, shortListText } from '../../model';
import { Finding } from '../vocabulary/verdict';

/** Up to so many similar items are listed one by one. */
const MAX_LISTED = 3;
const MAX_NAMES = 10;

/**
 * Groups items with the same key if there are more than three of them; other items stay alone. A report describes the
 * first item of a group, and names the others.
 *
 * @returns groups in the order of their first items
 */
export function groupSimilar<Item>(items: readonly Item[], keyOf: (item: Item) => string): Item[][] {
  const groups = new Map<string, Item[]>();
  const keys = items.map(keyOf);
  items.forEach((item, index) => {
    const group = groups.get(keys[index]);
    if (group) group.push(item);
    else groups.set(keys[index], [item]);
  });
  return items.flatMap((item, index) => {
    const group = groups.get(keys[index])!;
    return group.length <= MAX_LISTED ? [[item]] : item === group[0] ? [group] : [];
  });
}

/** `a, b, c and 7 more`. @param hint says where to find the others */
export function firstNames(names: readonly string[], max: number, hint: string): string {
  return `${shortListText(names, max)}${names.length > max ? hint : ''}`;
}

/** Groups findings of one rule that differ only in their object and place. */
export function groupSimilarFindings(findings: readonly Finding[]): Finding[][] {
  return groupSimilar(findings, ({ rule, severity, subject, message, remedy }) =>
    JSON.stringify([rule, severity, subject.kind, message, remedy]),
  );
}

/** `same for 2 more: shop/a, shop/b`; empty without others. @param hint says where to find the other names */
export function similarText(
  others: readonly Finding[],
  nameOf: (finding: Finding) => string,
  hint: string = LIST_ALL,
): string[] {
  return others.length === 0
    ? []
    : [`same for ${moreText(others.length)}: ${firstNames(others.map(nameOf), MAX_NAMES, hint)}`];
}

interface PoolItem {
  readonly nodePool: string;
  readonly message: string | null;
}

/** Groups NodePools that differ only in their name. Karpenter's messages contain the name, too. */
export function groupSimilarPools<Pool extends PoolItem>(pools: readonly Pool[]): Pool[][] {
  return groupSimilar(pools, ({ nodePool, message, ...rest }) =>
    JSON.stringify([message?.replace(`karpenter.sh/nodepool In [${nodePool}]`, 'karpenter.sh/nodepool'), rest]),
  );
}

/** `same for 2 more: pool-1, pool-2`; empty without names. */
export function similarPoolsText(names: readonly string[]): string[] {
  return names.length === 0 ? [] : [`same for ${moreText(names.length)}: ${firstNames(names, MAX_NAMES, LIST_ALL)}`];
}
