/**
 * What may happen to the nodes of a cluster, or to its load.
 *
 * @see https://karpenter.sh/docs/concepts/disruption/
 */
export enum Scenario {
  /** Karpenter looks for nodes that it can do without, or have cheaper, until it finds none. */
  CONSOLIDATION = 'consolidation',
  /** EC2 takes spot nodes back: each by itself, then all of one instance type and zone together. */
  SPOT_INTERRUPTION = 'spot-interruption',
  /** A zone stops answering: each of them once. */
  ZONE_OUTAGE = 'zone-outage',
  /** Every node has drifted, as after a new AMI. */
  DRIFT = 'drift',
  /** Nodes reach their `expireAfter`. */
  EXPIRATION = 'expiration',
  /** A capacity block comes to its end: each with nodes in it by itself. */
  CAPACITY_BLOCK = 'capacity-block',
  /**
   * The kubelet of a node is no longer heard of, each of Karpenter's by itself. It is repaired only where the gate
   * `NodeRepair` is open.
   */
  NODE_REPAIR = 'node-repair',
  /** Somebody deletes a NodePool: each of them by itself. */
  DELETION = 'deletion',
  /** Static NodePools give up the nodes that they have beyond their `replicas`. */
  SCALE_DOWN = 'scale-down',
  /**
   * The pods of a Job, or of a run of a CronJob, end, and Karpenter consolidates what is left: each of them by itself.
   */
  JOB_END = 'job-end',
  /** Every HorizontalPodAutoscaler is at its `maxReplicas`. */
  PEAK = 'peak',
}
