import { asRecord, FieldFix, setField, unsafeFix } from '../../../../contract';
import { listText } from '../../../../model';
import { PodAffinity } from '../../../../scheduling';
import { WorkloadManifest } from '../../../manifest/model';
import { misspeltLabel } from '../../common/misspelt-label';
import { selectsOwnPods } from '../../common/pod-constraints';
import { defineRule, SubjectFinding } from '../../define-rule';
import { RuleContext } from '../../rule';
import { workloads } from '../../subjects';

/**
 * @see
 * https://kubernetes.io/docs/concepts/scheduling-eviction/topology-spread-constraints/#spread-constraint-definition
 */
export const spreadMissesOwnPods = defineRule({
  id: 'KARP-428',
  name: 'spread-misses-own-pods',
  severity: 'warning',
  summary:
    "The label selector of a topology spread constraint does not match the workload's own pods, or a misspelt one of an affinity no pods, so nothing spreads them.",
  subjects: workloads({
    where: ({ shape, kind }) =>
      kind !== 'DaemonSet' &&
      ((shape?.topologySpread?.length ?? 0) > 0 ||
        shape?.podAffinity !== undefined ||
        shape?.podAntiAffinity !== undefined),
  }),
  judge(workload, context) {
    return [...misspeltTerms(workload, context), ...missedSpreads(workload)];
  },
});

function missedSpreads(workload: WorkloadManifest): SubjectFinding[] {
  const spreads = workload.shape!.topologySpread ?? [];
  const wrong = spreads.flatMap((spread, position) => (selectsOwnPods(spread, workload) ? [] : [position]));
  const [index] = wrong;
  if (index === undefined) return [];
  const { topologyKey, labelSelector } = spreads[index];
  const path = [...workload.podPath, 'topologySpreadConstraints', index];
  const root = [...path, 'labelSelector'];
  const typo = labelSelector && misspeltLabel(labelSelector, [workload.shape!.labels ?? {}], root);
  return [
    {
      path: typo ? [...root, ...typo.path] : path,
      message:
        `${labelSelector ? 'labelSelector does not match the labels of its own pods' : 'labelSelector is missing, so no pod is counted'}: ` +
        `nothing spreads the pods over ${listText([...new Set(wrong.map((position) => spreads[position].topologyKey))])}`,
      remedy: typo
        ? `write ${typo.meant} instead of ${typo.written} in the labelSelector`
        : 'write the labels of the pod template as labelSelector',
      evidence: { topologyKey },
      fix: typo && wrong.length === 1 ? unsafeFix(typo.edit) : selectorFix(workload, wrong),
      ...(typo ? { isTypo: true } : {}),
    },
  ];
}

/** Terms of anti-affinities, and preferences, that select no pod because of a typing error. Nothing reports them. */
function misspeltTerms(workload: WorkloadManifest, { model }: RuleContext): SubjectFinding[] {
  const { podAffinity, podAntiAffinity } = workload.shape!;
  const near = model.workloads.filter(({ namespace, shape }) => namespace === workload.namespace && shape);
  const labels = near.map(({ shape }) => shape!.labels ?? {});
  const affinity = [...workload.podPath, 'affinity'];
  const preferred = (kind: string, terms: PodAffinity['preferred'] = []) =>
    terms.map(({ term }, index) => ({
      kind,
      term,
      path: [...affinity, kind, 'preferredDuringSchedulingIgnoredDuringExecution', index, 'podAffinityTerm'],
    }));
  const required = (podAntiAffinity?.required ?? []).map((term, index) => ({
    kind: 'podAntiAffinity',
    term,
    path: [...affinity, 'podAntiAffinity', 'requiredDuringSchedulingIgnoredDuringExecution', index],
  }));
  return [
    ...required,
    ...preferred('podAntiAffinity', podAntiAffinity?.preferred),
    ...preferred('podAffinity', podAffinity?.preferred),
  ].flatMap(({ kind, term, path }): SubjectFinding[] => {
    const { labelSelector, namespaces, namespaceSelector, topologyKey } = term;
    if (labelSelector === undefined || namespaces?.length || namespaceSelector !== undefined) return [];
    const root = [...path, 'labelSelector'];
    const typo = misspeltLabel(labelSelector, labels, root);
    if (typo === undefined) return [];
    return [
      {
        path: [...root, ...typo.path],
        message: `the ${kind} selects pods with ${typo.written}, which no pod of namespace ${workload.namespace} has: it ${kind === 'podAffinity' ? 'draws the pods to none' : 'keeps the pods apart from none'} over ${topologyKey}`,
        remedy: `write ${typo.meant} instead of ${typo.written}`,
        evidence: { topologyKey, written: typo.written, meant: typo.meant },
        fix: unsafeFix(typo.edit),
        isTypo: true,
      },
    ];
  });
}

/** The selector of the workload selects exactly its own pods. */
function selectorFix({ object, podPath }: WorkloadManifest, wrong: readonly number[]): FieldFix | undefined {
  const labels = asRecord(asRecord(object.raw.spec?.selector)?.matchLabels);
  return (
    labels &&
    unsafeFix(
      ...wrong.map((index) =>
        setField([...podPath, 'topologySpreadConstraints', index, 'labelSelector'], { matchLabels: labels }),
      ),
    )
  );
}
