import { appendItem, asRecord, FieldFix, setField, unsafeFix } from '../../../../contract';
import { Label, listText } from '../../../../model';
import { valueAt } from '../../../manifest/edit/edited-value';
import { WorkloadManifest } from '../../../manifest/model';
import { selectsOwnPods } from '../../common/pod-constraints';
import { optOutReason } from '../../common/serving-workloads';

const DOMAINS: readonly string[] = [Label.ZONE, Label.HOSTNAME];

/**
 * Whether something spreads the pods, or the workload opts out. A spread over zones also spreads over nodes, because a
 * node is in one zone. A constraint that selects only other pods does not count.
 */
export function isSpread(workload: WorkloadManifest): boolean {
  const { shape } = workload;
  const { required = [], preferred = [] } = shape?.podAntiAffinity ?? {};
  const constraints = [...(shape?.topologySpread ?? []), ...required, ...preferred.map(({ term }) => term)];
  return (
    optOutReason(workload, 'hostname-spread') !== undefined ||
    constraints.some((constraint) => DOMAINS.includes(constraint.topologyKey) && selectsOwnPods(constraint, workload))
  );
}

/** Whether a constraint that the scheduler must meet keeps the pods on several nodes. */
export function isStrictlySpread(workload: WorkloadManifest): boolean {
  const { topologySpread = [], podAntiAffinity } = workload.shape ?? {};
  const strict = topologySpread.filter(({ whenUnsatisfiable }) => whenUnsatisfiable === 'DoNotSchedule');
  return [...strict, ...(podAntiAffinity?.required ?? [])].some(
    (constraint) => DOMAINS.includes(constraint.topologyKey) && selectsOwnPods(constraint, workload),
  );
}

/** Whether a spread constraint of the pods selects other pods only. */
export function hasWrongSpread(workload: WorkloadManifest): boolean {
  return (workload.shape?.topologySpread ?? []).some((spread) => !selectsOwnPods(spread, workload));
}

/** Why the plan may put all pods on one node: nothing spreads them, or only over domains such as capacity types. */
export function whyTogether({ shape }: WorkloadManifest): string {
  const keys = [...new Set((shape?.topologySpread ?? []).map(({ topologyKey }) => topologyKey))];
  const others = keys.filter((key) => !DOMAINS.includes(key));
  return others.length === 0
    ? 'because nothing spreads them'
    : `because their spread over ${listText(others)} allows any number on one node`;
}

/** What to add so that the pods are spread. */
export const SPREAD_REMEDY = `topologySpreadConstraints over ${Label.ZONE} and ${Label.HOSTNAME}, with the labels of the pod template as labelSelector`;

/**
 * Spreads the pods by preference, which leaves no pod without a node. Undefined if the labels that the workload selects
 * are not written.
 */
export function spreadFix({ object, podPath }: WorkloadManifest): FieldFix | undefined {
  const labels = asRecord(asRecord(object.raw.spec?.selector)?.matchLabels);
  if (labels === undefined || Object.keys(labels).length === 0) return undefined;
  const path = [...podPath, 'topologySpreadConstraints'];
  const constraints = DOMAINS.map((topologyKey) => ({
    maxSkew: 1,
    topologyKey,
    whenUnsatisfiable: 'ScheduleAnyway',
    labelSelector: { matchLabels: labels },
  }));
  const isWritten = valueAt(object.raw, path) !== undefined;
  return unsafeFix(...(isWritten ? constraints.map((item) => appendItem(path, item)) : [setField(path, constraints)]));
}
