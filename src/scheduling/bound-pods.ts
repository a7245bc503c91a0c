import { ScheduleInput } from './schedule-input';
import { SchedulePlan } from './schedule-plan';
import { SolvedInput } from './solve';

/** Pods that are on a node which is up, where the Kubernetes scheduler binds them at once. */
export interface BoundPods {
  /** By node: of each group how many. */
  readonly onNode: ReadonlyMap<string, ReadonlyMap<number, number>>;
  /** By group: on whichever node. */
  readonly ofGroup: ReadonlyMap<number, number>;
}

interface Pass {
  readonly input: ScheduleInput;
  readonly solved: SolvedInput;
  readonly plan: SchedulePlan;
}

/** Of one pass. Room that is kept for pods to come is kept anew in each. */
export function boundPods({ input: { nodes = [], pods }, solved: { staticNodes }, plan }: Pass): BoundPods {
  const all = [...nodes, ...staticNodes.flatMap(({ node }) => node ?? [])];
  const up = new Set(all.filter(({ initialized }) => initialized).map(({ name }) => name));
  const placed = [...plan.filledNodes, ...plan.nodeClaims.map(({ id, groups }) => ({ node: id, groups }))];
  const onNode = new Map<string, ReadonlyMap<number, number>>();
  const ofGroup = new Map<number, number>();
  for (const { node, groups } of placed) {
    if (!up.has(node)) continue;
    const real = [...groups].filter(([group]) => pods[group].buffer === undefined);
    if (real.length > 0) onNode.set(node, new Map(real));
    for (const [group, count] of real) ofGroup.set(group, (ofGroup.get(group) ?? 0) + count);
  }
  return { onNode, ofGroup };
}
