/**
 * Facts about the disruption of pods by Karpenter and EC2.
 *
 * Sources: https://karpenter.sh/docs/concepts/disruption/, kubernetes-sigs/karpenter pkg/utils/pod/scheduling.go at v1.15.0, and
 * https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/spot-instance-termination-notices.html
 */
import { parseGoDuration } from '../model';

/** A pod annotation that blocks voluntary disruption of its node. */
export const DO_NOT_DISRUPT = 'karpenter.sh/do-not-disrupt';

/** The first release that accepts a duration in the annotation. Earlier releases ignore such a value. */
export const DO_NOT_DISRUPT_DURATIONS_SINCE = '1.12.0';

/** The taint of nodes that are being disrupted. Pods that tolerate it are not drained. */
export const DISRUPTED_TAINT = { key: 'karpenter.sh/disrupted', effect: 'NoSchedule' } as const;

/** Time from EC2's notice to the interruption of a spot instance. */
export const SPOT_NOTICE_SECONDS = 120;

/** The part of the notice that passes before a pod receives SIGTERM: event, queue, taint and eviction. */
export const SPOT_REACTION_SECONDS = 10;

/** Kubernetes' default for `terminationGracePeriodSeconds`. */
export const DEFAULT_TERMINATION_GRACE_SECONDS = 30;

/** The parsed annotation. `until` is relative to the start of the pod. */
export type DoNotDisruptValue =
  | { readonly kind: 'always' }
  | { readonly kind: 'until'; readonly milliseconds: number }
  | { readonly kind: 'none' };

/** Parses a pod's annotation `karpenter.sh/do-not-disrupt`. */
export function parseDoNotDisrupt(value: unknown): DoNotDisruptValue {
  if (value === 'true') return { kind: 'always' };
  const milliseconds = typeof value === 'string' ? parseGoDuration(value) : undefined;
  return milliseconds !== undefined && milliseconds > 0 ? { kind: 'until', milliseconds } : { kind: 'none' };
}
