import { selects } from '../../../model';
import { ManifestModel, ManifestObject, PdbManifest, WorkloadManifest } from '../../manifest/model';

/** The PodDisruptionBudgets that select the pods. Without a selector a budget selects none. */
export function budgetsOf(model: ManifestModel, { namespace, podLabels }: WorkloadManifest): PdbManifest[] {
  return model.pdbs.filter((pdb) => pdb.namespace === namespace && hasSelector(pdb) && selects(pdb.selector, podLabels));
}

/** The workloads whose pods a budget selects. */
export function guardedBy(model: ManifestModel, pdb: PdbManifest): WorkloadManifest[] {
  if (!hasSelector(pdb)) return [];
  return model.workloads.filter(({ namespace, podLabels }) => namespace === pdb.namespace && selects(pdb.selector, podLabels));
}

/** A budget of the namespace that cannot be used as it is written, or holds a value that is not known yet: it may select any pod. */
export function unusableBudget({ objects, pdbs }: ManifestModel, namespace: string): ManifestObject | undefined {
  const usable = new Set(pdbs.map(({ object }) => object));
  return objects.find((object) => object.kind === 'PodDisruptionBudget' && (object.namespace ?? 'default') === namespace && !usable.has(object));
}

export function hasSelector({ object }: PdbManifest): boolean {
  return object.raw?.spec?.selector !== undefined && object.raw.spec.selector !== null;
}
