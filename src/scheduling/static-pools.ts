import { NodePoolSpec } from './schedule-input';

/** Whether the pool has the number of nodes that it says, and pods make it launch none. */
export function isStatic({ replicas }: NodePoolSpec): boolean {
  return replicas !== undefined;
}
