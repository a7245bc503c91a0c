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
  /** Deployments are rolled out: each by itself, then all at the same time. */
  ROLLOUT = 'rollout',
  /** EC2 has no spot capacity: it takes all spot nodes, and launches none. */
  NO_SPOT = 'no-spot',
  /** EC2 has no instance of a family, whose nodes must be replaced: each family with nodes by itself. */
  NO_TYPE = 'no-type',
  /** No subnet of a zone has a free address, and its nodes must be replaced: each zone with nodes by itself. */
  SUBNET_FULL = 'subnet-full',
  /** Others use all instances of a capacity reservation: each reservation with nodes by itself. */
  RESERVATION_FULL = 'reservation-full',
  /** EC2's quota of on-demand vCPUs is `vcpuQuota`, and the nodes beyond it must go. */
  QUOTA = 'quota',
}
