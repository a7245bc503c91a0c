import { constraintPath } from './pod-constraints';
import { FieldFix, FieldPath, safeFix, setField } from '../../../contract';
import { nearestName, normalizeLabelKey, WELL_KNOWN_VALUES } from '../../../model';
import { WorkloadManifest } from '../../manifest/model';

/** Where pods select a value of a label that has few known values, such as `Spot`. */
export interface UnknownValue {
  readonly path: FieldPath;
  /** @default - the value resembles no known one */
  readonly fix?: FieldFix;
}

/** The first value for which Karpenter ignores the pods of a workload. */
export function unknownValueOf(workload: WorkloadManifest): UnknownValue | undefined {
  const { shape } = workload;
  if (shape === undefined) return undefined;
  const selected = Object.entries(shape.nodeSelector).map(([key, value]) => ({ key, values: [value], operator: 'In' }));
  for (const { key, operator, values = [] } of [
    ...selected,
    ...shape.requiredNodeAffinity.flatMap(({ matchExpressions }) => matchExpressions),
  ]) {
    const known = WELL_KNOWN_VALUES.get(normalizeLabelKey(key));
    const index = values.findIndex((value) => known !== undefined && !known.has(value));
    if (known === undefined || operator !== 'In' || index < 0 || values.some((value) => known.has(value))) continue;
    const place = constraintPath(workload, shape, key);
    const path = place[place.length - 2] === 'nodeSelector' ? place : [...place.slice(0, -1), 'values', index];
    const meant = nearestName(values[index], [...known]);
    return { path, ...(meant === undefined ? {} : { fix: safeFix(setField(path, meant)) }) };
  }
  return undefined;
}
