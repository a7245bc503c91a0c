import { oncePer } from '../model';
import { budgetTotals, toldTotals } from './budget-totals';
import { scaledUp } from './budgets';
import { Cluster, ClusterPod, Instant, PodBudget } from './cluster';
import { BudgetTally, PdbSelection, pdbSelection } from './pdb-selection';
import { isEvictable } from './pod-eviction';

/** A PodDisruptionBudget with what it allows now. */
export interface PodLimit {
  readonly key: string;
  /** Pods that have to stay healthy. */
  readonly desiredHealthy: number;
  /** Pods that are. */
  readonly healthy: number;
  /** Pods that are there, be they healthy or not. */
  readonly pods: number;
  /** Pods that the workloads want of which there are any, those that are nowhere included. */
  readonly wanted: number;
  readonly disruptionsAllowed: number;
  /** Whether it allows none because Kubernetes cannot tell how many pods there should be. */
  readonly isUnknown: boolean;
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
  private readonly last: Array<KnownLimit | undefined>;
  /** Of those that pods have been told to end of. */
  private readonly known = new Map<number, PodLimit>();
  private readonly ended = new Map<number, number>();
  private totals?: readonly BudgetTally[];

  public constructor(private readonly cluster: Pick<Cluster, 'pdbs' | 'nodes' | 'replicas'>) {
    this.selection = pdbSelection(cluster.pdbs);
    this.last = lastLimits(cluster.pdbs);
    // By the time that somebody asks others may have been told.
    this.totals = toldTotals(cluster.pdbs, cluster.nodes);
  }

  public get all(): PodLimit[] {
    return this.cluster.pdbs.map((_, at) => this.limit(at));
  }

  /** Whether the budget at a position lets no healthy pod go. */
  public isUsedUp(position: number): boolean {
    return this.limit(position).disruptionsAllowed === 0;
  }

  /** Those that select the pod. */
  public of(pod: Pick<ClusterPod, 'namespace' | 'shape'>): PodLimit[] {
    return this.selection.positions(pod).map((at) => this.limit(at));
  }

  /** Whether no budget keeps any of the pods of a node, which most often is so: `false` says nothing yet. */
  public areFree(pods: readonly ClusterPod[], byText = false): boolean {
    if (this.selection.overlaps(pods)) return false;
    // What is written needs no count of pods.
    if (byText) return !this.selection.areKept(pods, blocksAll);
    for (const at of this.selection.among(pods).keys()) if (this.isUsedUp(at)) return false;
    return true;
  }

  /** A pod that was healthy is told to end: from now on it counts for nothing. */
  public end(pod: Pick<ClusterPod, 'namespace' | 'shape'>): void {
    for (const at of this.selection.positions(pod)) {
      this.ended.set(at, (this.ended.get(at) ?? 0) + 1);
      this.known.delete(at);
    }
  }

  private limit(at: number): PodLimit {
    const known = this.ended.size === 0 ? undefined : this.known.get(at);
    if (known) return known;
    const { pdbs, nodes, replicas = NO_REPLICAS } = this.cluster;
    this.totals ??= budgetTotals(pdbs, nodes, this.selection);
    const ended = this.ended.size === 0 ? 0 : this.ended.get(at) ?? 0;
    if (ended === 0) return this.before(at, this.totals[at], replicas);
    const found = limitOf(pdbs[at], this.totals[at], replicas, ended);
    this.known.set(at, found);
    return found;
  }

  /** From one moment to the next most budgets have the same pods. */
  private before(at: number, own: BudgetTally, replicas: ReadonlyMap<string, number>): PodLimit {
    const known = this.last[at];
    if (known?.own === own && known.replicas === replicas) return known.limit;
    const limit = limitOf(this.cluster.pdbs[at], own, replicas, 0);
    this.last[at] = { own, replicas, limit };
    return limit;
  }
}

const NO_REPLICAS: ReadonlyMap<string, number> = new Map();

interface KnownLimit {
  readonly own: BudgetTally;
  readonly replicas: ReadonlyMap<string, number>;
  readonly limit: PodLimit;
}

/** Per budget what was last found of it. */
const lastLimits = oncePer((pdbs: readonly PodBudget[]): Array<KnownLimit | undefined> => pdbs.map(() => undefined));

function limitOf(pdb: PodBudget, own: BudgetTally, replicas: ReadonlyMap<string, number>, ended: number): PodLimit {
  const { expected, desiredHealthy } = desired(pdb, own, replicas);
  const healthy = own.healthy - ended;
  return {
    key: `${pdb.namespace}/${pdb.name}`,
    desiredHealthy,
    healthy,
    pods: own.pods,
    wanted: wantedBy(own, replicas),
    disruptionsAllowed: expected > 0 ? Math.max(0, healthy - desiredHealthy) : 0,
    isUnknown: !isCount(pdb) && own.withoutScale > 0,
    blocksAll: blocksAll(pdb),
    letsUnreadyGo: pdb.unhealthyPodEvictionPolicy === 'AlwaysAllow',
  };
}

function blocksAll({ maxUnavailable, minAvailable }: PodBudget): boolean {
  return maxUnavailable === 0 || maxUnavailable === '0%' || minAvailable === '100%';
}

/** Percentages are of the replicas wanted, and rounded up; a minimum that is a count is itself. Without a known scale no pod may go. */
function desired({ minAvailable, maxUnavailable }: PodBudget, { pods, withoutScale, workloads }: BudgetTally, replicas: ReadonlyMap<string, number>) {
  // Where nothing is said, Kubernetes expects no pods at all.
  if (maxUnavailable === undefined && minAvailable === undefined) return { expected: 0, desiredHealthy: 0 };
  if (isCount({ minAvailable, maxUnavailable })) return { expected: pods, desiredHealthy: Number(minAvailable) };
  // Of a controller that has no scale Kubernetes refuses to tell anything; bare pods count for nothing.
  if (withoutScale > 0) return { expected: 0, desiredHealthy: pods };
  const expected = wantedBy({ workloads }, replicas);
  const share = scaledUp(maxUnavailable ?? minAvailable!, expected) ?? 0;
  return { expected, desiredHealthy: maxUnavailable === undefined ? share : Math.max(0, expected - share) };
}

/** Of a count of pods nothing else has to be known. */
function isCount({ minAvailable, maxUnavailable }: Pick<PodBudget, 'minAvailable' | 'maxUnavailable'>): boolean {
  return maxUnavailable === undefined && typeof minAvailable === 'number';
}

function wantedBy({ workloads }: Pick<BudgetTally, 'workloads'>, replicas: ReadonlyMap<string, number>): number {
  let wanted = 0;
  for (const [key, count] of workloads) wanted += replicas.get(key) ?? count;
  return wanted;
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

function blocks({ letsUnreadyGo, blocksAll: byItsText, disruptionsAllowed }: PodLimit, { ready }: ClusterPod, byText: boolean): boolean {
  return !(letsUnreadyGo && ready === false) && (byText ? byItsText : disruptionsAllowed === 0);
}
