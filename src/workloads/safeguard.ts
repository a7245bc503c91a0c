/**
 * A measure that keeps a workload running while Karpenter replaces its nodes. Each safeguard applies by default to the
 * kinds in its description, and can be waived.
 */
export enum Safeguard {
  /**
   * Deployments and StatefulSets run at least two pods, and so do the `minReplicas` of their HorizontalPodAutoscalers.
   */
  REPLICAS = 'replicas',
  /** The pods of a Deployment or StatefulSet are spread over the zones. */
  ZONE_SPREAD = 'zone-spread',
  /**
   * No node runs more than a third of the pods of a Deployment or StatefulSet, or more than one if there are fewer than
   * six.
   */
  HOSTNAME_SPREAD = 'hostname-spread',
  /**
   * A Deployment or StatefulSet has a PodDisruptionBudget, which always allows an eviction while all pods are ready.
   */
  POD_DISRUPTION_BUDGET = 'pod-disruption-budget',
  /**
   * The pods of a Deployment or StatefulSet have time to shut down, within the notice that EC2 gives before a spot
   * interruption.
   */
  TERMINATION_GRACE = 'termination-grace',
  /**
   * A container with a port keeps serving for some seconds after its pod starts to terminate, until requests stop
   * arriving.
   */
  PRE_STOP = 'pre-stop',
  /** A container with a port or another probe is ready only when it answers. */
  READINESS = 'readiness',
  /** No container may use more memory than it requests: consolidation packs nodes by requests. */
  MEMORY_LIMIT = 'memory-limit',
  /** Pods have the container runtime's seccomp profile, and processes gain no privileges. */
  SECURITY_CONTEXT = 'security-context',
  /** Karpenter does not disrupt the pods of Jobs and CronJobs. */
  DO_NOT_DISRUPT = 'do-not-disrupt',
  /** DaemonSets have the priority class `system-node-critical`, so that their pods also start on a full node. */
  PRIORITY_CLASS = 'priority-class',
  /** DaemonSet pods are not scheduled on Fargate, where they cannot run. */
  NOT_ON_FARGATE = 'not-on-fargate',
}

/**
 * A safeguard to leave out, and why.
 */
export interface Waiver {
  /**
   * The safeguard to leave out.
   */
  readonly safeguard: Safeguard;

  /**
   * The reason, which is written into the manifest as an annotation.
   */
  readonly reason: string;
}
