import { PodKinds } from './pod-kinds';
import { PodClass } from '../encoding/pod-classes';
import { queueInOrder } from '../encoding/problem';
import { PodGroup, ScheduleInput } from '../input/schedule-input';
import { Admission, admit } from '../pods/admission';

/** The pending pods of a query, encoded. */
export interface QueryPods {
  readonly pods: readonly PodGroup[];
  readonly admission: Admission;
  /** The admitted groups, and the class of each. */
  readonly groups: readonly PodGroup[];
  readonly classOf: readonly number[];
  readonly queue: ReturnType<typeof queueInOrder>;
  /** Per topology group: 1 if it counts from the start. */
  readonly active: Uint8Array;
}

/** Provisioning, simulations and the queries of other nodes alternate. */
const MAX_ENTRIES = 8;

interface PodEncoding {
  readonly kinds: PodKinds;
  readonly classes: readonly PodClass[];
  /** Per class: its rank by size. */
  readonly ranks: Int32Array;
  /**
   * Per topology group: 1 if it holds anti-affinity seen from the pods that it keeps away. Such groups always count.
   */
  readonly inverse: Uint8Array;
}

/** Encodes the pending pods of queries, and keeps the latest results by the identity of the list of groups. */
export class QueryPodCache {
  private readonly entries: QueryPods[] = [];

  public constructor(private readonly encoding: PodEncoding) {}

  /** Undefined if a pod is of a kind that was not encoded, or if a pod is given up as soon as its turn comes. */
  public get(input: ScheduleInput): QueryPods | undefined {
    const cached = this.entries.find(({ pods }) => pods === input.pods);
    if (cached) return cached;
    const encoded = this.encode(input);
    if (encoded) this.entries.unshift(encoded);
    this.entries.splice(MAX_ENTRIES);
    return encoded;
  }

  private encode(input: ScheduleInput): QueryPods | undefined {
    const { kinds, classes, ranks, inverse } = this.encoding;
    const admission = admit(input);
    const groups = admission.indices.map((index) => input.pods[index]);
    const classOf = groups.map((group) => kinds.classOf(group));
    if (admission.unscheduledPods.length > 0 || !isComplete(classOf)) return undefined;
    const active = inverse.slice();
    for (const podClass of classOf) for (const group of classes[podClass].variants[0].topologies) active[group] = 1;
    return { pods: input.pods, admission, groups, classOf, queue: queueInOrder(groups, classOf, ranks), active };
  }
}

export function isComplete<Item>(list: ReadonlyArray<Item | undefined>): list is readonly Item[] {
  return !list.includes(undefined);
}
