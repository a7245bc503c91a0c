import { oncePer, selects } from '../model';
import { ClusterPod, PodBudget, workloadKey } from './cluster';
import { isActive } from './pod-eviction';

/** Controllers of which Kubernetes can tell how many replicas they are to have. */
const SCALABLE = new Set(['Deployment', 'ReplicaSet', 'StatefulSet', 'ReplicationController']);

/** Of some pods, those that a budget selects and that have not ended. */
export interface BudgetTally {
  readonly pods: number;
  readonly healthy: number;
  /** Pods of controllers that have no scale. */
  readonly withoutScale: number;
  /** Pods by `workloadKey`, those of the other controllers. */
  readonly workloads: ReadonlyMap<string, number>;
}

export const NOTHING: BudgetTally = { pods: 0, healthy: 0, withoutScale: 0, workloads: new Map() };

type Selected = Pick<ClusterPod, 'namespace' | 'shape'>;

/** Which of some PodDisruptionBudgets select a pod, by their positions. Pods of one workload share their shape, so that each is asked about once. */
export class PdbSelection {
  /** Whether one of the pods of a node has several budgets. */
  public readonly overlaps = oncePer((pods: readonly ClusterPod[]) => pods.some((pod) => this.positions(pod).length > 1));
  private readonly known = new WeakMap<ClusterPod['shape'], Map<string, readonly number[]>>();
  private readonly byPods = new WeakMap<readonly ClusterPod[], ReadonlyMap<number, BudgetTally>>();

  private readonly kept = new WeakMap<readonly ClusterPod[], boolean>();
  /** Per budget whether it keeps all that it selects. */
  private keeping?: readonly boolean[];

  public constructor(private readonly pdbs: readonly PodBudget[]) {}

  /** What each budget selects of the pods of a node; found once for as long as the list stays. */
  public among(pods: readonly ClusterPod[]): ReadonlyMap<number, BudgetTally> {
    const known = this.byPods.get(pods);
    if (known) return known;
    const tallies = new Map<number, MutableTally>();
    for (const pod of pods) {
      if (pod.ended) continue;
      for (const at of this.positions(pod)) {
        const tally = tallies.get(at) ?? { pods: 0, healthy: 0, withoutScale: 0, workloads: new Map<string, number>() };
        tallies.set(at, tally);
        tallied(pod, tally, 1);
      }
    }
    this.byPods.set(pods, tallies);
    return tallies;
  }

  /**
   * Whether a budget that selects one of the pods of a node keeps all that it selects.
   *
   * @param keepsAll the same function each time
   */
  public areKept(pods: readonly ClusterPod[], keepsAll: (pdb: PodBudget) => boolean): boolean {
    const known = this.kept.get(pods);
    if (known !== undefined) return known;
    // Few clusters have such a budget.
    this.keeping ??= this.pdbs.map(keepsAll);
    const { keeping } = this;
    const found = keeping.includes(true) && pods.some((pod) => !pod.ended && this.positions(pod).some((at) => keeping[at]));
    this.kept.set(pods, found);
    return found;
  }

  public positions({ namespace, shape }: Selected): readonly number[] {
    const byNamespace = this.known.get(shape) ?? new Map<string, readonly number[]>();
    const known = byNamespace.get(namespace);
    if (known) return known;
    const found = this.pdbs.flatMap((pdb, at) => pdb.namespace === namespace && selects(pdb.selector, shape.labels ?? {}) ? [at] : []);
    this.known.set(shape, byNamespace.set(namespace, found));
    return found;
  }
}

export type MutableTally = { -readonly [Key in keyof BudgetTally]: BudgetTally[Key] } & { readonly workloads: Map<string, number> };

/** One pod more, or one less. */
export function tallied(pod: ClusterPod, tally: MutableTally, sign: 1 | -1): void {
  const { namespace, owner } = pod;
  tally.pods += sign;
  if (isHealthy(pod)) tally.healthy += sign;
  if (!owner) return;
  if (!SCALABLE.has(owner.kind)) {
    tally.withoutScale += sign;
    return;
  }
  const key = workloadKey(namespace, owner);
  const count = (tally.workloads.get(key) ?? 0) + sign;
  if (count === 0) tally.workloads.delete(key);
  else tally.workloads.set(key, count);
}

export function isHealthy(pod: ClusterPod): boolean {
  return isActive(pod) && pod.ready !== false;
}

export function sameTallies({ pods, healthy, withoutScale, workloads }: BudgetTally, other: BudgetTally | undefined): boolean {
  if (pods !== other?.pods || healthy !== other.healthy || withoutScale !== other.withoutScale) return false;
  if (workloads.size !== other.workloads.size) return false;
  for (const [key, count] of workloads) if (other.workloads.get(key) !== count) return false;
  return true;
}

/** The same for the same budgets: while time passes in a cluster these stay. */
export const pdbSelection = oncePer((pdbs: readonly PodBudget[]) => new PdbSelection(pdbs));
