import { selects } from '../model';
import { ClusterPod, PodBudget } from './cluster';

type Selected = Pick<ClusterPod, 'namespace' | 'shape'>;

/** Which of some PodDisruptionBudgets select a pod, by their positions. Pods of one workload share their shape, so that each is asked about once. */
export class PdbSelection {
  private readonly known = new WeakMap<ClusterPod['shape'], Map<string, readonly number[]>>();

  public constructor(private readonly pdbs: readonly PodBudget[]) {}

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
