import { labelKeysOf, unknownController, workloadElsewhere, workloadMeantBy } from './meant-workload';
import { asRecord, setField, unsafeFix } from '../../../../contract';
import { countText, listText, selects } from '../../../../model';
import { READING_RULES } from '../../../manifest';
import { ManifestModel, PdbManifest, WorkloadManifest } from '../../../manifest/model';
import { workloadsSelectedBy, hasSelector, percentOf } from '../../common/pod-disruption-budgets';
import { defineRule, Judgement, NOT_APPLICABLE, unknown, SubjectFinding } from '../../define-rule';
import { pdbs } from '../../subjects';

/** Kinds whose number of pods Kubernetes knows. */
const SCALABLE = ['Deployment', 'ReplicaSet', 'StatefulSet'];
/** Labels that controllers set on the pods that they create, so that no pod template has them. */
const SET_BY_CONTROLLERS = [
  'statefulset.kubernetes.io/pod-name',
  'apps.kubernetes.io/pod-index',
  'controller-revision-hash',
  'pod-template-hash',
  'job-name',
  'batch.kubernetes.io/job-name',
  'controller-uid',
  'batch.kubernetes.io/controller-uid',
  'batch.kubernetes.io/job-completion-index',
];

/** Labels whose value is the name of the Helm release. */
const RELEASE_LABELS = ['app.kubernetes.io/instance', 'release'];

/** @see https://kubernetes.io/docs/tasks/run-application/configure-pdb/#arbitrary-controllers-and-selectors */
export const pdbSelectorMatchesNothingOrJobs = defineRule({
  id: 'KARP-412',
  name: 'pdb-selector-matches-nothing-or-jobs',
  severity: 'warning',
  summary: 'A PodDisruptionBudget selects no pod of the input, or pods of workloads that have no replica count.',
  subjects: pdbs(),
  judge(pdb, { model }) {
    const inNamespace = model.workloads.filter(({ namespace }) => namespace === pdb.namespace);
    const elsewhere = workloadElsewhere(model, pdb);
    if (elsewhere !== undefined) return inOtherNamespace(pdb, elsewhere);
    if (inNamespace.length === 0) return NOT_APPLICABLE;
    const selected = workloadsSelectedBy(model, pdb);
    if (selected.length > 0) return checkKinds(pdb, selected);
    if (inNamespace.some((workload) => isOfRefused(pdb, workload))) return NOT_APPLICABLE;
    const controller = unknownController(model, pdb);
    if (controller !== undefined)
      return unknown(`it selects pods of ${controller.kind} ${controller.name}, a kind that this tool does not know`);
    const label = labelKeysOf(pdb).find((key) => SET_BY_CONTROLLERS.includes(key));
    if (label !== undefined) return unknown(`it selects by ${label}, which only running pods have`);
    const release = writtenRelease(pdb, inNamespace);
    if (release !== undefined)
      return unknown(`it selects pods of the Helm release ${release}, whose name is written in the chart`);
    const unread = model.problems.find(
      ({ rule, severity }) => rule === READING_RULES.unreadable.rule && severity === 'error',
    );
    if (unread !== undefined) return unknown(`its pods may be in ${unread.location.file}, which cannot be read`);
    return selectsNothing(model, pdb, inNamespace.length);
  },
});

/** KARP-100 reports a workload whose own selector, like that of the budget, misses the labels of its template. */
function isOfRefused({ selector }: PdbManifest, { object, shape }: WorkloadManifest): boolean {
  const labels = asRecord(asRecord(object.raw.spec?.selector)?.matchLabels) ?? {};
  const texts = Object.entries(labels).filter(([, value]) => typeof value === 'string');
  return (
    shape === undefined && texts.length > 0 && selects(selector, Object.fromEntries(texts) as Record<string, string>)
  );
}

function selectsNothing(model: ManifestModel, pdb: PdbManifest, workloads: number): SubjectFinding {
  const why = hasSelector(pdb) ? 'its selector matches no pod labels' : 'it has no selector';
  const meant = workloadMeantBy(model, pdb);
  const labels = meant && asRecord(asRecord(meant.object.raw.spec?.selector)?.matchLabels);
  return {
    path: ['spec', 'selector'],
    message: `protects no pod of the ${countText(workloads, 'workload')} in namespace ${pdb.namespace}: ${why}`,
    remedy:
      meant === undefined
        ? 'write the labels of a pod template as selector, or leave it if its pods are not in the input'
        : `write the labels of ${meant.kind} ${meant.name} as selector, which has no other PodDisruptionBudget`,
    evidence: { workloads },
    fix: labels && unsafeFix(setField(['spec', 'selector'], { matchLabels: labels })),
  };
}

function inOtherNamespace(pdb: PdbManifest, { kind, namespace, name }: WorkloadManifest): SubjectFinding {
  return {
    path: ['metadata', 'namespace'],
    message: `is in namespace ${pdb.namespace} and protects no pod there: its selector matches ${kind} ${name} in namespace ${namespace}`,
    remedy: `write namespace: ${namespace}`,
    evidence: { namespace: pdb.namespace, workload: `${namespace}/${name}` },
    fix: unsafeFix(setField(['metadata', 'namespace'], namespace)),
  };
}

/**
 * A minAvailable number needs no replica count. Pods without a controller do not count beside pods with one;
 * alone they make Kubernetes expect 0 pods.
 */
function checkKinds(pdb: PdbManifest, selected: readonly WorkloadManifest[]): Judgement {
  const controlled = selected.filter(({ kind }) => kind !== 'Pod');
  const scalable = controlled.filter(({ kind }) => SCALABLE.includes(kind));
  const unscalable = (controlled.length === 0 ? selected : controlled).filter(({ kind }) => !SCALABLE.includes(kind));
  const needsReplicas = pdb.maxUnavailable !== undefined || percentOf(pdb.minAvailable) !== undefined;
  return unscalable.length === 0 || !needsReplicas
    ? undefined
    : withoutReplicas(pdb, namesOf(unscalable), namesOf(scalable));
}

function withoutReplicas(pdb: PdbManifest, unscalable: readonly string[], scalable: readonly string[]): SubjectFinding {
  const field = pdb.minAvailable === undefined ? 'maxUnavailable' : 'minAvailable';
  const rest = scalable.length === 0 ? '' : `, nor of ${listText(scalable)} while those pods exist`;
  return {
    path: ['spec', field],
    message:
      `${field} needs a replica count, which ${listText(unscalable)} ${unscalable.length === 1 ? 'does' : 'do'} not have: ` +
      `Kubernetes allows no eviction of ${unscalable.length === 1 ? 'its' : 'their'} pods${rest}`,
    remedy:
      `${scalable.length === 0 ? '' : 'exclude them by the selector; or '}write minAvailable as a number, or protect these pods with the annotation ` +
      'karpenter.sh/do-not-disrupt instead',
    evidence: { workloads: unscalable },
  };
}

/**
 * The name of a release that the selector requires, if it would otherwise select pods of a chart. The chart was
 * rendered with another name.
 */
function writtenRelease({ selector }: PdbManifest, workloads: readonly WorkloadManifest[]): string | undefined {
  const { matchLabels = {}, matchExpressions } = selector;
  const key = RELEASE_LABELS.find((label) => matchLabels[label] !== undefined);
  if (key === undefined) return undefined;
  const { [key]: release, ...others } = matchLabels;
  const isOtherwiseSelected = ({ podLabels }: WorkloadManifest) =>
    podLabels[key] !== undefined && selects({ matchLabels: others, matchExpressions }, podLabels);
  return workloads.some((workload) => isOfChart(workload) && isOtherwiseSelected(workload)) ? release : undefined;
}

function isOfChart({ object }: WorkloadManifest): boolean {
  const labels = asRecord(object.raw.metadata?.labels) ?? {};
  return labels['helm.sh/chart'] !== undefined || labels['app.kubernetes.io/managed-by'] === 'Helm';
}

function namesOf(workloads: readonly WorkloadManifest[]): string[] {
  return workloads.map(({ kind, name }) => `${kind} ${name}`).sort();
}
