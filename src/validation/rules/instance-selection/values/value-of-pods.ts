import { asRecord, FieldFix, FieldPath, safeFix, setField } from '../../../../contract';
import { labelWords, listText, nearestName, normalizeLabelKey, WELL_KNOWN_VALUES, valueText } from '../../../../model';
import { podGroupIndices } from '../../../context/schedule-input';
import { ManifestModel, WorkloadManifest } from '../../../manifest/model';
import { recordsOf } from '../../../manifest/records';
import { podSpecOf, REQUIRED_TERMS } from '../../common/pod-constraints';
import { SubjectFinding } from '../../define-rule';

/** A value of a label in the written constraints of a pod. */
interface SelectedValue {
  readonly key: string;
  readonly value: string;
  readonly path: FieldPath;
}

/** Workloads without pods in the plan. KARP-213 reports the value if the plan has pods that select it. */
export function unplannedWorkloads({ workloads }: ManifestModel): WorkloadManifest[] {
  return workloads.filter((workload) => workload.kind === 'DaemonSet' || podGroupIndices(workload).length === 0);
}

/** The values that pods select, and that no node has, such as `Spot`. */
export function valuesOfPods(workload: WorkloadManifest): SubjectFinding[] {
  return selectedValues(workload).flatMap(({ key, value, path }) => {
    const known = WELL_KNOWN_VALUES.get(normalizeLabelKey(key));
    if (known === undefined || known.has(value) || value.includes('$') || value.includes('{')) return [];
    const meant = nearestName(value, [...known]);
    const fix: FieldFix | undefined = meant === undefined ? undefined : safeFix(setField(path, meant));
    return [
      {
        path,
        message: `selects nodes with ${labelWords(key)} ${value}, which no node has: Karpenter launches none for its pods`,
        remedy: `write ${meant ?? listText([...known].sort(), 'or')}`,
        evidence: { label: key, values: [value], meant: [meant ?? null] },
        ...(fix === undefined ? {} : { fix }),
      },
    ];
  });
}

function selectedValues(workload: WorkloadManifest): SelectedValue[] {
  const spec = asRecord(podSpecOf(workload));
  const selector = Object.entries(asRecord(spec?.nodeSelector) ?? {}).map(([key, value]) => ({
    key,
    value: valueText(value),
    path: [...workload.podPath, 'nodeSelector', key],
  }));
  const terms = REQUIRED_TERMS.reduce<unknown>((value, name) => asRecord(value)?.[name], spec);
  const ofAffinity = recordsOf(terms).flatMap(({ matchExpressions }, term) =>
    recordsOf(matchExpressions).flatMap(({ key, operator, values }, index): SelectedValue[] =>
      typeof key !== 'string' || operator !== 'In' || !Array.isArray(values)
        ? []
        : values.map((value, position) => ({
            key,
            value: valueText(value),
            path: [...workload.podPath, ...REQUIRED_TERMS, term, 'matchExpressions', index, 'values', position],
          })),
    ),
  );
  return [...selector, ...ofAffinity];
}
