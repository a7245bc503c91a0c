import { asRecord } from '../../../../contract';
import { nearestName, selects } from '../../../../model';
import { ManifestModel, ManifestObject, PdbManifest, WorkloadManifest } from '../../../manifest/model';
import { hasSelector, pdbsSelecting, workloadsSelectedBy } from '../../common/pod-disruption-budgets';

/** Kinds whose pods a PodDisruptionBudget counts. */
const SCALABLE = ['Deployment', 'ReplicaSet', 'StatefulSet'];

/**
 * The workload that a PodDisruptionBudget was written for whose selector matches no pods: it has the same name, or its
 * pods have these labels with a typo. Undefined if there is none, or more than one.
 */
export function workloadMeantBy(model: ManifestModel, pdb: PdbManifest): WorkloadManifest | undefined {
  if (workloadsSelectedBy(model, pdb).length > 0) return undefined;
  const candidates = model.workloads.filter(
    (workload) =>
      workload.namespace === pdb.namespace &&
      SCALABLE.includes(workload.kind) &&
      pdbsSelecting(model, workload).length === 0 &&
      (isNamedAfter(pdb, workload) || hasSimilarLabels(pdb, workload)),
  );
  return candidates.length === 1 ? candidates[0] : undefined;
}

function isNamedAfter(pdb: PdbManifest, { name }: WorkloadManifest): boolean {
  return [name, `${name}-pdb`, `pdb-${name}`].includes(pdb.name);
}

function hasSimilarLabels({ selector }: PdbManifest, { podLabels }: WorkloadManifest): boolean {
  const { matchLabels = {}, matchExpressions = [] } = selector;
  const labels = Object.entries(matchLabels);
  return (
    labels.length > 0 &&
    matchExpressions.length === 0 &&
    labels.every(([key, value]) => {
      const written = podLabels[key] ?? podLabels[nearestName(key, Object.keys(podLabels)) ?? ''];
      return written !== undefined && (written === value || nearestName(value, [written]) !== undefined);
    })
  );
}

/** The only workload that the selector would select, if that workload is in another namespace. */
export function workloadElsewhere(model: ManifestModel, pdb: PdbManifest): WorkloadManifest | undefined {
  if (labelKeysOf(pdb).length === 0 || workloadsSelectedBy(model, pdb).length > 0) return undefined;
  // Without a namespace, the object is in the one that it is applied to.
  if (pdb.object.namespace === undefined || unknownController(model, pdb) !== undefined) return undefined;
  const selected = model.workloads.filter(
    ({ kind, podLabels, object }) =>
      SCALABLE.includes(kind) && object.namespace !== undefined && selects(pdb.selector, podLabels),
  );
  return selected.length === 1 ? selected[0] : undefined;
}

/** The labels that the selector is about. */
export function labelKeysOf({ selector: { matchLabels = {}, matchExpressions = [] } }: PdbManifest): string[] {
  return [...Object.keys(matchLabels), ...matchExpressions.map(({ key }) => key)];
}

/** An object of an unknown kind, such as a CloneSet, whose pod template the budget selects. */
export function unknownController({ objects, workloads }: ManifestModel, pdb: PdbManifest): ManifestObject | undefined {
  const workloadKinds = new Set<string>(workloads.map(({ kind }) => kind));
  return !hasSelector(pdb)
    ? undefined
    : objects.find(({ kind, namespace = 'default', raw }) => {
        const { metadata, spec } = asRecord(raw.spec?.template) ?? {};
        if (workloadKinds.has(kind) || namespace !== pdb.namespace || !Array.isArray(asRecord(spec)?.containers))
          return false;
        return selects(pdb.selector, (asRecord(asRecord(metadata)?.labels) ?? {}) as Record<string, string>);
      });
}
