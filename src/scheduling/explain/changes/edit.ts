import { PodShape } from '../../input/pod-shape';
import { NodePoolSpec, ScheduleInput } from '../../input/schedule-input';

/**
 * The effort of an edit for the user, least first. Edits that do what the user meant come before edits that give up a
 * wish.
 */
export enum Effort {
  /** Fixes a mistyped key, value or unit. */
  TYPO,
  /** Raises a limit, or the replicas of a static pool, in a pool that the pod matches otherwise. */
  HIGHER_LIMIT,
  /** Lowers a request by at most 10 %. */
  SLIGHTLY_SMALLER,
  /** Tolerates a taint of a pool that the pod is meant for, or adds the label that the pod selects to its nodes. */
  TOLERATION,
  /** Adds a value or label to a pool, or lowers minValues. */
  WIDER_POOL,
  /** Selects another value, or lowers a request by at most half. */
  OTHER_POD,
  LOOSER_TOPOLOGY,
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
