import { scenarioStartOf } from './node-facts';
import { scheduledCluster } from './scheduled-cluster';
import { ReadyWorkload, readyWorkloads } from './workload-replicas';
import { Cluster, ClusterBaseline } from '../../disruption';
import { SchedulePlan } from '../../scheduling';
import { CheckSession } from '../context/check-session';

/** The cluster with which every scenario of the same manifests starts: all pods that fit are scheduled, and ready. */
export interface PreparedCluster {
  readonly context: CheckSession;
  readonly plan: SchedulePlan;
  readonly cluster: Cluster;
  /** Computed once for all scenarios of the cluster. */
  readonly baseline: ClusterBaseline;
  /** Sentences about what is unknown of the cluster. */
  readonly notes: readonly string[];
  readonly workloads: readonly ReadyWorkload[];
  /** Milliseconds since 1970, UTC. */
  readonly start: number;
}

/**
 * Puts the scheduled pods of the session on their nodes.
 *
 * @param requestedStart in milliseconds since 1970; @default - the latest time that the cluster files contain
 */
export function prepareCluster(context: CheckSession, requestedStart?: number): PreparedCluster {
  const start = requestedStart ?? scenarioStartOf(context.model);
  const { plan } = context.ruleContext;
  const { cluster, notes } = scheduledCluster(context, plan, start);
  return {
    context,
    plan,
    cluster,
    baseline: new ClusterBaseline(cluster),
    notes,
    workloads: readyWorkloads(context.model, cluster),
    start,
  };
}
