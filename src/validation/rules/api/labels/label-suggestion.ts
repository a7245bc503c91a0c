import { labelDomain, suggestLabelKey } from '../../../../model';

/** Domains of platform labels. A key under any other domain, or without a domain, may be the user's own. */
const PLATFORM_DOMAINS = ['kubernetes.io', 'k8s.io', 'karpenter.sh', 'k8s.aws', 'amazonaws.com'];

export interface LabelSuggestion {
  /** The well-known label that the key resembles. */
  readonly suggestion: string;
  /** Whether the key is under a platform domain, so that it cannot be the user's own. */
  readonly certain: boolean;
}

/**
 * The label that a misspelt key was likely meant to be; undefined for a well-known key and for a key that resembles
 * none.
 */
export function suggestLabel(key: string): LabelSuggestion | undefined {
  const suggestion = suggestLabelKey(key);
  const domain = labelDomain(key);
  const certain = PLATFORM_DOMAINS.some((platform) => domain === platform || domain.endsWith(`.${platform}`));
  return suggestion === undefined ? undefined : { suggestion, certain };
}
