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

/**
 * What the budgets of a cluster allow, as the disruption controller of Kubernetes works it out from the pods that are there. Each is worked
 * out when it is asked for.
 *
 * @see https://kubernetes.io/docs/tasks/run-application/configure-pdb/
 */
export class PodLimits {
  private readonly selection: PdbSelection;
  private readonly known = new Map<number, PodLimit>();
  private readonly ended = new Map<number, number>();
  private own?: ReadonlyMap<number, readonly ClusterPod[]>;

  public constructor(private readonly cluster: Pick<Cluster, 'pdbs' | 'nodes' | 'replicas'>) {
    this.selection = pdbSelection(cluster.pdbs);
  }

  public get all(): PodLimit[] {
    return this.cluster.pdbs.map((_, at) => this.limit(at));
  }

  /** Those that select the pod. */
  public of(pod: Pick<ClusterPod, 'namespace' | 'shape'>): PodLimit[] {
    return this.selection.positions(pod).map((at) => this.limit(at));
  }

  /** A pod that was healthy is told to end: from now on it counts for nothing. */
  public end(pod: Pick<ClusterPod, 'namespace' | 'shape'>): void {
    for (const at of this.selection.positions(pod)) {
      this.ended.set(at, (this.ended.get(at) ?? 0) + 1);
      this.known.delete(at);
    }
  }

  private limit(at: number): PodLimit {
    const { pdbs, nodes, replicas = new Map() } = this.cluster;
    let found = this.known.get(at);
    if (!found) {
      this.own ??= podsByBudget(nodes, this.selection);
      found = limitOf(pdbs[at], this.own.get(at) ?? [], replicas, this.ended.get(at) ?? 0);
      this.known.set(at, found);
    }
    return found;
  }
}

function podsByBudget(nodes: Cluster['nodes'], selection: PdbSelection): Map<number, ClusterPod[]> {
  const own = new Map<number, ClusterPod[]>();
  for (const { pods } of nodes) {
    for (const [at, selected] of selection.among(pods)) {
      const known = own.get(at);
      if (known) known.push(...selected);
      else own.set(at, [...selected]);
    }
  }
  return own;
}

function limitOf(pdb: PodBudget, own: readonly ClusterPod[], replicas: ReadonlyMap<string, number>, ended: number): PodLimit {
  const { expected, desiredHealthy } = desired(pdb, own, replicas);
  const healthy = own.filter((pod) => isActive(pod) && pod.ready !== false).length - ended;
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
