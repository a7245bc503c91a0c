import { normalizeLabelKey } from '../../../model';
import { PodShape } from '../../../scheduling';
import { FieldPath, WorkloadManifest } from '../../manifest/model';

const REQUIRED_TERMS = ['affinity', 'nodeAffinity', 'requiredDuringSchedulingIgnoredDuringExecution', 'nodeSelectorTerms'];

/** Where a workload constrains a label: in its node selector, else in its required node affinity. */
export function constraintPath({ podPath }: WorkloadManifest, shape: PodShape, key: string): FieldPath {
  const written = Object.keys(shape.nodeSelector).find((candidate) => normalizeLabelKey(candidate) === normalizeLabelKey(key));
  if (written !== undefined) {
    return [...podPath, 'nodeSelector', written];
  }
  for (const [term, { matchExpressions }] of shape.requiredNodeAffinity.entries()) {
    const index = matchExpressions.findIndex((expression) => normalizeLabelKey(expression.key) === normalizeLabelKey(key));
    if (index >= 0) {
      return [...podPath, ...REQUIRED_TERMS, term, 'matchExpressions', index, 'key'];
    }
  }
  return podPath;
}
