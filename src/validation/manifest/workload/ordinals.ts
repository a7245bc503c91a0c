import { PodContext, readPodShape, RelatedObjects } from './pod-shape';
import { ORDINAL } from './storage';
import { asRecord } from '../../../contract';
import { PodShape } from '../../../scheduling';
import { FieldReader } from '../field-reader';
import { FieldPath, ManifestObject, OrdinalRange, WorkloadManifest } from '../model';
import { ProblemLog } from '../problem-log';
import { PlainRecord } from '../records';

/** A StatefulSet and the pod of its template. */
export interface StatefulSetPods {
  readonly object: ManifestObject;
  readonly podPath: FieldPath;
  readonly spec: PlainRecord;
  readonly pod: PodContext;
  readonly replicas: number;
  /** The shape of a pod whose claims do not exist yet. */
  readonly shape: PodShape;
}

/**
 * The pods of a StatefulSet that has claims from earlier pods. A pod mounts the claims of its ordinal again, and so has
 * to run where the volumes are. Undefined if there are no claims.
 *
 * @see https://kubernetes.io/docs/concepts/workloads/controllers/statefulset/#stable-storage
 */
export function claimedOrdinalRanges(set: StatefulSetPods, related: RelatedObjects): OrdinalRange[] | undefined {
  const start = firstOrdinal(set.object);
  const claimed = related.storage
    .claimedOrdinals(set.pod)
    .filter((ordinal) => ordinal >= start && ordinal < start + set.replicas);
  if (claimed.length === 0) return undefined;
  const ranges: OrdinalRange[] = [];
  const add = (range: OrdinalRange) => {
    const last = ranges.at(-1);
    if (range.count <= 0) return;
    if (last && haveSameVolumes(last.shape, range.shape))
      ranges[ranges.length - 1] = { ...last, count: last.count + range.count };
    else ranges.push(range);
  };
  let next = start;
  for (const ordinal of claimed) {
    add({ first: next, count: ordinal - next, shape: set.shape });
    add({ first: ordinal, count: 1, shape: shapeOf(ordinal, set, related) });
    next = ordinal + 1;
  }
  add({ first: next, count: start + set.replicas - next, shape: set.shape });
  return ranges;
}

/** The ordinals of a StatefulSet with equal pods: its controller recreates any that is missing. */
export function allOrdinals({ object, kind, replicas, shape }: WorkloadManifest): OrdinalRange[] | undefined {
  return kind === 'StatefulSet' && shape ? [{ first: firstOrdinal(object), count: replicas, shape }] : undefined;
}

/**
 * The ranges without the running pods. There may be far more ordinals than running pods, so ordinals are not
 * enumerated.
 *
 * @param running - ordinals, in order
 */
export function withoutRunning(ranges: readonly OrdinalRange[], running: readonly number[]): OrdinalRange[] {
  return ranges.flatMap(({ first, count, shape }) => {
    const end = first + count;
    const cuts = [first - 1, ...running.filter((ordinal) => ordinal >= first && ordinal < end), end];
    return cuts
      .slice(1)
      .map((cut, i) => ({ first: cuts[i] + 1, count: cut - cuts[i] - 1, shape }))
      .filter((range) => range.count > 0);
  });
}

/** The ordinals in the pod names of a StatefulSet, in order. */
export function ordinalsOf(set: string, pods: Iterable<string>): number[] {
  const members = [...pods].filter((pod) => pod.startsWith(`${set}-`) && ORDINAL.test(pod.slice(set.length + 1)));
  return members.map((pod) => Number(pod.slice(set.length + 1))).sort((left, right) => left - right);
}

/** The ordinal of the first pod of a StatefulSet. */
export function firstOrdinal({ raw }: ManifestObject): number {
  const start = asRecord(raw.spec?.ordinals)?.start;
  return typeof start === 'number' && Number.isSafeInteger(start) && start > 0 ? start : 0;
}

/** Problems of the template are dropped: they were reported when the template was read. */
function shapeOf(
  ordinal: number,
  { object, podPath, spec, pod, shape }: StatefulSetPods,
  related: RelatedObjects,
): PodShape {
  return readPodShape(new FieldReader(object, new ProblemLog()), podPath, spec, { ...pod, ordinal }, related) ?? shape;
}

function haveSameVolumes(left: PodShape, right: PodShape): boolean {
  const volumesOf = ({ volumes, mountedClaims, volumeTopology, ignored, notEvaluated }: PodShape) =>
    JSON.stringify([[...(volumes ?? [])], [...(mountedClaims ?? [])], volumeTopology, ignored, notEvaluated]);
  return left === right || volumesOf(left) === volumesOf(right);
}
