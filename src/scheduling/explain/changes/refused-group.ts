import { NodePoolSpec, PodGroup } from '../../input/schedule-input';
import { Attempt, SolvedWorkload } from '../../refusals/attempt';

/** A group with unschedulable pods, and the attempt with each pool. */
export interface RefusedGroup {
  /** Index into `ScheduleInput.pods`. */
  readonly group: number;
  /** Number of unschedulable pods of the group. */
  readonly left: number;
  /** In the order in which Karpenter tries the pools. */
  readonly attempts: readonly Attempt[];
  readonly solved: SolvedWorkload;
  /** Names of all NodePools, ready or not. */
  readonly poolNames: ReadonlySet<string>;
  readonly staticPools: readonly NodePoolSpec[];
  /** `ScheduleInput.pods`. */
  readonly pods: readonly PodGroup[];
  /** By the index of a group in `solved`: its index in `pods`. */
  readonly indices: readonly number[];
}
