/** Until Kubernetes takes the pods of a node that it no longer hears of for lost: 40 seconds, and 300 by their tolerations. */
export const UNREACHABLE_SECONDS = 340;
/** For as long after its grace period Karpenter waits for a pod that does not end. */
export const STUCK_SECONDS = 60;
