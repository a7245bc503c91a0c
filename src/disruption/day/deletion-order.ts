import { Instant } from '../cluster';
import { SimulatedPod } from '../scenario/cluster/simulated-pod';

const DELETION_COST = 'controller.kubernetes.io/pod-deletion-cost';
const SECOND = 1_000;
/** Products with it stay whole numbers. */
const LARGE_PRIME = 2_147_483_647;

/**
 * The pods of a ReplicaSet in the order in which it deletes them: pending pods, pods that are not ready, the lowest
 * deletion cost, the most pods of the workload on one node, and the youngest. Ages count by their logarithm, and among
 * equal ones the uid decides: here a hash of the name.
 *
 * @see https://github.com/kubernetes/kubernetes/blob/v1.35.0/pkg/controller/controller_utils.go
 */
export function inDeletionOrder(pods: readonly SimulatedPod[], now: Instant): SimulatedPod[] {
  const perNode = new Map<string | undefined, number>();
  for (const { node } of pods) perNode.set(node, (perNode.get(node) ?? 0) + 1);
  const ranked = pods.map((subject) => ({
    subject,
    keys: [
      PHASE_ORDER[subject.phase],
      deletionCost(subject),
      -perNode.get(subject.node)!,
      Math.floor(Math.log2(Math.max(1, (now - (subject.pod.startedAt ?? now)) / SECOND))),
      hashOf(subject.pod.name),
    ],
  }));
  return ranked.sort((left, right) => compareKeys(left.keys, right.keys)).map(({ subject }) => subject);
}

const PHASE_ORDER: Readonly<Record<SimulatedPod['phase'], number>> = {
  pending: 0,
  starting: 1,
  ready: 2,
  terminating: 3,
};

function compareKeys(left: readonly number[], right: readonly number[]): number {
  const index = left.findIndex((value, position) => value !== right[position]);
  return index < 0 ? 0 : left[index] - right[index];
}

function deletionCost({ pod: { annotations } }: SimulatedPod): number {
  const written = annotations?.[DELETION_COST];
  return written !== undefined && /^[+-]?\d{1,10}$/.test(written) ? Number(written) : 0;
}

function hashOf(text: string): number {
  let hash = 0;
  for (let index = 0; index < text.length; index++) hash = (hash * 65_599 + text.charCodeAt(index)) % LARGE_PRIME;
  return hash;
}
