import { Admission, admit } from '../admission';
import { PodClass } from '../pod-classes';
import { queueInOrder } from '../problem';
import { PodGroup, ScheduleInput } from '../schedule-input';
import { KnownPods } from './known-pods';
import { isComplete } from './node-table';

/** Pods that wait, in the terms of what is encoded. */
export interface PosedPods {
  readonly pods: readonly PodGroup[];
  readonly admission: Admission;
  /** Those that are scheduled, and the class of each. */
  readonly groups: readonly PodGroup[];
  readonly classOf: readonly number[];
  readonly queue: ReturnType<typeof queueInOrder>;
  /** Per topology group 1 where it counts from the start. */
  readonly active: Uint8Array;
}

const MOST_RECENT = 8;

interface Terms {
  readonly pods: KnownPods;
  readonly classes: readonly PodClass[];
  /** Per class its place among the sizes. */
  readonly ranks: Int32Array;
  /** Per topology group 1 where it always counts. */
  readonly inverse: Uint8Array;
}

/** The pods of questions, worked out once for those that are asked about in turns. */
export class AllPosedPods {
  private readonly recent: PosedPods[] = [];

  public constructor(private readonly terms: Terms) {}

  /** Undefined where there are some of a kind that was not encoded, or some that are given up when their turn comes. */
  public of(input: ScheduleInput): PosedPods | undefined {
    const known = this.recent.find(({ pods }) => pods === input.pods);
    if (known) return known;
    const posed = this.pose(input);
    if (posed) this.recent.unshift(posed);
    this.recent.splice(MOST_RECENT);
    return posed;
  }

  private pose(input: ScheduleInput): PosedPods | undefined {
    const { pods: known, classes, ranks, inverse } = this.terms;
    const admission = admit(input);
    const groups = admission.indices.map((index) => input.pods[index]);
    const classOf = groups.map((group) => known.classOf(group));
    if (admission.bystanders.length > 0 || !isComplete(classOf)) return undefined;
    const active = inverse.slice();
    for (const podClass of classOf) for (const group of classes[podClass].variants[0].topologies) active[group] = 1;
    return { pods: input.pods, admission, groups, classOf, queue: queueInOrder(groups, classOf, ranks), active };
  }
}
