import { PodShape } from '../pod-shape';
import { NodePoolSpec, ScheduleInput } from '../schedule-input';

/** How much an edit asks of whoever makes it, least first. */
export enum Effort {
  /** A key or value as it was surely meant. */
  TYPO,
  /** A request less by a tenth at most. */
  SLIGHTLY_SMALLER,
  /** A taint of a pool that the pod seems to be meant for. */
  TOLERATION,
  HIGHER_LIMIT,
  /** One more value, fewer minValues, one label more. */
  WIDER_POOL,
  /** Another value, a request less by half at most. */
  OTHER_POD,
  LOOSER_TOPOLOGY,
  /** A taint of a pool that is meant for other pods. */
  FOREIGN_NODES,
  DROPPED_SELECTOR,
  MUCH_SMALLER,
}

/** A change to the input. */
export interface Edit {
  /** In the imperative: 'lower memory from 7Gi to 6773Mi'. */
  readonly description: string;
  readonly effort: Effort;
  apply(input: ScheduleInput): ScheduleInput;
}

export function podEdit(group: number, effort: Effort, description: string, change: (shape: PodShape) => PodShape): Edit {
  return {
    description,
    effort,
    apply: (input) => ({ ...input, pods: input.pods.map((pods, at) => at === group ? { ...pods, shape: change(pods.shape) } : pods) }),
  };
}

export function poolEdit(name: string, effort: Effort, description: string, change: (pool: NodePoolSpec) => NodePoolSpec): Edit {
  return {
    description,
    effort,
    apply: (input) => ({ ...input, nodePools: input.nodePools.map((pool) => pool.name === name ? change(pool) : pool) }),
  };
}

/** Both at once. */
export function bothOf(first: Edit, second: Edit): Edit {
  return {
    description: `${first.description}, and ${second.description}`,
    effort: first.effort + second.effort,
    apply: (input) => second.apply(first.apply(input)),
  };
}
