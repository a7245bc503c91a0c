import { nearestName } from '../../../../model';
import { ManifestModel, PdbManifest, WorkloadManifest } from '../../../manifest/model';
import { pdbsSelecting, workloadsSelectedBy } from '../../common/pod-disruption-budgets';

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
