import { Cluster, ClusterPod, workloadKey } from '../../cluster';
import { findStays } from '../../stays/find-stays';
import { consolidated } from '../../stays/what-if';
import { SimulatedCluster } from '../cluster/simulated-cluster';
import { CONSOLIDATION_METHODS } from '../controllers/disruption/next-opportunity';
import { ScenarioReport } from '../report/scenario-report';
import { ScenarioStart, simulateFrom } from '../scenario-start';

/**
 * Karpenter consolidates the cluster.
 *
 * @param explainsStays whether the report says why nodes remain, which takes further simulations
 */
export function consolidation(start: ScenarioStart, explainsStays: boolean): ScenarioReport[] {
  const end = consolidated(start.baseline, start.start, start.times, start);
  return [explainsStays && !end.report.stopped ? { ...end.report, stays: findStays(end, start.times) } : end.report];
}

/**
 * The pods of each Job end on their own. Nothing recreates them, and Karpenter consolidates the cluster.
 *
 * @param jobs by `workloadKey`; @default - all Jobs that have pods
 */
export function jobEnds(
  start: ScenarioStart,
  jobs: readonly string[] = jobsWithPods(start.baseline.cluster),
): ScenarioReport[] {
  const { baseline } = start;
  return jobs.map((job) => {
    const apply = (cluster: SimulatedCluster) => cluster.recordEvent(`the pods of ${job} have ended`);
    const afterJob = { ...start, baseline: baseline.derive(withoutJob(job, start)) };
    return simulateFrom(afterJob, {
      scenario: 'job-end',
      subject: job,
      events: [{ at: start.start, apply }],
      methods: CONSOLIDATION_METHODS,
    });
  });
}

function jobsWithPods({ nodes }: Cluster): string[] {
  return [...new Set(nodes.flatMap(({ pods }) => pods.flatMap((pod) => jobOf(pod) ?? [])))].sort();
}

/** The end of a pod is a pod event of its node. */
function withoutJob(job: string, { baseline: { cluster }, start }: ScenarioStart): Cluster {
  const nodes = cluster.nodes.map((node) =>
    !node.pods.some((pod) => jobOf(pod) === job)
      ? node
      : {
          ...node,
          pods: node.pods.filter((pod) => jobOf(pod) !== job),
          ...(node.claim ? { claim: { ...node.claim, lastPodEventAt: start } } : {}),
        },
  );
  return { ...cluster, nodes };
}

function jobOf({ owner, namespace }: ClusterPod): string | undefined {
  return owner?.kind === 'Job' ? workloadKey(namespace, owner) : undefined;
}
