import { FieldReader } from './field-reader';
import { FieldPath, ManifestObject, OrdinalRange, WorkloadManifest } from './model';
import { PodContext, PodSurroundings, readPodShape } from './pod-shape';
import { ProblemLog } from './problem-log';
import { PlainRecord } from './records';
import { ORDINAL } from './storage';
import { asRecord } from '../../contract';
import { PodShape } from '../../scheduling';

/** A StatefulSet as far as it has been read. */
export interface OrdinalSet {
  readonly object: ManifestObject;
  readonly podPath: FieldPath;
  readonly spec: PlainRecord;
  readonly pod: PodContext;
  readonly replicas: number;
  /** Of a pod whose claims are still to be made. */
  readonly shape: PodShape;
}

/**
 * The pods of a StatefulSet that has claims from earlier pods, each of which its pod of the same ordinal mounts again, wherever the
 * volume is. Undefined where no claim is there.
 *
 * @see https://kubernetes.io/docs/concepts/workloads/controllers/statefulset/#stable-storage
 */
export function ordinalRanges(set: OrdinalSet, around: PodSurroundings): OrdinalRange[] | undefined {
  const start = firstOrdinal(set.object);
  const claimed = around.storage.claimedOrdinals(set.pod).filter((ordinal) => ordinal >= start && ordinal < start + set.replicas);
  if (claimed.length === 0) return undefined;
  const ranges: OrdinalRange[] = [];
  const add = (range: OrdinalRange) => {
    const last = ranges.at(-1);
    if (range.count <= 0) return;
    if (last && sameVolumes(last.shape, range.shape)) ranges[ranges.length - 1] = { ...last, count: last.count + range.count };
    else ranges.push(range);
  };
  let next = start;
  for (const ordinal of claimed) {
    add({ first: next, count: ordinal - next, shape: set.shape });
    add({ first: ordinal, count: 1, shape: shapeOf(ordinal, set, around) });
    next = ordinal + 1;
  }
  add({ first: next, count: start + set.replicas - next, shape: set.shape });
  return ranges;
}

/** Those of a StatefulSet whose pods are all equal: its controller makes again whichever is missing. */
export function allOrdinals({ object, kind, replicas, shape }: WorkloadManifest): OrdinalRange[] | undefined {
  return kind === 'StatefulSet' && shape ? [{ first: firstOrdinal(object), count: replicas, shape }] : undefined;
}

/**
 * The ranges without the pods that run. There may be far more ordinals than pods that run.
 *
 * @param running ordinals, in order
 */
export function withoutRunning(ranges: readonly OrdinalRange[], running: readonly number[]): OrdinalRange[] {
  return ranges.flatMap(({ first, count, shape }) => {
    const end = first + count;
    const cuts = [first - 1, ...running.filter((ordinal) => ordinal >= first && ordinal < end), end];
    return cuts.slice(1)
      .map((cut, at) => ({ first: cuts[at] + 1, count: cut - cuts[at] - 1, shape }))
      .filter((left) => left.count > 0);
  });
}

/** Of the pods of a set, by their names. */
export function ordinalsOf(set: string, pods: Iterable<string>): number[] {
  const found = [...pods].filter((pod) => pod.startsWith(`${set}-`) && ORDINAL.test(pod.slice(set.length + 1)));
  return found.map((pod) => Number(pod.slice(set.length + 1))).sort((left, right) => left - right);
}

/** Of the pods of a StatefulSet. */
export function firstOrdinal({ raw }: ManifestObject): number {
  const start = asRecord(asRecord(raw.spec)?.ordinals)?.start;
  return typeof start === 'number' && Number.isSafeInteger(start) && start > 0 ? start : 0;
}

/** What is wrong with the template has been said already. */
function shapeOf(ordinal: number, { object, podPath, spec, pod, shape }: OrdinalSet, around: PodSurroundings): PodShape {
  return readPodShape(new FieldReader(object, new ProblemLog()), podPath, spec, { ...pod, ordinal }, around) ?? shape;
}

function sameVolumes(left: PodShape, right: PodShape): boolean {
  const of = ({ volumes, mountedClaims, volumeTopology, ignored, notEvaluated }: PodShape) =>
    JSON.stringify([[...volumes ?? []], [...mountedClaims ?? []], volumeTopology, ignored, notEvaluated]);
  return left === right || of(left) === of(right);
}
