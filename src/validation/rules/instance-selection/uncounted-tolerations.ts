import { asRecord } from '../../../contract';
import { memoizeByIdentity, Taint, untolerated } from '../../../model';
import { FieldReader } from '../../manifest/field-reader';
import { ManifestModel, ManifestObject, WorkloadManifest } from '../../manifest/model';
import { ProblemLog } from '../../manifest/problem-log';
import { readTolerations } from '../../manifest/workload/node-affinity';

const MAX_DEPTH = 12;

/**
 * An object whose pods are not counted, such as a Workflow, a HelmRelease with values, or a Deployment that the API
 * server refuses, and that tolerates the taints somewhere.
 */
export function uncountedObjectThatTolerates(
  model: ManifestModel,
  taints: readonly Taint[],
): ManifestObject | undefined {
  return uncountedTolerations(model).find(({ object, isRefused, lists }) =>
    lists.some((list) => {
      const reader = new FieldReader(object, new ProblemLog());
      const tolerations = readTolerations(reader, ['tolerations'], list);
      return (isRefused || !reader.invalid) && untolerated(taints, tolerations).length === 0;
    }),
  )?.object;
}

const uncountedTolerations = memoizeByIdentity(({ objects, workloads }: ManifestModel) => {
  const sourceOf = ({ object }: WorkloadManifest) => object.madeBy ?? object;
  const counted = new Set(workloads.filter(({ shape }) => shape).map(sourceOf));
  const refused = new Set(workloads.filter(({ shape }) => !shape).map(sourceOf));
  return objects
    .filter((object) => !counted.has(object))
    .map((object) => ({ object, isRefused: refused.has(object), lists: tolerationsIn(object.raw.spec, MAX_DEPTH) }))
    .filter(({ lists }) => lists.length > 0);
});

function tolerationsIn(value: unknown, depth: number): unknown[] {
  if (depth === 0) return [];
  if (Array.isArray(value)) return value.flatMap((item) => tolerationsIn(item, depth - 1));
  return Object.entries(asRecord(value) ?? {}).flatMap(([key, inner]) =>
    key === 'tolerations' && Array.isArray(inner) ? [inner] : tolerationsIn(inner, depth - 1),
  );
}
