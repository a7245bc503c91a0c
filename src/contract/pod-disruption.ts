/**
 * What Karpenter and EC2 do to pods when a node goes, as far as a manifest decides it.
 *
 * Sources: https://karpenter.sh/docs/concepts/disruption/, kubernetes-sigs/karpenter pkg/utils/pod/scheduling.go at v1.15.0, and
 * https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/spot-instance-termination-notices.html
 */
import { parseGoDuration } from '../model';

/** Annotation of a pod: Karpenter does not disrupt its node of its own will. */
export const DO_NOT_DISRUPT = 'karpenter.sh/do-not-disrupt';

/** The first release that reads a duration there; earlier ones take it for no annotation. */
export const DO_NOT_DISRUPT_DURATIONS_SINCE = '1.12.0';

/** The taint of nodes that are about to go: pods that tolerate it are not drained. */
export const DISRUPTED_TAINT = { key: 'karpenter.sh/disrupted', effect: 'NoSchedule' } as const;

/** From EC2's notice to the end of a spot instance. */
export const SPOT_NOTICE_SECONDS = 120;

/**
 * What of the notice passes before the kubelet tells a pod to end: the event, the queue, the taint and the eviction.
 */
export const SPOT_REACTION_SECONDS = 10;

/** Where a pod says nothing of `terminationGracePeriodSeconds`. */
export const DEFAULT_TERMINATION_GRACE_SECONDS = 30;

export type Protection =
  | { readonly kind: 'always' }
  | { readonly kind: 'until'; readonly milliseconds: number }
  | { readonly kind: 'none' };

/** What a value of `karpenter.sh/do-not-disrupt` on a pod means. */
export function protectionOf(value: unknown): Protection {
  if (value === 'true') return { kind: 'always' };
  const milliseconds = typeof value === 'string' ? parseGoDuration(value) : undefined;
  return milliseconds !== undefined && milliseconds > 0 ? { kind: 'until', milliseconds } : { kind: 'none' };
}
