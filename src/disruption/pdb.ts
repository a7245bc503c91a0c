import { scaledUp } from './budgets';
import { Cluster, ClusterPod, Instant, PodBudget, PodOwner, workloadKey } from './cluster';
import { PdbSelection, pdbSelection } from './pdb-selection';
import { isActive, isEvictable } from './pod-eviction';

/** Controllers of which Kubernetes can tell how many replicas they are to have. */
const SCALABLE = new Set(['Deployment', 'ReplicaSet', 'StatefulSet', 'ReplicationController']);

/** A PodDisruptionBudget with what it allows now. */
export interface PodLimit {
  readonly key: string;
  /** Pods that have to stay healthy. */
  readonly desiredHealthy: number;
  /** Pods that are. */
  readonly healthy: number;
  readonly disruptionsAllowed: number;
  /** By what is written in it no pod may ever go. */
  readonly blocksAll: boolean;
  readonly letsUnreadyGo: boolean;
}

/** All that a cluster has. */
export class PodLimits {
  public constructor(public readonly all: readonly PodLimit[], private readonly selection: PdbSelection) {}

  /** Those that select the pod. */
  public of(pod: Pick<ClusterPod, 'namespace' | 'shape'>): PodLimit[] {
    return this.selection.positions(pod).map((at) => this.all[at]);
  }

  /** What they allow once a pod that was healthy is told to end. */
  public afterEnding(pod: Pick<ClusterPod, 'namespace' | 'shape'>): PodLimits {
    const own = this.selection.positions(pod);
    if (own.length === 0) return this;
    const one = (limit: PodLimit) => ({ ...limit, healthy: limit.healthy - 1, disruptionsAllowed: Math.max(0, limit.disruptionsAllowed - 1) });
    return new PodLimits(this.all.map((limit, at) => own.includes(at) ? one(limit) : limit), this.selection);
  }
}

/**
 * What the budgets allow, as the disruption controller of Kubernetes works it out from the pods that are there.
 *
 * @see https://kubernetes.io/docs/tasks/run-application/configure-pdb/
 */
export function podLimits({ pdbs, nodes, replicas = new Map() }: Pick<Cluster, 'pdbs' | 'nodes' | 'replicas'>): PodLimits {
  const selection = pdbSelection(pdbs);
  const selected = pdbs.map((): ClusterPod[] => []);
  for (const { pods } of nodes) {
    for (const pod of pods) if (!pod.ended) for (const at of selection.positions(pod)) selected[at].push(pod);
  }
  return new PodLimits(pdbs.map((pdb, at) => limitOf(pdb, selected[at], replicas)), selection);
}

function limitOf(pdb: PodBudget, own: readonly ClusterPod[], replicas: ReadonlyMap<string, number>): PodLimit {
  const { expected, desiredHealthy } = desired(pdb, own, replicas);
  const healthy = own.filter((pod) => isActive(pod) && pod.ready !== false).length;
  return {
    key: `${pdb.namespace}/${pdb.name}`,
    desiredHealthy,
    healthy,
    disruptionsAllowed: expected > 0 ? Math.max(0, healthy - desiredHealthy) : 0,
    blocksAll: pdb.maxUnavailable === 0 || pdb.maxUnavailable === '0%' || pdb.minAvailable === '100%',
    letsUnreadyGo: pdb.unhealthyPodEvictionPolicy === 'AlwaysAllow',
  };
}

/** Percentages are of the replicas wanted, and rounded up; a minimum that is a count is itself. Without a known scale no pod may go. */
function desired({ minAvailable, maxUnavailable }: PodBudget, own: readonly ClusterPod[], replicas: ReadonlyMap<string, number>) {
  if (maxUnavailable === undefined && typeof minAvailable !== 'string') return { expected: own.length, desiredHealthy: minAvailable ?? 0 };
  const expected = expectedReplicas(own, replicas);
  if (expected === undefined) return { expected: 0, desiredHealthy: own.length };
  const share = scaledUp(maxUnavailable ?? minAvailable!, expected) ?? 0;
  return { expected, desiredHealthy: maxUnavailable === undefined ? share : Math.max(0, expected - share) };
}

/** Bare pods count for nothing; of a controller that has no scale Kubernetes refuses to tell anything. */
function expectedReplicas(own: readonly ClusterPod[], replicas: ReadonlyMap<string, number>): number | undefined {
  const owners = new Map<PodOwner, number>();
  for (const { owner } of own) if (owner) owners.set(owner, (owners.get(owner) ?? 0) + 1);
  const workloads = new Map<string, number>();
  for (const [owner, count] of owners) {
    if (!SCALABLE.has(owner.kind)) return undefined;
    const key = workloadKey(own[0].namespace, owner);
    workloads.set(key, (workloads.get(key) ?? 0) + count);
  }
  return [...workloads].reduce((sum, [key, count]) => sum + (replicas.get(key) ?? count), 0);
}

/**
 * The keys of the budgets that keep a pod where it is. A pod of two budgets no eviction is granted for, whatever they say.
 *
 * @param byText only budgets that can never let a pod go count, not those that do not now
 * @see https://github.com/kubernetes-sigs/karpenter/blob/v1.15.0/pkg/utils/pdb/pdb.go
 */
export function blockingLimits(limits: PodLimits, pod: ClusterPod, now: Instant, byText = false): string[] {
  const own = limits.of(pod);
  if (own.length === 0 || (own.length === 1 && !blocks(own[0], pod, byText)) || !isEvictable(pod, now)) return [];
  return own.map(({ key }) => key);
}

function blocks({ letsUnreadyGo, blocksAll, disruptionsAllowed }: PodLimit, { ready }: ClusterPod, byText: boolean): boolean {
  return !(letsUnreadyGo && ready === false) && (byText ? blocksAll : disruptionsAllowed === 0);
}
