import { Label, merge, Requirements, ResourceList } from '../model';
import { withPod } from './pod-classes';
import { ExistingNode, RunningPod } from './schedule-input';

/**
 * What is worked out of a node's labels and pods. A simulation asks about the same cluster hundreds of times, less a node each time: what
 * was found lasts as long as the objects that it was found from, and is not to be changed.
 */

/** Equal pods of a node. */
export interface PodTally {
  readonly sample: RunningPod;
  readonly count: number;
}

export interface NodeRequests {
  readonly all: ResourceList;
  readonly ofDaemonSets: ResourceList;
}

/** The labels alone, without a host name that is not among them. */
export function labelRequirements(labels: ExistingNode['labels']): Requirements {
  return remember(REQUIREMENTS, labels, () => Requirements.fromLabels(labels));
}

export function nodeRequirements({ labels, name }: ExistingNode): Requirements {
  const own = labelRequirements(labels);
  if (own.has(Label.HOSTNAME)) return own;
  const named = own.copy();
  named.add(...Requirements.fromLabels({ [Label.HOSTNAME]: name }).values());
  return named;
}

/** Each pod counted as one of `pods`. */
export function nodeRequests(pods: readonly RunningPod[]): NodeRequests {
  return remember(REQUESTS, pods, () => {
    const requests = (of: readonly RunningPod[]) => merge(...of.map(({ shape }) => podRequests(shape)));
    return { all: requests(pods), ofDaemonSets: requests(pods.filter(({ daemon }) => daemon)) };
  });
}

function podRequests(shape: RunningPod['shape']): ResourceList {
  return remember(POD_REQUESTS, shape, () => withPod(shape.requests));
}

export function podTallies(pods: readonly RunningPod[]): readonly PodTally[] {
  return remember(TALLIES, pods, () => {
    const tallies: Array<{ sample: RunningPod; count: number }> = [];
    for (const pod of pods) {
      const { shape, namespace, terminating, daemon } = pod;
      const known = tallies.find(({ sample }) => sample.shape === shape && sample.namespace === namespace
        && sample.terminating === terminating && sample.daemon === daemon);
      if (known) known.count += 1;
      else tallies.push({ sample: pod, count: 1 });
    }
    return tallies;
  });
}

const REQUIREMENTS = new WeakMap<ExistingNode['labels'], Requirements>();
const POD_REQUESTS = new WeakMap<RunningPod['shape'], ResourceList>();
const REQUESTS = new WeakMap<readonly RunningPod[], NodeRequests>();
const TALLIES = new WeakMap<readonly RunningPod[], readonly PodTally[]>();

function remember<Key extends object, Value>(known: WeakMap<Key, Value>, key: Key, find: () => Value): Value {
  const found = known.get(key) ?? find();
  known.set(key, found);
  return found;
}
