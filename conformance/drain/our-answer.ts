import { TerminatedPod, DrainAnswer } from './answer';
import { DrainScenario } from './scenario';
import { podKey } from '../../src/disruption/pods';
import { SimulatedCluster } from '../../src/disruption/scenario/cluster/simulated-cluster';
import { SimulatedPod } from '../../src/disruption/scenario/cluster/simulated-pod';
import { simulate } from '../../src/disruption/scenario/simulate';
import { readSession } from '../../src/validation';
import { prepareCluster } from '../../src/validation/scenario/prepared-cluster';

/** Seconds; without effect, because no node is launched here. */
const NODE_START = 60;

/** The drains of the same nodes in our simulation. */
export function ourAnswer({ manifests, cluster: clusterYaml, deleted, now, times }: DrainScenario): DrainAnswer {
  const options = { cluster: [{ path: 'cluster.yaml', text: clusterYaml }] };
  const { baseline } = prepareCluster(readSession([{ path: 'scenario.yaml', text: manifests }], options), now);
  const cluster = new SimulatedCluster(baseline, now, { ...times, nodeStart: NODE_START, simulation: 0 });
  const recorder = new DrainRecorder(cluster, Object.keys(deleted));
  const events = Object.entries(deleted).map(([node, after]) => {
    const grace = cluster.nodes.get(node)!.node.claim!.terminationGracePeriod;
    return { at: now + after * 1_000, apply: () => cluster.startDraining(node, grace) };
  });
  simulate(cluster, { scenario: 'deletion', events });
  return recorder.answer();
}

/** Records when pods start to terminate and are deleted, and when nodes are removed. */
class DrainRecorder {
  private readonly asked = new Map<string, { readonly pod: string; readonly at: number; gone?: number }>();
  private readonly drained: Record<string, number> = {};

  public constructor(
    private readonly cluster: SimulatedCluster,
    nodes: readonly string[],
  ) {
    const { podLifecycle, removeDrainedNode } = cluster;
    const { startTermination, delete: deletePod } = podLifecycle;
    podLifecycle.startTermination = (subject: SimulatedPod, ...more) => {
      const pod = podKey(subject.pod);
      if (nodes.includes(subject.node!) && !this.asked.has(pod)) this.asked.set(pod, { pod, at: this.seconds() });
      startTermination.call(podLifecycle, subject, ...more);
    };
    podLifecycle.delete = (subject: SimulatedPod) => {
      const entry = this.asked.get(podKey(subject.pod));
      if (entry && nodes.includes(subject.node!)) entry.gone = this.seconds();
      deletePod.call(podLifecycle, subject);
    };
    cluster.removeDrainedNode = (name: string) => {
      this.drained[name] = this.seconds();
      removeDrainedNode.call(cluster, name);
    };
  }

  public answer(): DrainAnswer {
    const asked: TerminatedPod[] = [...this.asked.values()];
    return { asked, drained: this.drained };
  }

  private seconds(): number {
    return (this.cluster.now - this.cluster.start) / 1_000;
  }
}
