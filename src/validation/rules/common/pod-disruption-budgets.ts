import { countText, memoizeByIdentity, selects } from '../../../model';
import { ManifestModel, ManifestObject, PdbManifest, WorkloadManifest } from '../../manifest/model';

/** The PodDisruptionBudgets that select the workload's pods. A budget without a selector selects none. */
export function pdbsSelecting(model: ManifestModel, workload: WorkloadManifest): readonly PdbManifest[] {
  return pdbIndex(model).pdbs.get(workload) ?? [];
}

/** The workloads whose pods a PodDisruptionBudget selects. */
export function workloadsSelectedBy(model: ManifestModel, pdb: PdbManifest): readonly WorkloadManifest[] {
  return pdbIndex(model).workloads.get(pdb) ?? [];
}

/**
 * A PodDisruptionBudget of the namespace that is invalid or holds a value known only at deployment, so that it may
 * select any pod.
 */
export function unusablePdb(model: ManifestModel, namespace: string): ManifestObject | undefined {
  return pdbIndex(model).unusable.get(namespace);
}

export function hasSelector({ object }: PdbManifest): boolean {
  return object.raw?.spec?.selector !== undefined && object.raw.spec.selector !== null;
}

interface PdbIndex {
  readonly pdbs: ReadonlyMap<WorkloadManifest, readonly PdbManifest[]>;
  readonly workloads: ReadonlyMap<PdbManifest, readonly WorkloadManifest[]>;
  /** By namespace. */
  readonly unusable: ReadonlyMap<string, ManifestObject>;
}

const pdbIndex = memoizeByIdentity(({ objects, pdbs, workloads }: ManifestModel): PdbIndex => {
  const candidatesFor = candidates(pdbs.filter(hasSelector));
  const selectingPdbs = (workload: WorkloadManifest) =>
    candidatesFor(workload).filter(({ selector }) => selects(selector, labelsOf(workload)));
  const byWorkload = new Map(workloads.map((workload) => [workload, selectingPdbs(workload)]));
  const byPdb = new Map<PdbManifest, WorkloadManifest[]>();
  for (const [workload, selecting] of byWorkload) selecting.forEach((pdb) => addTo(byPdb, pdb, workload));
  const usable = new Set(pdbs.map(({ object }) => object));
  const unusable = objects.filter((object) => object.kind === 'PodDisruptionBudget' && !usable.has(object));
  return {
    pdbs: byWorkload,
    workloads: byPdb,
    unusable: new Map(unusable.reverse().map((object) => [object.namespace ?? 'default', object])),
  };
});

/**
 * Budgets that may select a workload's pods: those of its namespace that name one of its labels, or no label. Hot
 * path: thousands of workloads with a budget each would otherwise make millions of pairs.
 */
function candidates(pdbs: readonly PdbManifest[]): (workload: WorkloadManifest) => PdbManifest[] {
  const order = new Map(pdbs.map((pdb, i) => [pdb, i]));
  const byLabel = new Map<string, PdbManifest[]>();
  for (const pdb of pdbs) {
    const [label] = Object.entries(pdb.selector.matchLabels ?? {});
    addTo(byLabel, JSON.stringify([pdb.namespace, ...(label ?? [])]), pdb);
  }
  return (workload) =>
    [[], ...Object.entries(labelsOf(workload))]
      .flatMap((label) => byLabel.get(JSON.stringify([workload.namespace, ...label])) ?? [])
      .sort((a, b) => order.get(a)! - order.get(b)!);
}

/** Pod labels, including known labels that the workload's controller adds. */
function labelsOf({ shape, podLabels }: WorkloadManifest): Readonly<Record<string, string>> {
  return shape?.labels ?? podLabels;
}

function addTo<Key, Value>(lists: Map<Key, Value[]>, key: Key, value: Value): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}

/** How many evictions a PodDisruptionBudget allows while all pods are healthy. */
export interface PdbAllowance {
  /** The setting and the count it results in, such as `minAvailable 2 of 3 replicas`. */
  readonly text: string;
  readonly allowed: number;
}

/** Kubernetes rounds percentages of both fields up. Undefined if the value is neither a number nor a percentage. */
export function pdbAllowanceOf({ minAvailable, maxUnavailable }: PdbManifest, total: number): PdbAllowance | undefined {
  const value = minAvailable ?? maxUnavailable!;
  const percent = percentOf(value);
  const amount = percent === undefined ? Number(value) : Math.ceil((percent * total) / 100);
  if (!Number.isInteger(amount) || amount < 0) {
    return undefined;
  }
  const rounded = percent === undefined ? '' : ` (rounded up to ${amount})`;
  const field = minAvailable === undefined ? 'maxUnavailable' : 'minAvailable';
  return {
    text: `${field} ${value} of ${countText(total, 'replica')}${rounded}`,
    allowed: minAvailable === undefined ? Math.min(amount, total) : total - amount,
  };
}

export function percentOf(value: string | number | undefined): number | undefined {
  const digits = typeof value === 'string' ? /^(\d+)%$/.exec(value) : null;
  return digits === null ? undefined : Number(digits[1]);
}
