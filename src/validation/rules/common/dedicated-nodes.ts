import { requirementAlternatives } from './pod-constraints';
import { memoizeByIdentity, nearestName, RequirementSpec, Toleration, WELL_KNOWN_LABELS } from '../../../model';
import { NodePoolSpec } from '../../../scheduling';
import { ManifestModel, NodePoolManifest, WorkloadManifest } from '../../manifest/model';

/**
 * The label of a dedicated node group that the pods are for, such as `workload-type=jenkins`: they select it, tolerate
 * a taint of the same key and value, and no NodePool has anything like it. Undefined if a NodePool may be meant, and
 * with the state of a cluster, whose nodes are known.
 */
export function dedicatedNodesOf(model: ManifestModel, workload: WorkloadManifest): string | undefined {
  const { shape } = workload;
  if (!shape || model.cluster || model.nodePools.length === 0) return undefined;
  const [first, ...others] = requirementAlternatives(shape).map((specs) =>
    specs.find((spec) => isRepeated(spec, shape.tolerations) && !model.nodePools.some((pool) => mayMean(pool, spec))),
  );
  if (first === undefined || others.includes(undefined)) return undefined;
  return `${first.key}=${first.values?.join(' or ')}`;
}

/** Whether a toleration names the key and a value of a custom label that the pods require. */
function isRepeated({ key, operator, values = [] }: RequirementSpec, tolerations: readonly Toleration[]): boolean {
  if (operator !== 'In' || WELL_KNOWN_LABELS.has(key)) return false;
  return tolerations.some(
    (toleration) =>
      toleration.key === key && (toleration.operator === 'Exists' || values.includes(toleration.value ?? '')),
  );
}

/** Whether a NodePool has the key, a similar one, or the value, so that the pods may be for its nodes. */
function mayMean({ object, spec }: NodePoolManifest, { key, values = [] }: RequirementSpec): boolean {
  const telling = values.filter((value) => !/^(?:true|false|yes|no|)$/.test(value));
  if (telling.some((value) => object.name === value || object.name.includes(value))) return true;
  // The fields of an invalid NodePool are not read.
  if (!spec) return true;
  const written = wordsOf(spec);
  return (
    written.keys.has(key) ||
    nearestName(key, [...written.keys]) !== undefined ||
    telling.some((value) => written.values.has(value))
  );
}

const wordsOf = memoizeByIdentity(
  ({
    labels,
    requirements,
    taints,
  }: NodePoolSpec): { readonly keys: ReadonlySet<string>; readonly values: ReadonlySet<string> } => {
    return {
      keys: new Set(
        [...Object.keys(labels), ...requirements.map(({ key }) => key), ...taints.map(({ key }) => key)].filter(
          (key) => !WELL_KNOWN_LABELS.has(key),
        ),
      ),
      values: new Set([
        ...Object.values(labels),
        ...requirements.flatMap(({ values = [] }) => values),
        ...taints.flatMap(({ value }) => value ?? []),
      ]),
    };
  },
);
