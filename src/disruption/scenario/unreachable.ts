/** Until Kubernetes takes the pods of a node that it no longer hears of for lost: 40 seconds, and 300 by their tolerations. */
export const UNREACHABLE_SECONDS = 340;
