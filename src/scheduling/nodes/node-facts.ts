import { Label, memoizeByIdentity, merge, Requirements, ResourceList } from '../../model';
import { withPod, HostPort } from '../input/pod-shape';
import { ExistingNode, RunningPod } from '../input/schedule-input';

// A simulation solves the same cluster hundreds of times, with one node less each time. The functions here are memoized
// by the identity of labels, shapes and lists of pods, which stay the same while the node does not change.

/** Equivalent pods of a node. */
export interface PodTally {
  readonly sample: RunningPod;
  readonly count: number;
}

export interface NodeRequests {
  readonly all: ResourceList;
  readonly ofDaemonSets: ResourceList;
}

/** The requirements of the labels. If there is no host name label, they have no host name. */
export const labelRequirements = memoizeByIdentity(
  (labels: ExistingNode['labels']): Requirements => Requirements.fromLabels(labels),
);

export function nodeRequirements({ labels, name }: Pick<ExistingNode, 'labels' | 'name'>): Requirements {
  const requirements = labelRequirements(labels);
  if (requirements.has(Label.HOSTNAME)) return requirements;
  const withHostname = requirements.copy();
  withHostname.add(...Requirements.fromLabels({ [Label.HOSTNAME]: name }).values());
  return withHostname;
}

export const hostPortsOf = memoizeByIdentity((pods: readonly RunningPod[]): readonly HostPort[] =>
  pods.flatMap(({ shape }) => shape.hostPorts ?? []),
);

/** The requests of the pods, each counted as one of `pods`. */
export const nodeRequests = memoizeByIdentity((pods: readonly RunningPod[]): NodeRequests => {
  const tallies = podTallies(pods);
  const total = (counted: readonly PodTally[]) =>
    merge(...counted.map(({ sample: { shape }, count }) => times(podRequests(shape), count)));
  return { all: total(tallies), ofDaemonSets: total(tallies.filter(({ sample: { daemon } }) => daemon)) };
});

function times(requests: ResourceList, count: number): ResourceList {
  return count === 1
    ? requests
    : new Map([...requests].map(([resource, amount]) => [resource, amount * BigInt(count)]));
}

/** The requests of one pod, counted as one of `pods`. */
export const podRequests = memoizeByIdentity((shape: RunningPod['shape']): ResourceList => withPod(shape.requests));

export const podTallies = memoizeByIdentity((pods: readonly RunningPod[]): readonly PodTally[] => {
  const tallies: Array<{ sample: RunningPod; count: number }> = [];
  // Equivalent pods are most often neighbours.
  let last: { sample: RunningPod; count: number } | undefined;
  for (const pod of pods) {
    if (last === undefined || !areEquivalentPods(last.sample, pod))
      last = tallies.find(({ sample }) => areEquivalentPods(sample, pod));
    if (last) last.count += 1;
    else tallies.push((last = { sample: pod, count: 1 }));
  }
  return tallies;
});

/** Whether two pods of a node are equal for requests and topology counts. */
export function areEquivalentPods(left: RunningPod, right: RunningPod): boolean {
  return (
    left.shape === right.shape &&
    left.namespace === right.namespace &&
    left.terminating === right.terminating &&
    left.daemon === right.daemon
  );
}
