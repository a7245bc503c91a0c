/**
 * Label, annotation and taint keys that earlier releases read, and what took their place.
 *
 * Sources: https://karpenter.sh/v0.32/upgrading/v1beta1-migration/ and https://karpenter.sh/v1.0/upgrading/v1-migration/
 */

/** Labels of nodes. */
export const LEGACY_LABELS: ReadonlyMap<string, string> = new Map([
  ['karpenter.sh/provisioner-name', 'karpenter.sh/nodepool'],
]);

/** Annotations of pods and nodes. */
export const LEGACY_ANNOTATIONS: ReadonlyMap<string, string> = new Map([
  ['karpenter.sh/do-not-evict', 'karpenter.sh/do-not-disrupt'],
  ['karpenter.sh/do-not-consolidate', 'karpenter.sh/do-not-disrupt'],
]);

/** Of nodes that are about to go. The value of the old taint was `disrupting`, the new one has none. */
export const LEGACY_DISRUPTION_TAINT = { key: 'karpenter.sh/disruption', value: 'disrupting', successor: 'karpenter.sh/disrupted' } as const;
