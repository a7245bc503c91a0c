import { PodGroup } from './domain';

/** `namespace/name` of the pod with this ordinal. */
export function podName({ namespace, name, bare, buffer }: PodGroup, ordinal: number): string {
  return bare ? `${namespace}/${name}` : `${namespace}/${name}-${buffer === undefined ? ordinal : ordinal + 1}`;
}

export function allNames(group: PodGroup): string[] {
  return Array.from({ length: group.count }, (_, ordinal) => podName(group, ordinal));
}
