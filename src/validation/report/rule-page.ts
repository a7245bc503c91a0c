export const REPOSITORY = 'https://github.com/karpenter-constructs/karpenter-constructs';

/** The address of the page that explains a rule. */
export function rulePageUrl(id: string): string {
  return `${REPOSITORY}/blob/main/docs/rules/${id}.md`;
}
