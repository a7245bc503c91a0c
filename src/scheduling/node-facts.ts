import { Label, merge, Requirements, ResourceList } from '../model';
import { withPod } from './pod-classes';
import { HostPort } from './pod-shape';
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

export function nodeRequirements({ labels, name }: Pick<ExistingNode, 'labels' | 'name'>): Requirements {
  const own = labelRequirements(labels);
  if (own.has(Label.HOSTNAME)) return own;
  const named = own.copy();
  named.add(...Requirements.fromLabels({ [Label.HOSTNAME]: name }).values());
  return named;
}

/** Few pods have any. */
export function hostPortsOf(pods: readonly RunningPod[]): readonly HostPort[] {
  return factsOf(pods).hostPorts ??= pods.flatMap(({ shape }) => shape.hostPorts ?? []);
}

/** Each pod counted as one of `pods`; equal ones are added up at once. */
export function nodeRequests(pods: readonly RunningPod[]): NodeRequests {
  return factsOf(pods).requests ??= requestsOf(podTallies(pods));
}

function requestsOf(tallies: readonly PodTally[]): NodeRequests {
  const requests = (of: readonly PodTally[]) => merge(...of.map(({ sample: { shape }, count }) => times(podRequests(shape), count)));
  return { all: requests(tallies), ofDaemonSets: requests(tallies.filter(({ sample: { daemon } }) => daemon)) };
}

function times(requests: ResourceList, count: number): ResourceList {
  return count === 1 ? requests : new Map([...requests].map(([resource, amount]) => [resource, amount * BigInt(count)]));
}

/** Of one pod, counted as one of `pods`. */
export function podRequests(shape: RunningPod['shape']): ResourceList {
  return remember(POD_REQUESTS, shape, () => withPod(shape.requests));
}

export function podTallies(pods: readonly RunningPod[]): readonly PodTally[] {
  return factsOf(pods).tallies ??= talliesOf(pods);
}

function talliesOf(pods: readonly RunningPod[]): PodTally[] {
  const tallies: Array<{ sample: RunningPod; count: number }> = [];
  // Most often a pod is like the one before it.
  let last: { sample: RunningPod; count: number } | undefined;
  for (const pod of pods) {
    if (last === undefined || !areAlike(last.sample, pod)) last = tallies.find(({ sample }) => areAlike(sample, pod));
    if (last) last.count += 1;
    else tallies.push(last = { sample: pod, count: 1 });
  }
  return tallies;
}

/** Whether pods of a node count for the same. */
export function areAlike(pod: RunningPod, other: RunningPod): boolean {
  return pod.shape === other.shape && pod.namespace === other.namespace && pod.terminating === other.terminating && pod.daemon === other.daemon;
}

const REQUIREMENTS = new WeakMap<ExistingNode['labels'], Requirements>();
const POD_REQUESTS = new WeakMap<RunningPod['shape'], ResourceList>();

/** What of the pods of a node has been asked so far. */
interface PodFacts {
  tallies?: readonly PodTally[];
  requests?: NodeRequests;
  hostPorts?: readonly HostPort[];
}

const FACTS = new WeakMap<readonly RunningPod[], PodFacts>();

function factsOf(pods: readonly RunningPod[]): PodFacts {
  const known = FACTS.get(pods);
  if (known) return known;
  const facts: PodFacts = { tallies: undefined, requests: undefined, hostPorts: undefined };
  FACTS.set(pods, facts);
  return facts;
}

function remember<Key extends object, Value>(known: WeakMap<Key, Value>, key: Key, find: () => Value): Value {
  let found = known.get(key);
  if (found === undefined) {
    found = find();
    known.set(key, found);
  }
  return found;
}
