import { labelDomain, suggestLabelKey } from '../../../model';

/** Whoever writes a key under these means a label of the platform; under other domains, or none, a key may well be the user's own. */
const PLATFORM_DOMAINS = ['kubernetes.io', 'k8s.io', 'karpenter.sh', 'k8s.aws', 'amazonaws.com'];

export interface NearMiss {
  /** The well-known label that it resembles. */
  readonly suggestion: string;
  readonly certain: boolean;
}

/** What a label key was likely meant to be; undefined for a well-known key, and for one that resembles none. */
export function nearMiss(key: string): NearMiss | undefined {
  const suggestion = suggestLabelKey(key);
  const domain = labelDomain(key);
  const certain = PLATFORM_DOMAINS.some((platform) => domain === platform || domain.endsWith(`.${platform}`));
  return suggestion === undefined ? undefined : { suggestion, certain };
}
