import { Cluster, ClusterPod, workloadKey } from '../cluster';
import { Disruptor } from './disruptor';
import { CONSOLIDATION } from './next-look';
import { run } from './run';
import { ScenarioReport } from './scenario-report';
import { base, Stage } from './stage';
import { World } from './world';

/**
 * The pods of each Job end, by itself: nothing makes them anew, and Karpenter consolidates what is left.
 *
 * @param jobs by `workloadKey`; all of them that have pods if absent
 */
export function jobEnds(stage: Stage, jobs: readonly string[] = jobsOf(stage.cluster)): ScenarioReport[] {
  return jobs.map((job) => {
    const happen = (world: World) => world.tell(`the pods of ${job} have ended`);
    const afterwards = { ...stage, cluster: without(job, stage) };
    return run({
      ...base('job-end', afterwards, [{ at: stage.start, happen }]), subject: job, disruptor: new Disruptor(stage.start, CONSOLIDATION),
    });
  });
}

function jobsOf({ nodes }: Cluster): string[] {
  return [...new Set(nodes.flatMap(({ pods }) => pods.flatMap((pod) => jobOf(pod) ?? [])))].sort();
}

/** A pod that ends is an event of its node's, as one that comes. */
function without(job: string, { cluster, start }: Stage): Cluster {
  const nodes = cluster.nodes.map((node) => !node.pods.some((pod) => jobOf(pod) === job) ? node : {
    ...node,
    pods: node.pods.filter((pod) => jobOf(pod) !== job),
    ...(node.claim ? { claim: { ...node.claim, lastPodEventAt: start } } : {}),
  });
  return { ...cluster, nodes };
}

function jobOf({ owner, namespace }: ClusterPod): string | undefined {
  return owner?.kind === 'Job' ? workloadKey(namespace, owner) : undefined;
}
