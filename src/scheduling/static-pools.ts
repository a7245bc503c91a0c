import { NodePoolSpec } from './schedule-input';

/** The pool while somebody else sees to the number of its nodes. The same object each time. */
export function withoutReplicas(pool: NodePoolSpec): NodePoolSpec {
  if (!isStatic(pool)) return pool;
  const found = WITHOUT.get(pool) ?? { ...pool, replicas: 0 };
  WITHOUT.set(pool, found);
  return found;
}

const WITHOUT = new WeakMap<NodePoolSpec, NodePoolSpec>();

/** Whether the pool has the number of nodes that it says, and pods make it launch none. */
export function isStatic({ replicas }: NodePoolSpec): boolean {
  return replicas !== undefined;
}
