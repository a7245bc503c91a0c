import { EvictionApi, nextEvictionAttempt } from './eviction';
import { DO_NOT_DISRUPT } from '../../../../contract';
import { PdbIndex } from '../../../budgets/pdb-index';
import { Instant, ClusterPod } from '../../../cluster';
import { protectedUntil, isActive, isDrainable } from '../../../pods';
import { SimulatedCluster } from '../../cluster/simulated-cluster';
import { SimulatedNode } from '../../cluster/simulated-node';
import { SimulatedPod } from '../../cluster/simulated-pod';
import { SimulatedPods } from '../../cluster/simulated-pods';

const SECOND = 1_000;
/** Karpenter reconciles a draining node once a second. */
const RECONCILE_INTERVAL = SECOND;
/** The shortest drain, because pods may still have been bound to the node. */
const MIN_DRAIN = 5 * SECOND;

/** The drain of one node. */
interface NodeDrainState {
  /** Pods in Karpenter's eviction queue, with the time at which they were queued. */
  readonly evictionQueue: Map<SimulatedPod, Instant>;
  /** The last reconcile that queued pods, and the list that it was based on. */
  lastReconcile?: { readonly at: Instant; readonly list: DrainList };
  /** Valid for these pods of the node. */
  cached?: { readonly pods: readonly SimulatedPod[]; readonly list: DrainList };
}

/**
 * Drains nodes: evicts plain pods first, then pods of DaemonSets, then critical pods, each stage when the stage before
 * it is gone. A pod that would outlast the termination deadline of its node is deleted in time, whatever blocks its
 * eviction. Drained nodes are removed.
 *
 * @see https://github.com/kubernetes-sigs/karpenter/blob/v1.15.0/pkg/controllers/node/termination/terminator/terminator.go
 */
export class TerminationController {
  private next: Instant = Infinity;
  private readonly drains = new Map<SimulatedNode, NodeDrainState>();

  public constructor(private readonly cluster: SimulatedCluster) {}

  /** When there is something to do, unless something else happens before; infinite if never. */
  public get nextReconcile(): Instant {
    return this.next;
  }

  public reconcile(): void {
    const { cluster } = this;
    this.next = Infinity;
    let evictions = new EvictionApi(cluster);
    for (const node of cluster.nodesInTransition.all) {
      if (node.phase !== 'draining') continue;
      const drain = this.drainOf(node);
      const list = this.drainList(node, drain);
      if (list.waiting.length > 0) {
        this.wakeAt(queuePods(node, drain, list, cluster.now));
        this.evictQueuedPods(node, drain, list, evictions);
        continue;
      }
      const endsAt = nextReconcileOf(node, drain, Math.max(cluster.now, node.drain!.since + MIN_DRAIN));
      this.wakeAt(endsAt);
      if (endsAt > cluster.now) continue;
      cluster.removeDrainedNode(node.node.name);
      this.drains.delete(node);
      // Pods that were deleted with the node may have counted for a PDB.
      evictions = new EvictionApi(cluster);
    }
  }

  private drainOf(node: SimulatedNode): NodeDrainState {
    const drain = this.drains.get(node) ?? { evictionQueue: new Map<SimulatedPod, Instant>() };
    this.drains.set(node, drain);
    return drain;
  }

  private drainList({ node: { name } }: SimulatedNode, drain: NodeDrainState): DrainList {
    const { pods, session } = this.cluster;
    const nodePods = pods.onNode(name);
    if (drain.cached?.pods !== nodePods)
      drain.cached = { pods: nodePods, list: buildDrainList(nodePods, pods, session.pdbs) };
    return drain.cached.list;
  }

  private wakeAt(instant: Instant): void {
    if (instant > this.cluster.now) this.next = Math.min(this.next, instant);
  }

  private evictQueuedPods(
    node: SimulatedNode,
    { evictionQueue }: NodeDrainState,
    list: DrainList,
    evictions: EvictionApi,
  ): void {
    if (evictionQueue.size === 0) return;
    const { terminationDeadline: deadline = Infinity } = node;
    const { notTerminating, onlyPdb, waiting } = list;
    const { now, podLifecycle } = this.cluster;
    const remainingSeconds = Math.max(1, Math.floor((deadline - now) / SECOND));
    for (let index = 0; index < notTerminating.length; index++) {
      // Hot path: most pods wait for an exhausted PDB, and only a change of the PDB wakes them.
      if (deadline === Infinity && onlyPdb[index] >= 0 && evictions.isExhausted(onlyPdb[index])) continue;
      const subject = notTerminating[index];
      const queuedAt = evictionQueue.get(subject);
      if (queuedAt === undefined || subject.phase === 'terminating') continue;
      const isForced = isOverdue(subject, deadline, now);
      if (!isForced && !evictions.allows(subject, onlyPdb[index])) {
        this.wakeAt(
          nextEvictionAttempt(queuedAt, Math.min(forcedFrom(subject, deadline), protectionEnd(subject, now))),
        );
      } else if (nextEvictionAttempt(queuedAt, now) > now) {
        this.wakeAt(nextEvictionAttempt(queuedAt, now));
      } else {
        evictionQueue.delete(subject);
        evictions.evict(subject, isForced ? remainingSeconds : undefined);
      }
    }
    if (deadline === Infinity) return;
    for (const subject of waiting) {
      if (subject.phase === 'terminating' && evictionQueue.delete(subject))
        podLifecycle.shortenTermination(subject, remainingSeconds);
    }
  }
}

/** The next reconcile of a node, which sees all changes since the last one. */
function nextReconcileOf({ drain }: SimulatedNode, { lastReconcile }: NodeDrainState, from: Instant): Instant {
  const { since } = drain!;
  const earliest = Math.max(from, (lastReconcile?.at ?? since - RECONCILE_INTERVAL) + 1);
  return since + Math.ceil((earliest - since) / RECONCILE_INTERVAL) * RECONCILE_INTERVAL;
}

/** Puts the pods of the current stage into the eviction queue. Returns when the next pods have to be queued. */
function queuePods(node: SimulatedNode, drain: NodeDrainState, list: DrainList, now: Instant): Instant {
  const { terminationDeadline: deadline } = node;
  const { evictionQueue, lastReconcile } = drain;
  if (deadline === undefined && lastReconcile?.list === list) return Infinity;
  const missing = podsToEvict(list, deadline, now).filter((subject) => !evictionQueue.has(subject));
  const reconcileAt = nextReconcileOf(node, drain, now);
  if (reconcileAt > now && missing.length > 0) return reconcileAt;
  if (reconcileAt === now) {
    for (const subject of missing) evictionQueue.set(subject, now);
    drain.lastReconcile = { at: reconcileAt, list };
  }
  if (deadline === undefined) return Infinity;
  // Pods that are forced later let the next stage start.
  const areAllQueued = list.notTerminating.every((subject) => evictionQueue.has(subject));
  const forcedLater = areAllQueued
    ? []
    : list.notTerminating.map((subject) => forcedFrom(subject, deadline)).filter((instant) => instant > now);
  return nextReconcileOf(node, drain, Math.min(...forcedLater));
}

/**
 * Pods of the current stage, and pods that are forced. Forced pods neither wait for other stages nor hold them back.
 */
function podsToEvict(
  { waiting, stages, firstStage }: DrainList,
  deadline: Instant | undefined,
  now: Instant,
): readonly SimulatedPod[] {
  if (deadline === undefined) return firstStage;
  const isForced = waiting.map((subject) => isOverdue(subject, deadline, now));
  if (!isForced.includes(true)) return firstStage;
  const current = Math.min(...stages.filter((_, index) => !isForced[index]));
  return waiting.filter(
    ({ phase }, index) => isForced[index] || (stages[index] === current && phase !== 'terminating'),
  );
}

/** When the do-not-disrupt annotation of the pod expires; infinite if it does not, or already has. */
function protectionEnd({ pod }: SimulatedPod, now: Instant): Instant {
  const until = protectedUntil(pod) ?? now;
  return until > now ? until : Infinity;
}

/**
 * From this time on the pod is deleted whatever blocks its eviction: with its grace period, it would outlast the
 * deadline.
 */
function forcedFrom({ pod: { terminationGraceSeconds = 30 } }: SimulatedPod, deadline: Instant): Instant {
  return deadline - terminationGraceSeconds * SECOND + 1;
}

/**
 * Whether the pod is deleted because of the deadline. A terminating pod is deleted again if it would outlast the
 * deadline.
 */
function isOverdue(subject: SimulatedPod, deadline: Instant, now: Instant): boolean {
  if (subject.phase !== 'terminating') return now >= forcedFrom(subject, deadline);
  return (subject.killDeadline ?? 0) > Math.max(deadline, now + SECOND);
}

/** The pods that a draining node waits for. */
interface DrainList {
  readonly waiting: readonly SimulatedPod[];
  /**
   * For each waiting pod, its position in the drain order: plain pods, pods of DaemonSets, critical pods, critical pods
   * of DaemonSets.
   */
  readonly stages: readonly number[];
  /** Pods of the first stage that are not yet terminating. */
  readonly firstStage: readonly SimulatedPod[];
  /** Pods of all stages that are not yet terminating. */
  readonly notTerminating: readonly SimulatedPod[];
  /** For each of `notTerminating`, the index of its PDB if that alone decides about its eviction, otherwise -1. */
  readonly onlyPdb: readonly number[];
}

/** @param nodePods the pods of the node */
function buildDrainList(nodePods: readonly SimulatedPod[], pods: SimulatedPods, pdbs: PdbIndex): DrainList {
  const waiting = nodePods.filter((subject) => isDrainable(subject.pod) && !isGivenUp(subject));
  const stages = waiting.map(stageOf);
  const first = Math.min(...stages);
  const notTerminating = waiting.filter(({ phase }) => phase !== 'terminating');
  return {
    waiting,
    stages,
    firstStage: notTerminating.filter((subject) => stageOf(subject) === first),
    notTerminating,
    onlyPdb: notTerminating.map((subject) => onlyPdbOf(pods.snapshotOf(subject), pdbs)),
  };
}

function stageOf({ pod }: SimulatedPod): number {
  return (pod.critical ? 2 : 0) + (pod.daemon ? 1 : 0);
}

/** Whether Karpenter no longer waits for the pod, which should have terminated long ago. */
function isGivenUp({ phase, phaseEnds }: SimulatedPod): boolean {
  return phase === 'terminating' && phaseEnds === undefined;
}

function onlyPdbOf(pod: ClusterPod, pdbs: PdbIndex): number {
  const [index, ...others] = pdbs.indicesFor(pod);
  const isPlain = isActive(pod) && pod.ready !== false && pod.annotations?.[DO_NOT_DISRUPT] === undefined;
  return isPlain && index !== undefined && others.length === 0 ? index : -1;
}
