import { selects } from '../model';
import { ClusterPod, PodBudget } from './cluster';

type Selected = Pick<ClusterPod, 'namespace' | 'shape'>;

/** Which of some PodDisruptionBudgets select a pod, by their positions. Pods of one workload share their shape, so that each is asked about once. */
export class PdbSelection {
  private readonly known = new WeakMap<ClusterPod['shape'], Map<string, readonly number[]>>();
  private readonly byPods = new WeakMap<readonly ClusterPod[], Map<number, ClusterPod[]>>();

  public constructor(private readonly pdbs: readonly PodBudget[]) {}

  /** Of the pods of a node, by budget those that have not ended and that it selects; found once for as long as the list stays. */
  public among(pods: readonly ClusterPod[]): ReadonlyMap<number, readonly ClusterPod[]> {
    let known = this.byPods.get(pods);
    if (!known) {
      known = new Map();
      for (const pod of pods) {
        if (pod.ended) continue;
        for (const position of this.positions(pod)) {
          const own = known.get(position);
          if (own) own.push(pod);
          else known.set(position, [pod]);
        }
      }
      this.byPods.set(pods, known);
    }
    return known;
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

/** The same for the same budgets: while time passes in a cluster these stay. */
export function pdbSelection(pdbs: readonly PodBudget[]): PdbSelection {
  const known = SELECTIONS.get(pdbs) ?? new PdbSelection(pdbs);
  SELECTIONS.set(pdbs, known);
  return known;
}

const SELECTIONS = new WeakMap<readonly PodBudget[], PdbSelection>();
