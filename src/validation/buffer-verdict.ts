import { SchedulePlan, ScheduleInput } from '../scheduling';
import { byCodePoint } from './order';
import { CapacityBufferVerdict } from './report/verdict';

/** For which buffers room is kept, and how much of it there is. */
export function bufferVerdicts({ pods }: ScheduleInput, plan: SchedulePlan): CapacityBufferVerdict[] {
  const placed = new Map<number, number>();
  for (const { groups } of [...plan.filledNodes, ...plan.nodeClaims]) {
    for (const [group, count] of groups) placed.set(group, (placed.get(group) ?? 0) + count);
  }
  return pods
    .flatMap(({ namespace, buffer, count }, group) => buffer === undefined ? []
      : [{ name: `${namespace}/${buffer}`, pods: count, scheduledPods: placed.get(group) ?? 0 }])
    .sort((left, right) => byCodePoint(left.name, right.name));
}
