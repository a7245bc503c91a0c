import { PodShape } from '../../input/pod-shape';
import { NodePoolSpec, ScheduleInput } from '../../input/schedule-input';

/** The effort of an edit for the user, least first. */
export enum Effort {
  /** Fixes a mistyped key or value. */
  TYPO,
  /** Lowers a request by at most 10 %. */
  SLIGHTLY_SMALLER,
  /** Tolerates a taint of a pool that the pod seems to be meant for. */
  TOLERATION,
  HIGHER_LIMIT,
  /** Adds a value or label to a pool, or lowers minValues. */
  WIDER_POOL,
  /** Selects another value, or lowers a request by at most half. */
  OTHER_POD,
  LOOSER_TOPOLOGY,
  /** Tolerates a taint of a pool that is meant for other pods. */
  FOREIGN_NODES,
  DROPPED_SELECTOR,
  MUCH_SMALLER,
}

/** A change to the input. */
export interface Edit {
  /** An instruction: 'lower memory from 7Gi to 6773Mi'. */
  readonly description: string;
  readonly effort: Effort;
  apply(input: ScheduleInput): ScheduleInput;
}

export function podEdit(
  group: number,
  effort: Effort,
  description: string,
  change: (shape: PodShape) => PodShape,
): Edit {
  return {
    description,
    effort,
    apply: (input) => ({
      ...input,
      pods: input.pods.map((pods, index) => (index === group ? { ...pods, shape: change(pods.shape) } : pods)),
    }),
  };
}

export function poolEdit(
  name: string,
  effort: Effort,
  description: string,
  change: (pool: NodePoolSpec) => NodePoolSpec,
): Edit {
  return {
    description,
    effort,
    apply: (input) => ({
      ...input,
      nodePools: input.nodePools.map((pool) => (pool.name === name ? change(pool) : pool)),
    }),
  };
}

/** Both edits together. */
export function combinedEdit(first: Edit, second: Edit): Edit {
  return {
    description: first.description === '' ? second.description : `${first.description}, and ${second.description}`,
    effort: first.effort + second.effort,
    apply: (input) => second.apply(first.apply(input)),
  };
}
