import { PodGroup } from './schedule-input';

/** `namespace/name` of the pod that is this one in its group, from 0. */
export function podName({ namespace, name, bare, buffer, firstOrdinal = 0 }: PodGroup, ordinal: number): string {
  return bare ? `${namespace}/${name}` : `${namespace}/${name}-${firstOrdinal + ordinal + (buffer === undefined ? 0 : 1)}`;
}

export function allNames(group: PodGroup): string[] {
  return Array.from({ length: group.count }, (_, ordinal) => podName(group, ordinal));
}
