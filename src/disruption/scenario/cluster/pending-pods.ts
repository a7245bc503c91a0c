import { SimulatedPod } from './simulated-pod';
import { memoizeByIdentity } from '../../../model';
import { PodGroup } from '../../../scheduling';
import { ClusterPod } from '../../cluster';

/** Pending pods of one shape and namespace. */
export interface PendingGroup {
  readonly group: PodGroup;
  readonly pods: SimulatedPod[];
}

export function groupPendingPods(pending: readonly SimulatedPod[]): PendingGroup[] {
  const groups = new Map<ClusterPod['shape'], Map<string, SimulatedPod[]>>();
  for (const subject of pending) {
    const { shape, namespace } = subject.pod;
    const byNamespace = groups.get(shape) ?? new Map<string, SimulatedPod[]>();
    groups.set(shape, byNamespace);
    const equalPods = byNamespace.get(namespace);
    if (equalPods) equalPods.push(subject);
    else byNamespace.set(namespace, [subject]);
  }
  return [...groups].flatMap(([shape, byNamespace]) =>
    [...byNamespace].map(([namespace, pods]) => ({
      group: { namespace, name: pods[0].pod.name, count: pods.length, shape, bare: pods.length === 1 },
      pods,
    })),
  );
}

/** Memoized because a list of pending pods outlives several states of the nodes. */
export const podGroups = memoizeByIdentity((pending: readonly SimulatedPod[]): readonly PodGroup[] =>
  groupPendingPods(pending).map(({ group }) => group),
);
