import { MethodAnswer, Remark } from './answer';

/**
 * Karpenter's texts that we repeat, some with a shorter text that is compared instead. Our other remarks (about
 * budgets, delays and the policy Balanced, for example) have no counterpart in Karpenter, so they are not compared and
 * may be worded freely.
 */
const KARPENTER_TEXTS: ReadonlyArray<readonly [pattern: RegExp, compared?: string]> = [
  // The rest of these texts depends on the order in which pods are checked.
  [/^not all pods would schedule/, 'not all pods would schedule'],
  [/^filtering by price/, 'filtering by price'],
  [/^pod has "|^a pod is not to be disrupted$/, 'a pod is not to be disrupted'],
  [
    /^eviction does not support multiple PDBs|^pdb prevents pod evictions|^a pod is not to be evicted$/,
    'a pod is not to be evicted',
  ],
  [/^can't (?:remove without creating \d+ candidates|replace with a cheaper node)$/],
  [/^candidate is deleting$/],
  [/^(?:disruption|repair) is blocked through the "/],
  [/^instance Type "[^"]*" not found$/],
  [/^more than \S+ of nodes in nodepool "[^"]*" are unhealthy$/],
  [/^node "[^"]*" has buffer pods$/],
  [/^node does not have label "|^node doesn't have required label/],
  [/^node is (?:deleting or marked for deletion|nominated for a pending pod)$/],
  [/^node isn't initialized/],
  [/^nodeclaim does not have an associated node$/],
  [/^nodePool "[^"]*" has consolidation /],
  [/^nodePool not found/],
  [/^spotToSpotConsolidation /],
  [/^static NodePool(?: is at its node limit|'s capacity reservations are full) and cannot stage a replacement$/],
];

/**
 * Karpenter's texts without a counterpart: about nodes that are not its own, static pools, and empty nodes, which have
 * other remarks here.
 */
const KARPENTER_ONLY = [/^node isn't managed/, /is static$/, /^node is empty$/];

/** Karpenter's remarks of a method, sorted. */
export function remarksOf({ said }: Pick<MethodAnswer, 'said'>): string[] {
  return [...new Set(comparable(said).map(({ node, message }) => `${node}: ${message}`))].sort();
}

/** Our remarks of a method that repeat Karpenter's texts, sorted. */
export function ourRemarksOf({ said }: Pick<MethodAnswer, 'said'>): string[] {
  return remarksOf({ said: said.filter(({ message }) => entryOf(message) !== undefined) });
}

/** The remarks with the compared texts, without those that only Karpenter has. Idempotent. */
export function comparable(said: readonly Remark[]): Remark[] {
  return said
    .map(({ node, message }) => ({ node, message: entryOf(message)?.[1] ?? lowerFirst(message) }))
    .filter(({ message }) => !KARPENTER_ONLY.some((pattern) => pattern.test(message)));
}

function entryOf(message: string): (typeof KARPENTER_TEXTS)[number] | undefined {
  return KARPENTER_TEXTS.find(([pattern]) => pattern.test(lowerFirst(message)));
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
