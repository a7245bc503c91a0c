/**
 * An event that affects the nodes of a cluster or its load, which is then simulated.
 *
 * @see https://karpenter.sh/docs/concepts/disruption/
 */
export enum Scenario {
  /** Karpenter consolidates until no node can be removed or replaced by a cheaper one. */
  CONSOLIDATION = 'consolidation',
  /** EC2 interrupts spot nodes: each node by itself, then all nodes of one instance type and zone together. */
  SPOT_INTERRUPTION = 'spot-interruption',
  /** A zone becomes unreachable: each zone by itself. */
  ZONE_OUTAGE = 'zone-outage',
  /** All nodes drift, as after a new AMI. */
  DRIFT = 'drift',
  /** Nodes reach their `expireAfter`. */
  EXPIRATION = 'expiration',
  /** A capacity block ends: each block with nodes by itself. */
  CAPACITY_BLOCK = 'capacity-block',
  /**
   * A node becomes unreachable: each of Karpenter's nodes by itself. Karpenter repairs it only if the feature gate
   * `NodeRepair` is on.
   */
  NODE_REPAIR = 'node-repair',
  /** A NodePool is deleted: each NodePool by itself. */
  DELETION = 'deletion',
  /** Static NodePools remove the nodes beyond their `replicas`. */
  SCALE_DOWN = 'scale-down',
  /**
   * A Job, or one run of a CronJob, completes, and Karpenter consolidates: each Job by itself.
   */
  JOB_END = 'job-end',
  /** Every HorizontalPodAutoscaler scales to its `maxReplicas`. */
  PEAK = 'peak',
}
