import { CreatedPod } from './creation-order';
import { SeededRandom } from './seeded-random';
import { PodGroup, ScheduleInput } from '../input/schedule-input';
import { SolvedInput } from '../provisioning/solve';

/** Pods in an order, as groups of their own, each with the index of its group in the input. */
export interface OrderedPods {
  readonly pods: readonly PodGroup[];
  readonly groups: readonly number[];
}

/**
 * The order of pods, drawn from a seed. Karpenter orders pods of equal size by creation time, in whole seconds, and
 * then by UID, which is random: pods of equal size that are created in the same second are mixed. kube-scheduler tries
 * pending pods in the order of their creation.
 *
 * @see https://github.com/kubernetes-sigs/karpenter/blob/v1.15.0/pkg/controllers/provisioning/scheduling/queue.go
 */
export class PodOrder {
  /** Group by group; pods of equal size and different constraints are mixed. One entry a pod. */
  private readonly karpenter: readonly number[];
  private readonly kubernetes: readonly number[];

  public constructor(
    private readonly input: ScheduleInput,
    classes: ReadonlyMap<number, number>,
    created: readonly CreatedPod[],
    random: SeededRandom,
  ) {
    this.karpenter = podsBySize(input, created).flatMap((pods) => mixed(pods, classes, random));
    this.kubernetes = created.map(({ group }) => group);
  }

  /** The pending pods in the order in which Karpenter schedules them. */
  public forKarpenter(pending: Int32Array): OrderedPods {
    return this.ordered(this.karpenter, pending);
  }

  /**
   * The pending pods in the order in which kube-scheduler tries them: by the rank of their group, then by creation.
   * Virtual pods are never bound.
   */
  public forKubernetes(pending: Int32Array, rankOf: (group: number) => number): OrderedPods {
    const ranks = this.input.pods.map((_, group) => (pending[group] > 0 ? rankOf(group) : 0));
    const isRanked = new Set(ranks.filter((_, group) => pending[group] > 0)).size > 1;
    const order = isRanked
      ? this.kubernetes.filter((group) => pending[group] > 0).sort((left, right) => ranks[left] - ranks[right] || 0)
      : this.kubernetes;
    return this.ordered(order, pending, ({ buffer }) => buffer === undefined);
  }

  private ordered(
    order: readonly number[],
    pending: Int32Array,
    isIncluded: (group: PodGroup) => boolean = () => true,
  ): OrderedPods {
    const bound = this.input.pods.map(({ count }, group) => count - pending[group]);
    const pods: PodGroup[] = [];
    const groups: number[] = [];
    let count = 0;
    const close = (group: number) => {
      if (count > 0) {
        pods.push({ ...this.input.pods[group], count });
        groups.push(group);
      }
      count = 0;
    };
    let previous = -1;
    for (const group of order) {
      if (bound[group] > 0) {
        bound[group]--;
        continue;
      }
      if (!isIncluded(this.input.pods[group])) continue;
      if (group !== previous) close(previous);
      previous = group;
      count++;
    }
    close(previous);
    return { pods, groups };
  }
}

/** The class of each admitted group, as an index into the input. */
export function classesOf({ indices, workload }: Pick<SolvedInput, 'indices' | 'workload'>): Map<number, number> {
  return new Map(indices.map((group, position) => [group, workload.pods.classOf[position]]));
}

/** The pods of equal size that are created in the same second, by size and second. */
function podsBySize({ pods }: ScheduleInput, created: readonly CreatedPod[]): CreatedPod[][] {
  const sizes = pods.map(({ shape: { requests } }) => `${requests.get('cpu') ?? 0n} ${requests.get('memory') ?? 0n}`);
  const bySize = new Map<string, CreatedPod[][]>();
  for (const pod of created) {
    const seconds = bySize.get(sizes[pod.group]);
    const latest = seconds?.[seconds.length - 1];
    if (latest?.[0].second === pod.second) latest.push(pod);
    else if (seconds) seconds.push([pod]);
    else bySize.set(sizes[pod.group], [[pod]]);
  }
  return [...bySize.values()].flat();
}

/**
 * The groups of the pods, which are created in the same second. Pods that Karpenter cannot tell apart stay together,
 * because their order changes nothing. Existing pods have an order of their own.
 */
function mixed(pods: readonly CreatedPod[], classes: ReadonlyMap<number, number>, random: SeededRandom): number[] {
  if (pods[0].second < 0) return pods.map(({ group }) => group);
  const byClass = new Map<number | undefined, number[]>();
  for (const { group } of [...pods].sort((left, right) => left.group - right.group)) {
    const podClass = classes.get(group);
    const members = byClass.get(podClass);
    if (members) members.push(group);
    else byClass.set(podClass, [group]);
  }
  const podsOfClass = [...byClass.values()];
  if (podsOfClass.length === 1) return podsOfClass[0];
  for (const members of podsOfClass) members.reverse();
  const draws = random.shuffle(podsOfClass.flatMap(({ length }, index) => new Array<number>(length).fill(index)));
  return draws.map((index) => podsOfClass[index].pop()!);
}
