/**
 * Plain pods: no topology, no affinity, no volumes. Sizes are those of Karpenter's own scheduling benchmark, five of CPU and six
 * of memory (scheduling_benchmark_test.go of kubernetes-sigs/karpenter), dealt out in turn, so that no seed is needed.
 */
import { DEFAULT_NODE_CLASS } from '../src/catalog';
import { parseResourceList } from '../src/model';
import { PodGroup, PodShape, ScheduleInput } from '../src/scheduling';

const CPU = ['100m', '250m', '500m', '1', '1500m'];
const MEMORY = ['100Mi', '256Mi', '512Mi', '1Gi', '2Gi', '4Gi'];
export const SIZES = CPU.flatMap((cpu) => MEMORY.map((memory) => ({ cpu, memory })));

/** Every instance type is allowed. Each pod is an input of its own, as if no workload said which are equal. */
export function plainPods(count: number): ScheduleInput {
  return {
    nodePools: [{ name: 'default', weight: 0, nodeClass: 'default', labels: {}, requirements: [], taints: [], limits: new Map() }],
    nodeClasses: new Map([['default', { ...DEFAULT_NODE_CLASS, name: 'default' }]]),
    pods: Array.from({ length: count }, (_, index) => plainPod(index)),
    daemonSets: [],
    settings: {},
  };
}

function plainPod(index: number): PodGroup {
  const { cpu, memory } = SIZES[index % SIZES.length];
  const shape: PodShape = {
    requests: parseResourceList({ cpu, memory }),
    nodeSelector: {},
    requiredNodeAffinity: [],
    preferredNodeAffinity: [],
    tolerations: [],
    notEvaluated: [],
  };
  return { namespace: 'default', name: `pod-${index}`, count: 1, shape, bare: true };
}
