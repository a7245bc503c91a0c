import { CheckOptions } from '../options';
import { ManifestObject } from './model';
import { FieldProblem, findApiStatus, isKarpenterKind, judgeObject, rejected } from '../../contract';

/**
 * What the API server and Karpenter have against one of Karpenter's own objects; undefined for objects of others, and for those
 * at an API version that is not served, of which a rule speaks.
 */
export function judge({ apiVersion, kind, raw }: ManifestObject, options: CheckOptions): readonly FieldProblem[] | undefined {
  const { karpenterVersion, crds, featureGates } = options;
  if (!isKarpenterKind(apiVersion, kind) || findApiStatus(apiVersion, kind, karpenterVersion).state !== 'served') return undefined;
  return judgeObject(raw, { version: karpenterVersion, crds, featureGates }) ??
    [rejected(['kind'], `is not served at ${apiVersion}: the CRDs have no such kind`, kind, 'add its CRD to the cluster, or leave the object out')];
}
