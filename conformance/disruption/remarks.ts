import { MethodAnswer, Remark } from './answer';

/** What only one of the two ever says: of budgets and of waiting Karpenter tells nothing, of nodes that are not its own neither. */
const UNSAID = [
  /^the disruption budgets/, /^node is empty$/, /^consolidateAfter is not over/, /^it would save too little/, /is static$/, /^node isn't managed/,
  /^static NodePool has more/, /^the node limit of the static NodePool leaves/,
];
/** Sentences whose end is told in other words, or depends on which pod is looked at first. */
const BEGINNINGS: ReadonlyArray<readonly [pattern: RegExp, says: string]> = [
  [/^not all pods would schedule/, 'not all pods would schedule'],
  [/^filtering by price/, 'filtering by price'],
  [/^pod has "/, 'a pod is not to be disrupted'],
  [/^eviction does not support multiple PDBs|^pdb prevents pod evictions/, 'a pod is not to be evicted'],
];

/** What both say of nodes that they leave, in the same words: sentences begin small, and those of many words are cut off. */
export function remarksOf({ said }: Pick<MethodAnswer, 'said'>): string[] {
  return [...new Set(comparable(said).map(({ node, message }) => `${node}: ${message}`))].sort();
}

/** Of comparable remarks it makes the same again. */
export function comparable(said: readonly Remark[]): Remark[] {
  return said.filter(({ message }) => !UNSAID.some((pattern) => pattern.test(message))).map(({ node, message }) => {
    const text = message.charAt(0).toLowerCase() + message.slice(1);
    return { node, message: BEGINNINGS.find(([pattern]) => pattern.test(text))?.[1] ?? text };
  });
}
