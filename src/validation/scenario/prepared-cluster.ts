import { Cluster, ClusterBaseline } from '../../disruption';
import { planOfPasses, provisioningPasses, SchedulePlan } from '../../scheduling';
import { CheckOptions } from '../check-options';
import { CheckContext, readCheckContext } from '../context/check-context';
import { SourceFile } from '../manifest';
import { scenarioStartOf } from './node-facts';
import { scheduledCluster } from './scheduled-cluster';
import { ReadyWorkload, readyWorkloads } from './workload-replicas';

/** The cluster with which every scenario of the same manifests starts: all pods that fit are scheduled, and ready. */
export interface PreparedCluster {
  readonly context: CheckContext;
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
 * Reads the manifests and schedules their pods.
 *
 * @param requestedStart in milliseconds since 1970; @default - the latest time that the cluster files contain
 */
export function prepareCluster(
  sources: readonly SourceFile[],
  options: CheckOptions,
  requestedStart?: number,
): PreparedCluster {
  const context = readCheckContext(sources, options);
  const start = requestedStart ?? scenarioStartOf(context.model);
  const plan = planOfPasses(provisioningPasses(context.input, context.catalog));
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
