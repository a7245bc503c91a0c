import { PodGroup } from './schedule-input';

/** `namespace/name` of the pod that is this one in its group, from 0. */
export function podName(group: PodGroup, ordinal: number): string {
  return podNames(group)(ordinal);
}

/** As `podName`, for many pods of one group. */
export function podNames({ namespace, name, bare, buffer, firstOrdinal = 0 }: PodGroup): (ordinal: number) => string {
  if (bare) return () => `${namespace}/${name}`;
  const prefix = `${namespace}/${name}-`;
  const first = firstOrdinal + (buffer === undefined ? 0 : 1);
  return (ordinal) => prefix + (first + ordinal);
}

export function allNames(group: PodGroup): string[] {
  const nameOf = podNames(group);
  return Array.from({ length: group.count }, (_, ordinal) => nameOf(ordinal));
}
