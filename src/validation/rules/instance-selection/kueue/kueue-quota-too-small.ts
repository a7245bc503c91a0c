import { clusterQueueOf, KueueWorkload, queuedWorkloads } from './kueue-queues';
import { FieldPath, setField, unsafeFix } from '../../../../contract';
import { amountsText, formatAmount, Quantity, resourceAmount } from '../../../../model';
import { findUnresolved } from '../../../manifest/find-unresolved';
import { ManifestObject } from '../../../manifest/model';
import { recordsOf, stringOrUndefined, stringsOf } from '../../../manifest/records';
import { defineRule, Judgement, SubjectFinding, unknown } from '../../define-rule';
import { subjectsWith } from '../../subjects';

/** Resources that Kueue counts in any configuration that people use. */
const COUNTED = /^(cpu|memory|[^/]+\/.+)$/;
const CONSEQUENCE = 'Kueue never admits it, and Karpenter launches no node for its pods';

interface Quota {
  readonly path: FieldPath;
  readonly amount: bigint;
}

interface QueueUse {
  readonly queue: ManifestObject;
  readonly workloads: readonly KueueWorkload[];
}

/**
 * A queue without a cohort, from which it could borrow.
 *
 * @see https://kueue.sigs.k8s.io/docs/concepts/cluster_queue/#flavors-and-resources
 */
export const kueueQuotaTooSmall = defineRule<QueueUse>({
  id: 'KARP-275',
  name: 'kueue-quota-too-small',
  severity: 'error',
  summary: 'A workload requests more than the whole quota of its ClusterQueue, or a resource without a quota.',
  subjects: subjectsWith<QueueUse>(
    ({ queue }) => queue,
    ({ model }) => {
      const byQueue = new Map<ManifestObject, KueueWorkload[]>();
      for (const workload of queuedWorkloads(model)) {
        const queue = clusterQueueOf(model, workload);
        if (queue !== undefined) byQueue.set(queue, [...(byQueue.get(queue) ?? []), workload]);
      }
      return [...byQueue].map(([queue, workloads]) => ({ queue, workloads }));
    },
    {
      where: ({ queue: { raw } }) =>
        raw.spec?.cohort === undefined &&
        raw.spec?.cohortName === undefined &&
        recordsOf(raw.spec?.resourceGroups).length > 0,
    },
  ),
  judge({ queue, workloads }): Judgement {
    if (findUnresolved(queue.raw.spec?.resourceGroups) !== undefined)
      return unknown('its quotas are known only at deployment');
    const resources = new Set(
      workloads.flatMap(({ podSets }) => podSets.flatMap(({ requests }) => [...requests.keys()])),
    );
    return [...resources]
      .filter((resource) => COUNTED.test(resource))
      .flatMap((resource) => judgeResource(queue, resource, workloads));
  },
});

function judgeResource(queue: ManifestObject, resource: string, workloads: readonly KueueWorkload[]): SubjectFinding[] {
  const totals = workloads.map((workload) => ({ workload, total: totalOf(workload, resource) }));
  const [{ workload, total }] = totals.sort((a, b) => Number(b.total - a.total));
  if (total === 0n) return [];
  const quotas = quotasOf(queue, resource);
  const text = (amount: bigint) => amountsText([resource], new Map([[resource, amount]]));
  const evidence = { resource, workload: workload.name, requested: formatAmount(resource, total) };
  if (quotas === undefined)
    return [
      {
        path: ['spec', 'resourceGroups', 0, 'coveredResources'],
        message: `has no quota for ${resource}, and ${workload.name} requests ${text(total)}: ${CONSEQUENCE}`,
        remedy: `add ${resource} to coveredResources, with a nominalQuota in each flavor`,
        evidence: { ...evidence, quota: null },
      },
    ];
  const all = quotas.reduce((sum, { amount }) => sum + amount, 0n);
  if (quotas.length === 0 || total <= all) return [];
  const largest = quotas.reduce((most, quota) => (quota.amount > most.amount ? quota : most));
  const needed = formatAmount(resource, total - all + largest.amount);
  return [
    {
      path: largest.path,
      message: `has a quota of ${text(all)}, and ${workload.name} requests ${text(total)} at once: ${CONSEQUENCE}`,
      remedy: `write nominalQuota: ${needed} or more for ${resource}, or let the workload request less`,
      evidence: { ...evidence, quota: formatAmount(resource, all) },
      fix: unsafeFix(setField(largest.path, /^\d+$/.test(needed) ? Number(needed) : needed)),
    },
  ];
}

function totalOf({ podSets }: KueueWorkload, resource: string): bigint {
  return podSets.reduce((sum, { count, requests }) => sum + (requests.get(resource) ?? 0n) * BigInt(count), 0n);
}

/**
 * The quotas of the flavors for the resource; none if one is not written. Undefined if no group covers the resource.
 */
function quotasOf({ raw }: ManifestObject, resource: string): Quota[] | undefined {
  const groups = recordsOf(raw.spec?.resourceGroups);
  const index = groups.findIndex(({ coveredResources }) => stringsOf(coveredResources).includes(resource));
  if (index < 0) return undefined;
  const quotas = recordsOf(groups[index].flavors).map((flavor, position) => {
    const entries = recordsOf(flavor.resources);
    const entry = entries.findIndex(({ name }) => stringOrUndefined(name) === resource);
    const quantity = Quantity.tryParse(entries[entry]?.nominalQuota);
    const path = ['spec', 'resourceGroups', index, 'flavors', position, 'resources', entry, 'nominalQuota'];
    return quantity && { path, amount: resourceAmount(resource, quantity) };
  });
  return quotas.some((quota) => quota === undefined) ? [] : quotas.map((quota) => quota!);
}
