import { firstNames, foldAlike } from './fold-alike';

const MOST_NAMED = 10;

interface OfPool {
  readonly nodePool: string;
  readonly message: string | null;
}

/** NodePools of which the same is said, but for their names in Karpenter's words. */
export function foldPools<Pool extends OfPool>(pools: readonly Pool[]): Pool[][] {
  return foldAlike(pools, ({ nodePool, message, ...rest }) =>
    JSON.stringify([message?.replace(`karpenter.sh/nodepool In [${nodePool}]`, 'karpenter.sh/nodepool'), rest]));
}

/** Nothing where there are no others. */
export function alikePoolsText(names: readonly string[]): string[] {
  return names.length === 0 ? [] : [`the same of ${names.length} more: ${firstNames(names, MOST_NAMED, ': --format json lists them all')}`];
}
