import { podSpecOf } from './pod-constraints';
import { asRecord } from '../../../contract';
import { memoizeByIdentity } from '../../../model';
import { FieldPath, ManifestModel, WorkloadManifest } from '../../manifest/model';
import { recordsOf, stringOrUndefined } from '../../manifest/records';

const NONE: ReadonlySet<string> = new Set();
/** A missing default is the maximum, and a missing request is then the minimum. */
const DEFAULTING_FIELDS = ['default', 'defaultRequest', 'max', 'min'];

/** The containers of the pods that do not request the resource, after the defaults of a LimitRange. */
export function containersWithoutRequest(
  model: ManifestModel,
  workload: WorkloadManifest,
  resource: string,
): Array<{ readonly name: string; readonly path: FieldPath }> {
  const pod = podSpecOf(workload);
  if (limitRangeDefaults(model)(workload.namespace).has(resource)) return [];
  return recordsOf(pod?.containers).flatMap(({ name, resources }, index) =>
    isRequested(resource, resources, pod.resources) || hasMisspeltField(resources)
      ? []
      : [
          {
            name: stringOrUndefined(name) ?? `containers[${index}]`,
            path: [...workload.podPath, 'containers', index, 'resources'],
          },
        ],
  );
}

/** The requests are there, but under a name such as `request`, which is reported as an unknown field. */
export function hasMisspeltField(resources: unknown): boolean {
  return Object.keys(asRecord(resources) ?? {}).some((field) => !['requests', 'limits', 'claims'].includes(field));
}

/** A limit without a request becomes the request, in the resources of a container and of a whole pod. */
export function isRequested(resource: string, ...resources: readonly any[]): boolean {
  return resources.some((written) =>
    [written?.requests?.[resource], written?.limits?.[resource]].some(
      (amount) => amount !== undefined && amount !== null,
    ),
  );
}

/** The resources that the LimitRanges of a namespace give each container. */
export const limitRangeDefaults = memoizeByIdentity(({ objects, cluster }: ManifestModel) => {
  const defaults = new Map<string, Set<string>>();
  for (const { apiVersion, kind, namespace = 'default', raw } of [...objects, ...(cluster?.objects ?? [])]) {
    if (apiVersion !== 'v1' || kind !== 'LimitRange' || !Array.isArray(raw?.spec?.limits)) continue;
    const resources = raw.spec.limits
      .filter((limit: any) => limit?.type === 'Container')
      .flatMap((limit: any) => DEFAULTING_FIELDS.flatMap((field) => Object.keys(limit[field] ?? {})));
    defaults.set(namespace, new Set([...(defaults.get(namespace) ?? []), ...resources]));
  }
  return (namespace: string): ReadonlySet<string> => defaults.get(namespace) ?? NONE;
});
