import { oncePer } from '../../model';
import { PodShape } from '../../scheduling';
import { Cluster, ClusterNode, ClusterPod } from '../cluster';
import { copyOfNode } from '../copies';
import { isActive, isReschedulable } from '../pod-eviction';
import { firstPhase, shownAs, workloadOf } from './pod-phase';

/** The pods of a node as every scenario begins with them. */
export interface FirstPodsOfNode {
  readonly pods: readonly ClusterPod[];
  /** The same pods as Karpenter sees them, one for one. */
  readonly shown: readonly ClusterPod[];
  /** The place of each among all. */
  readonly numbers: readonly number[];
}

/** The pods of a cluster as every scenario begins with them: gathered once, however many scenarios there are. */
export interface FirstPods {
  /** By name. */
  readonly nodes: ReadonlyMap<string, FirstPodsOfNode>;
  /** By `workloadKey`. */
  readonly ready: ReadonlyMap<string, number>;
  /** By `workloadKey`: as many as there are, or come again. */
  readonly replicas: ReadonlyMap<string, number>;
  /** One pod of each workload. */
  readonly samples: ReadonlyMap<string, ClusterPod>;
  /** Names of the nodes on which some are on their way out. */
  readonly ending: readonly string[];
  readonly count: number;
  /** Whether any is spread by what taints nodes have. Such as are made again are like those that were there. */
  readonly honorTaints: boolean;
}

export const firstPods = oncePer(gather);


function gather(nodes: readonly ClusterNode[]): FirstPods {
  const byNode = new Map<string, FirstPodsOfNode>();
  const ready = new Map<string, number>();
  const replicas = new Map<string, number>();
  const samples = new Map<string, ClusterPod>();
  const ending: string[] = [];
  let count = 0;
  const shapes = new Set<PodShape>();
  for (const { name, pods } of nodes) {
    const before = byNode.get(name) ?? { pods: [], shown: [], numbers: [] };
    byNode.set(name, {
      pods: [...before.pods, ...pods],
      shown: [...before.shown, ...pods.map((pod) => shownAs(pod, firstPhase(pod)))],
      numbers: [...before.numbers, ...pods.map(() => count++)],
    });
    if (pods.some((pod) => firstPhase(pod) === 'ending')) ending.push(name);
    for (const pod of pods) {
      shapes.add(pod.shape);
      const workload = workloadOf(pod);
      if (workload === undefined || !isReschedulable(pod)) continue;
      replicas.set(workload, (replicas.get(workload) ?? 0) + 1);
      ready.set(workload, (ready.get(workload) ?? 0) + (isActive(pod) ? 1 : 0));
      samples.set(workload, pod);
    }
  }
  const honorTaints = [...shapes].some(({ topologySpread = [] }) => topologySpread.some(({ nodeTaintsPolicy }) => nodeTaintsPolicy === 'Honor'));
  return { nodes: byNode, ready, replicas, samples, ending, count, honorTaints };
}

/** Of workloads of which nothing tells how many pods they want: as many as they have, also while some of these are on their way. */
export function withReplicas(cluster: Cluster): Cluster {
  const found = WITH_REPLICAS.get(cluster) ?? { ...cluster, replicas: new Map([...firstPods(cluster.nodes).replicas, ...cluster.replicas ?? []]) };
  WITH_REPLICAS.set(cluster, found);
  return found;
}

const WITH_REPLICAS = new WeakMap<Cluster, Cluster>();

/** The nodes as every scenario of the cluster begins with them: what is worked out of them lasts for all of these. */
export const firstNodes = oncePer((cluster: Pick<Cluster, 'nodes'>): readonly ClusterNode[] => {
  const { nodes } = firstPods(cluster.nodes);
  return cluster.nodes.map((node) => firstSight(node, nodes));
});

/** The same also where scenarios begin with other nodes beside it. */
function firstSight(node: ClusterNode, nodes: FirstPods['nodes']): ClusterNode {
  const known = SEEN_FIRST.get(node);
  if (known) return known;
  const found = copyOfNode(node);
  found.pods = nodes.get(node.name)?.shown ?? [];
  found.deleting = false;
  SEEN_FIRST.set(node, found);
  return found;
}

const SEEN_FIRST = new WeakMap<ClusterNode, ClusterNode>();
