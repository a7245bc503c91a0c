import { eligibility } from './eligibility';
import { allNames } from './pod-name';
import { ScheduleInput } from './schedule-input';
import { UnevaluatedPods, UnschedulablePod } from './schedule-plan';

/** As many as the kernel's memory surely holds; what is beyond is said to be, not packed. */
export const MOST_PODS = 200_000;

/** Which pods are scheduled at all. */
export interface Admission {
  /** Of the groups that the kernel gets. */
  readonly indices: readonly number[];
  readonly notEvaluated: readonly UnevaluatedPods[];
  readonly ignored: readonly UnschedulablePod[];
  /** Groups that the kernel does not get, and whose anti-affinity counts all the same. */
  readonly bystanders: readonly number[];
}

export function admit(input: ScheduleInput): Admission {
  const notEvaluated: UnevaluatedPods[] = [];
  const ignored: UnschedulablePod[] = [];
  const indices: number[] = [];
  const bystanders: number[] = [];
  let packed = 0;
  input.pods.forEach((group, index) => {
    if (group.count === 0) return;
    if (packed + group.count > MOST_PODS) {
      notEvaluated.push({ pods: [`${group.namespace}/${group.name}-*`], group: index, what: [`${group.count} pods: at most ${MOST_PODS} are packed in one check`] });
      return;
    }
    packed += group.count;
    const verdict = eligibility(group, input);
    if (verdict.kind === 'schedule') {
      indices.push(index);
    } else if (verdict.kind === 'unevaluated') {
      notEvaluated.push({ pods: allNames(group), group: index, what: verdict.what });
    } else {
      ignored.push(...allNames(group).map((pod) => ({ pod, group: index, reasons: [{ nodePool: '', ofConstraints: true, message: verdict.message }] })));
      if (verdict.inBatch) bystanders.push(index);
    }
  });
  return { indices, notEvaluated, ignored, bystanders };
}
