import { DayWorkload } from './day-plan';
import { Instant } from '../cluster';
import { SimulatedCluster } from '../scenario/cluster/simulated-cluster';
import { SimulatedPod, workloadKeyOf } from '../scenario/cluster/simulated-pod';

/** Creates and removes the pods of workloads, as their controllers do when the wanted replicas change. */
export class WorkloadScaler {
  private createdCount = 0;
  /** The pods of each node by workload. Hot path: the pods of most nodes stay the same from tick to tick. */
  private readonly byNode = new WeakMap<readonly SimulatedPod[], ReadonlyMap<string, readonly SimulatedPod[]>>();

  public constructor(private readonly cluster: SimulatedCluster) {}

  /** Pods of these workloads that run, by `workloadKey`, and the number of pods that terminate. */
  public podsOf(keys: ReadonlySet<string>): { live: Map<string, SimulatedPod[]>; terminating: Map<string, number> } {
    const { nodes, pods } = this.cluster;
    const live = new Map([...keys].map((key) => [key, [] as SimulatedPod[]]));
    const terminating = new Map<string, number>();
    for (const list of [...[...nodes.keys()].map((name) => pods.onNode(name)), pods.pending()]) {
      const byWorkload = this.byWorkload(list);
      for (const key of keys) {
        for (const subject of byWorkload.get(key) ?? []) {
          if (subject.phase === 'terminating') terminating.set(key, (terminating.get(key) ?? 0) + 1);
          else live.get(key)!.push(subject);
        }
      }
    }
    return { live, terminating };
  }

  private byWorkload(list: readonly SimulatedPod[]): ReadonlyMap<string, readonly SimulatedPod[]> {
    const known = this.byNode.get(list);
    if (known) return known;
    const byWorkload = new Map<string, SimulatedPod[]>();
    for (const subject of list) {
      const key = workloadKeyOf(subject.pod);
      if (key === undefined) continue;
      const pods = byWorkload.get(key);
      if (pods) pods.push(subject);
      else byWorkload.set(key, [subject]);
    }
    this.byNode.set(list, byWorkload);
    return byWorkload;
  }

  /** Sets the wanted replicas, which PodDisruptionBudgets count. */
  public want(replicas: ReadonlyMap<string, number>): void {
    const { cluster } = this;
    if (replicas.size === 0) return;
    cluster.config = { ...cluster.config, replicas: new Map([...(cluster.config.replicas ?? []), ...replicas]) };
  }

  public create({ pod }: DayWorkload, count: number): void {
    for (let index = 0; index < count; index++)
      this.cluster.podLifecycle.create(pod, `${pod.owner!.name}-day-${this.createdCount++}`);
  }

  /** Creates the pods of a StatefulSet with its next ordinals. */
  public createOrdinals({ pod }: DayWorkload, from: number, count: number): void {
    for (let index = 0; index < count; index++)
      this.cluster.podLifecycle.create(pod, `${pod.owner!.name}-${from + index}`);
  }

  /** Removes so many of the pods, those first that Kubernetes would choose. */
  public remove(pods: readonly SimulatedPod[], count: number): void {
    if (count <= 0) return;
    for (const subject of inDeletionOrder(pods, this.cluster.now).slice(0, count))
      this.cluster.podLifecycle.retire(subject);
  }

  /** Brings a workload to its wanted replicas. */
  public scale(workload: DayWorkload, pods: readonly SimulatedPod[], replicas: number): void {
    if (workload.pod.owner?.kind === 'StatefulSet') return this.scaleStatefulSet(workload, pods, replicas);
    if (pods.length < replicas) this.create(workload, replicas - pods.length);
    else this.remove(pods, pods.length - replicas);
  }

  /** The pods with the highest ordinals go, even pods that are about to be recreated. */
  private scaleStatefulSet(workload: DayWorkload, pods: readonly SimulatedPod[], replicas: number): void {
    const { podLifecycle } = this.cluster;
    const ordinals = pods.map((subject) => ({ subject, ordinal: ordinalOf(subject) }));
    const missing = podLifecycle.statefulSets.missingPods.filter((pod) => workloadKeyOf(pod) === workload.key).length;
    const count = pods.length + missing;
    if (count < replicas) {
      const next = ordinals.reduce((most, { ordinal }) => Math.max(most, ordinal + 1), 0);
      this.createOrdinals(workload, next, replicas - count);
    } else
      for (const { subject } of ordinals
        .sort((left, right) => right.ordinal - left.ordinal)
        .slice(0, Math.max(0, pods.length - replicas)))
        podLifecycle.retire(subject);
  }
}

function ordinalOf({ pod: { name } }: SimulatedPod): number {
  return Number(/\d+$/.exec(name)?.[0] ?? 0);
}

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
