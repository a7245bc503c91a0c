import { workloadKeyOf } from './simulated-pod';
import { SimulatedPods } from './simulated-pods';
import { ClusterPod } from '../../cluster';

/**
 * Recreates deleted pods of StatefulSets: each one when the pods before it are ready, or all at once with the
 * podManagementPolicy Parallel.
 *
 * @see https://github.com/kubernetes/kubernetes/blob/v1.35.0/pkg/controller/statefulset/stateful_set_control.go
 */
export class StatefulSetController {
  /** By `workloadKey`, in ordinal order. */
  private readonly deleted = new Map<string, ClusterPod[]>();

  /** @param create called for each pod when it is recreated */
  public constructor(
    private readonly pods: SimulatedPods,
    private readonly create: (pod: ClusterPod) => void,
  ) {}

  /** Pods that are not yet recreated. */
  public get missingPods(): ClusterPod[] {
    return [...this.deleted.values()].flat();
  }

  /** Recreates the pod now, or when it is its turn. */
  public recreate(pod: ClusterPod): void {
    const workload = workloadKeyOf(pod)!;
    this.deleted.set(
      workload,
      [...(this.deleted.get(workload) ?? []), pod].sort((left, right) => ordinalOf(left) - ordinalOf(right)),
    );
    this.createNext(workload);
  }

  /** Continues with the next pod, because this one became ready. */
  public continueAfter(readyPod: ClusterPod): void {
    const workload = workloadKeyOf(readyPod);
    if (workload !== undefined) this.createNext(workload);
  }

  private createNext(workload: string): void {
    const queue = this.deleted.get(workload) ?? [];
    while (queue.length > 0 && this.mayCreate(queue[0], workload)) this.create(queue.shift()!);
  }

  private mayCreate(next: ClusterPod, workload: string): boolean {
    return (
      next.parallel === true || this.pods.unreadyPodsOf(workload).every(({ pod }) => ordinalOf(pod) >= ordinalOf(next))
    );
  }
}

function ordinalOf({ name }: ClusterPod): number {
  return Number(/\d+$/.exec(name)?.[0] ?? 0);
}
