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
 * then by UID, which is random: pods of equal size that are created together are mixed. kube-scheduler retries pending
 * pods in an order that nobody knows.
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
    random: SeededRandom,
  ) {
    this.karpenter = groupsBySize(input).flatMap((groups) => mixed(groups, input, classes, random));
    this.kubernetes = random.shuffle([...this.karpenter]);
  }

  /** The pending pods in the order in which Karpenter schedules them. */
  public forKarpenter(pending: Int32Array): OrderedPods {
    return this.ordered(this.karpenter, pending);
  }

  /** The pending pods in the order in which kube-scheduler tries them. Virtual pods are never bound. */
  public forKubernetes(pending: Int32Array): OrderedPods {
    return this.ordered(this.kubernetes, pending, ({ buffer }) => buffer === undefined);
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

function groupsBySize({ pods }: ScheduleInput): number[][] {
  const bySize = new Map<string, number[]>();
  pods.forEach(({ shape: { requests } }, group) => {
    const size = `${requests.get('cpu') ?? 0n} ${requests.get('memory') ?? 0n}`;
    const groups = bySize.get(size);
    if (groups) groups.push(group);
    else bySize.set(size, [group]);
  });
  return [...bySize.values()];
}

/**
 * The pods of groups of equal size, one entry a pod. Pods that Karpenter cannot tell apart stay together, because their
 * order changes nothing. Existing pods come first, in the order of their age.
 */
function mixed(
  groups: readonly number[],
  { pods }: ScheduleInput,
  classes: ReadonlyMap<number, number>,
  random: SeededRandom,
): number[] {
  const entries = (group: number) => new Array<number>(pods[group].count).fill(group);
  const existing = groups.filter((group) => pods[group].age !== undefined);
  const created = groups.filter((group) => pods[group].age === undefined);
  const byClass = new Map<number | undefined, number[]>();
  for (const group of created) {
    const podClass = classes.get(group);
    const members = byClass.get(podClass) ?? [];
    byClass.set(podClass, members);
    for (let pod = 0; pod < pods[group].count; pod++) members.push(group);
  }
  const first = existing.flatMap(entries);
  if (byClass.size <= 1) return [...first, ...[...byClass.values()].flat()];
  const podsOfClass = [...byClass.values()].map((members) => members.reverse());
  const draws = random.shuffle(podsOfClass.flatMap(({ length }, index) => new Array<number>(length).fill(index)));
  return [...first, ...draws.map((index) => podsOfClass[index].pop()!)];
}
