import { selects } from '../../../model';
import { ManifestModel, ManifestObject, PdbManifest, WorkloadManifest } from '../../manifest/model';
import { oncePer } from '../../once-per';

/** The PodDisruptionBudgets that select the pods. Without a selector a budget selects none. */
export function budgetsOf(model: ManifestModel, workload: WorkloadManifest): readonly PdbManifest[] {
  return guardsIn(model).budgets.get(workload) ?? [];
}

/** The workloads whose pods a budget selects. */
export function guardedBy(model: ManifestModel, pdb: PdbManifest): readonly WorkloadManifest[] {
  return guardsIn(model).workloads.get(pdb) ?? [];
}

/** A budget of the namespace that cannot be used as it is written, or holds a value that is not known yet: it may select any pod. */
export function unusableBudget(model: ManifestModel, namespace: string): ManifestObject | undefined {
  return guardsIn(model).unusable.get(namespace);
}

export function hasSelector({ object }: PdbManifest): boolean {
  return object.raw?.spec?.selector !== undefined && object.raw.spec.selector !== null;
}

interface Guards {
  readonly budgets: ReadonlyMap<WorkloadManifest, readonly PdbManifest[]>;
  readonly workloads: ReadonlyMap<PdbManifest, readonly WorkloadManifest[]>;
  /** By namespace. */
  readonly unusable: ReadonlyMap<string, ManifestObject>;
}

const guardsIn = oncePer(({ objects, pdbs, workloads }: ManifestModel): Guards => {
  const candidatesFor = candidates(pdbs.filter(hasSelector));
  const ofPods = (workload: WorkloadManifest) => candidatesFor(workload).filter(({ selector }) => selects(selector, labelsOf(workload)));
  const budgets = new Map(workloads.map((workload) => [workload, ofPods(workload)]));
  const guarded = new Map<PdbManifest, WorkloadManifest[]>();
  for (const [workload, own] of budgets) own.forEach((pdb) => addTo(guarded, pdb, workload));
  const usable = new Set(pdbs.map(({ object }) => object));
  const others = objects.filter((object) => object.kind === 'PodDisruptionBudget' && !usable.has(object));
  return { budgets, workloads: guarded, unusable: new Map(others.reverse().map((object) => [object.namespace ?? 'default', object])) };
});

/** Few budgets can select given pods, and thousands of workloads with a budget each make millions of pairs: those of the namespace that name one of their labels, or none. */
function candidates(pdbs: readonly PdbManifest[]): (workload: WorkloadManifest) => PdbManifest[] {
  const order = new Map(pdbs.map((pdb, i) => [pdb, i]));
  const byLabel = new Map<string, PdbManifest[]>();
  for (const pdb of pdbs) {
    const [label] = Object.entries(pdb.selector.matchLabels ?? {});
    addTo(byLabel, JSON.stringify([pdb.namespace, ...label ?? []]), pdb);
  }
  return (workload) => [[], ...Object.entries(labelsOf(workload))]
    .flatMap((label) => byLabel.get(JSON.stringify([workload.namespace, ...label])) ?? [])
    .sort((a, b) => order.get(a)! - order.get(b)!);
}

/** With those that its controller adds, as far as they are known. */
function labelsOf({ shape, podLabels }: WorkloadManifest): Readonly<Record<string, string>> {
  return shape?.labels ?? podLabels;
}

function addTo<Key, Value>(lists: Map<Key, Value[]>, key: Key, value: Value): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}
