import { SchedulingVariants } from './scheduling-variants';
import { initialPhase, podSnapshot, workloadKeyOf } from './simulated-pod';
import { PodShape } from '../../../scheduling';
import { cloneNode } from '../../clone';
import { Cluster, ClusterNode, ClusterPod } from '../../cluster';
import { isActive, isReschedulable } from '../../pods';
import { DisruptionSession } from '../../session';
import { WorkloadBaseline } from '../report/workload-baseline';

/** The pods of one node at the start. */
export interface InitialNodePods {
  readonly pods: readonly ClusterPod[];
  /** The same pods as the API server returns them, one for one. */
  readonly snapshots: readonly ClusterPod[];
  /** The index of each pod among all pods. */
  readonly indices: readonly number[];
}

/** The pods of a cluster at the start. */
export interface InitialPods {
  /** By node. */
  readonly nodes: ReadonlyMap<string, InitialNodePods>;
  /** Ready pods by `workloadKey`. */
  readonly ready: ReadonlyMap<string, number>;
  /** Pods by `workloadKey`, those included that terminate and are recreated. */
  readonly replicas: ReadonlyMap<string, number>;
  /** One pod of each workload. */
  readonly samples: ReadonlyMap<string, ClusterPod>;
  /** Names of the nodes with terminating pods. */
  readonly nodesWithTerminatingPods: readonly string[];
  readonly count: number;
  /**
   * Whether a pod has a topology spread with nodeTaintsPolicy Honor. Recreated pods have the same constraints as the
   * first ones.
   */
  readonly honorsNodeTaints: boolean;
}

/**
 * The cluster that scenarios start with, and everything that is computed once for all of them. A caller that runs
 * several scenarios of one cluster creates the baseline, and passes it to each.
 */
export class ClusterBaseline {
  /**
   * The cluster, with a replica count for each workload. A workload without a wanted count has as many replicas as
   * pods.
   */
  public readonly initialState: Cluster;
  public readonly pods: InitialPods;
  /** The nodes as the API server returns them at the start. */
  public readonly nodes: readonly ClusterNode[];
  /** Computed by the first simulation. */
  public workloads?: WorkloadBaseline;
  private readonly snapshots = new Map<ClusterNode, ClusterNode>();

  /** @param parent a baseline whose snapshots of unchanged nodes are reused */
  public constructor(
    public readonly cluster: Cluster,
    public readonly session = new DisruptionSession(cluster),
    public readonly variants = new SchedulingVariants(),
    parent?: ClusterBaseline,
  ) {
    const inherited = parent?.snapshots ?? new Map<ClusterNode, ClusterNode>();
    this.pods = gatherPods(cluster.nodes, inherited);
    this.initialState = { ...cluster, replicas: new Map([...this.pods.replicas, ...(cluster.replicas ?? [])]) };
    this.nodes = cluster.nodes.map((node) => this.snapshot(node, inherited.get(node)));
  }

  /** A baseline for another state of the same cluster. */
  public derive(cluster: Cluster): ClusterBaseline {
    return new ClusterBaseline(cluster, this.session, this.variants, this);
  }

  private snapshot(node: ClusterNode, inherited: ClusterNode | undefined): ClusterNode {
    const snapshot = inherited ?? this.newSnapshot(node);
    this.snapshots.set(node, snapshot);
    return snapshot;
  }

  private newSnapshot(node: ClusterNode): ClusterNode {
    const snapshot = cloneNode(node);
    snapshot.pods = this.pods.nodes.get(node.name)?.snapshots ?? [];
    snapshot.deleting = false;
    return snapshot;
  }
}

function gatherPods(nodes: readonly ClusterNode[], inherited: ReadonlyMap<ClusterNode, ClusterNode>): InitialPods {
  const byNode = new Map<string, InitialNodePods>();
  const ready = new Map<string, number>();
  const replicas = new Map<string, number>();
  const samples = new Map<string, ClusterPod>();
  const nodesWithTerminatingPods: string[] = [];
  const shapes = new Set<PodShape>();
  let count = 0;
  for (const node of nodes) {
    const { name, pods } = node;
    const indices = pods.map(() => count++);
    const inheritedPods = inherited.get(node)?.pods;
    const duplicate = byNode.get(name);
    const snapshots =
      inheritedPods?.length === pods.length ? inheritedPods : pods.map((pod) => podSnapshot(pod, initialPhase(pod)));
    byNode.set(name, duplicate ? joined(duplicate, { pods, snapshots, indices }) : { pods, snapshots, indices });
    if (pods.some((pod) => initialPhase(pod) === 'terminating')) nodesWithTerminatingPods.push(name);
    for (const pod of pods) {
      shapes.add(pod.shape);
      const workload = workloadKeyOf(pod);
      if (workload === undefined || !isReschedulable(pod)) continue;
      replicas.set(workload, (replicas.get(workload) ?? 0) + 1);
      ready.set(workload, (ready.get(workload) ?? 0) + (isActive(pod) ? 1 : 0));
      samples.set(workload, pod);
    }
  }
  const honorsNodeTaints = [...shapes].some(({ topologySpread = [] }) =>
    topologySpread.some(({ nodeTaintsPolicy }) => nodeTaintsPolicy === 'Honor'),
  );
  return { nodes: byNode, ready, replicas, samples, nodesWithTerminatingPods, count, honorsNodeTaints };
}

/** Two nodes of one name count as one node. */
function joined(first: InitialNodePods, second: InitialNodePods): InitialNodePods {
  return {
    pods: [...first.pods, ...second.pods],
    snapshots: [...first.snapshots, ...second.snapshots],
    indices: [...first.indices, ...second.indices],
  };
}
