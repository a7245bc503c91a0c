/**
 * Plain pods: no topology, no affinity, no volumes. Sizes are those of Karpenter's own scheduling benchmark, five of
 * CPU and six of memory (scheduling_benchmark_test.go of kubernetes-sigs/karpenter), assigned in turn, so that no seed
 * is needed.
 */
import { DEFAULT_NODE_CLASS } from '../src/catalog';
import { parseResourceList } from '../src/model';
import { PodGroup, PodShape, ScheduleInput } from '../src/scheduling';

const CPU = ['100m', '250m', '500m', '1', '1500m'];
const MEMORY = ['100Mi', '256Mi', '512Mi', '1Gi', '2Gi', '4Gi'];
export const SIZES = CPU.flatMap((cpu) => MEMORY.map((memory) => ({ cpu, memory })));

/** Each pod is a separate input, as if no workload grouped equal pods. */
export function singlePods(count: number): ScheduleInput {
  return allTypes(
    Array.from({ length: count }, (_, index) => ({
      namespace: 'default',
      name: `pod-${index}`,
      count: 1,
      shape: shape(index),
      bare: true,
    })),
  );
}

/** The same pods as replicas of the given number of workloads. */
export function replicas(count: number, workloads = SIZES.length): ScheduleInput {
  return allTypes(
    Array.from({ length: workloads }, (_, at) => ({
      namespace: 'default',
      name: `app-${at}`,
      count: replicasOf(at, count, workloads),
      shape: shape(at),
    })),
  );
}

/** Number of pods of one workload when pods are assigned in turn. */
export function replicasOf(at: number, pods: number, workloads = SIZES.length): number {
  return Math.ceil((pods - at) / workloads);
}

/** Input with a NodePool that allows every instance type. */
function allTypes(pods: PodGroup[]): ScheduleInput {
  return {
    nodePools: [
      { name: 'default', weight: 0, nodeClass: 'default', labels: {}, requirements: [], taints: [], limits: new Map() },
    ],
    nodeClasses: new Map([['default', { ...DEFAULT_NODE_CLASS, name: 'default' }]]),
    pods,
    daemonSets: [],
    settings: {},
  };
}

function shape(index: number): PodShape {
  const { cpu, memory } = SIZES[index % SIZES.length];
  return {
    requests: parseResourceList({ cpu, memory }),
    nodeSelector: {},
    requiredNodeAffinity: [],
    preferredNodeAffinity: [],
    tolerations: [],
    notEvaluated: [],
  };
}
