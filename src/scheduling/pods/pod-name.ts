import { PodGroup } from '../input/schedule-input';

/** `namespace/name` of one pod of a group. `ordinal` counts from 0 within the group. */
export function podName(group: PodGroup, ordinal: number): string {
  return podNames(group)(ordinal);
}

/** Same as `podName`, for many pods of one group. */
export function podNames({ namespace, name, bare, buffer, firstOrdinal = 0 }: PodGroup): (ordinal: number) => string {
  if (bare) return () => `${namespace}/${name}`;
  const prefix = `${namespace}/${name}-`;
  const first = firstOrdinal + (buffer === undefined ? 0 : 1);
  return (ordinal) => prefix + (first + ordinal);
}

/** The names of all pods of the group, in order. */
export function allNames(group: PodGroup): string[] {
  const nameOf = podNames(group);
  return Array.from({ length: group.count }, (_, ordinal) => nameOf(ordinal));
}
