import { asRecord } from '../../../contract';
import { listText } from '../../../model';
import { ManifestModel, ManifestObject, WorkloadManifest } from '../../manifest/model';
import { recordsOf, stringOrUndefined } from '../../manifest/records';
import { hasMisspeltField, limitRangeDefaults } from '../common/container-requests';
import { podSpecOf } from '../common/pod-constraints';
import { SubjectFinding } from '../define-rule';

/** Keys of a quota, with the field that it counts. Each container of the namespace then has to set it. */
const COUNTED: ReadonlyMap<string, readonly [field: 'requests' | 'limits', resource: string]> = new Map([
  ['cpu', ['requests', 'cpu']],
  ['memory', ['requests', 'memory']],
  ['requests.cpu', ['requests', 'cpu']],
  ['requests.memory', ['requests', 'memory']],
  ['limits.cpu', ['limits', 'cpu']],
  ['limits.memory', ['limits', 'memory']],
]);
const MOST_NAMES = 3;

/**
 * A finding if containers do not set a resource that the quota counts: the API server refuses their pods, whatever the
 * amount.
 *
 * @see https://kubernetes.io/docs/concepts/policy/resource-quotas/#compute-resource-quota
 */
export function quotaOfUnsetResource(
  quota: ManifestObject,
  key: string,
  model: ManifestModel,
): SubjectFinding | undefined {
  const [field, resource] = COUNTED.get(key) ?? [];
  const namespace = quota.namespace ?? 'default';
  if (field === undefined || limitRangeDefaults(model)(namespace).has(resource!)) return undefined;
  const refused = model.workloads
    .filter((workload) => workload.namespace === namespace && workload.shape !== undefined)
    .flatMap((workload) => {
      const container = containerWithout(workload, field, resource!);
      return container === undefined ? [] : [{ workload, container }];
    });
  const [first] = refused;
  if (first === undefined) return undefined;
  const names = refused.slice(0, MOST_NAMES).map(({ workload }) => `${workload.kind} ${workload.name}`);
  const more = refused.length - names.length;
  const whose =
    refused.length === 1
      ? `container ${first.container} of ${names[0]} sets`
      : `containers of ${listText(more > 0 ? [...names, `${more} more`] : names)} set`;
  return {
    path: ['spec', 'hard', key],
    message: `counts ${field} of ${resource}, and ${whose} none: the API server refuses the pods, which Karpenter never sees`,
    remedy: `write ${field}.${resource} in each container of the namespace, or its default in a LimitRange`,
    evidence: { resource: `${field}.${resource}`, workloads: refused.map(({ workload }) => workload.name) },
    related: { object: first.workload.object, path: first.workload.podPath, label: `sets no ${field}.${resource}` },
  };
}

/** A limit that is set is the request of a container without one. */
function containerWithout(
  workload: WorkloadManifest,
  field: 'requests' | 'limits',
  resource: string,
): string | undefined {
  const pod = podSpecOf(workload);
  // Resources of a whole pod stand for those of its containers.
  if (pod?.resources !== undefined) return undefined;
  const container = recordsOf(pod?.containers).find(({ resources }) => {
    const { limits, requests } = asRecord(resources) ?? {};
    const amounts = [asRecord(limits)?.[resource], ...(field === 'requests' ? [asRecord(requests)?.[resource]] : [])];
    return !hasMisspeltField(resources) && amounts.every((amount) => amount === undefined || amount === null);
  });
  return container === undefined ? undefined : (stringOrUndefined(container.name) ?? 'without a name');
}
