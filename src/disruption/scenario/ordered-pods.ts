import { ClusterPod } from '../cluster';
import { workloadOf } from './pod-phase';
import { WorldPods } from './world-pods';

/**
 * Pods of StatefulSets that are gone: each is made again when those before it are there and ready, unless its set makes all at once.
 *
 * @see https://github.com/kubernetes/kubernetes/blob/v1.35.0/pkg/controller/statefulset/stateful_set_control.go
 */
export class OrderedPods {
  /** By `workloadKey`, in the order in which they are made. */
  private readonly gone = new Map<string, ClusterPod[]>();

  /** @param make called with a pod when it is its turn */
  public constructor(private readonly pods: WorldPods, private readonly make: (pod: ClusterPod) => void) {}

  /** Those that are not made as yet. */
  public get notMade(): ClusterPod[] {
    return [...this.gone.values()].flat();
  }

  public makeAgain(pod: ClusterPod): void {
    const workload = workloadOf(pod)!;
    this.gone.set(workload, [...this.gone.get(workload) ?? [], pod].sort((left, right) => ordinalOf(left) - ordinalOf(right)));
    this.makeNext(workload);
  }

  /** A pod has become ready. */
  public follow(pod: ClusterPod): void {
    const workload = workloadOf(pod);
    if (workload !== undefined) this.makeNext(workload);
  }

  private makeNext(workload: string): void {
    const queue = this.gone.get(workload) ?? [];
    while (queue.length > 0 && this.isItsTurn(queue[0], workload)) this.make(queue.shift()!);
  }

  private isItsTurn(next: ClusterPod, workload: string): boolean {
    return next.madeAtOnce === true || this.pods.unreadyOf(workload).every(({ pod }) => ordinalOf(pod) >= ordinalOf(next));
  }
}

function ordinalOf({ name }: ClusterPod): number {
  return Number(/\d+$/.exec(name)?.[0] ?? 0);
}
