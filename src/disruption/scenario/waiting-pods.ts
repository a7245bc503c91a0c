import { oncePer } from '../../model';
import { PodGroup } from '../../scheduling';
import { ClusterPod } from '../cluster';
import { WorldPod } from './world-pods';

export interface Waiting {
  readonly group: PodGroup;
  readonly pods: WorldPod[];
}

/** Equal pods together. */
export function waitingOf(pending: readonly WorldPod[]): Waiting[] {
  const groups = new Map<ClusterPod['shape'], Map<string, WorldPod[]>>();
  for (const subject of pending) {
    const { shape, namespace } = subject.pod;
    const ofShape = groups.get(shape) ?? new Map<string, WorldPod[]>();
    groups.set(shape, ofShape);
    const equal = ofShape.get(namespace);
    if (equal) equal.push(subject);
    else ofShape.set(namespace, [subject]);
  }
  return [...groups].flatMap(([shape, byNamespace]) => [...byNamespace].map(([namespace, subjects]) =>
    ({ group: { namespace, name: subjects[0].pod.name, count: subjects.length, shape, bare: subjects.length === 1 }, pods: subjects })));
}

/** Their groups alone: the same as long as the list is. */
export const groupsWaiting = oncePer((pending: readonly WorldPod[]): readonly PodGroup[] => waitingOf(pending).map(({ group }) => group));
