import { quotaOfUnsetResource } from './quota-of-unset-resources';
import { setField, unsafeFix } from '../../../contract';
import { formatAmount, listText, Quantity, QuantityError, resourceAmount } from '../../../model';
import { ManifestObject, WorkloadManifest } from '../../manifest/model';
import { defineRule, NOT_APPLICABLE, SubjectFinding } from '../define-rule';
import { RuleContext } from '../rule';
import { subjectsFrom } from '../subjects';

const BATCH: readonly string[] = ['Job', 'CronJob'];

/** @see https://kubernetes.io/docs/concepts/policy/resource-quotas/ */
export const quotaRefusesPods = defineRule({
  id: 'KARP-329',
  name: 'quota-refuses-pods',
  severity: 'error',
  summary:
    'The workloads of a namespace ask for more than its ResourceQuota allows, or do not set what it counts: pods are never created.',
  subjects: subjectsFrom<ObjectFacts>(({ model }) =>
    model.objects
      .filter(({ apiVersion, kind }) => apiVersion === 'v1' && kind === 'ResourceQuota')
      .map((object) => ({ object })),
  ),
  judge({ object }, context) {
    const { hard, scopes, scopeSelector } = object.raw?.spec ?? {};
    // A scope selects pods by their priority or lifetime.
    if (scopes !== undefined || scopeSelector !== undefined) return NOT_APPLICABLE;
    const asking = workloadsIn(object.namespace ?? 'default', context);
    return Object.entries(hard ?? {}).flatMap(([key, written]): SubjectFinding[] => {
      const finding = quotaOfUnsetResource(object, key, context.model) ?? exceeded(key, written, asking);
      return finding === undefined ? [] : [finding];
    });
  },
});

interface ObjectFacts {
  readonly object: ManifestObject;
}

/** Workloads whose pods run at the same time. Of Jobs, only the one that asks for most of a resource counts. */
function workloadsIn(namespace: string, { model }: RuleContext): readonly WorkloadManifest[] {
  return model.workloads.filter(
    (workload) => workload.namespace === namespace && workload.replicas > 0 && workload.shape !== undefined,
  );
}

function exceeded(key: string, written: unknown, asking: readonly WorkloadManifest[]): SubjectFinding | undefined {
  const resource = key === 'pods' || key === 'count/pods' ? 'pods' : key.replace(/^requests\./, '');
  if (key.startsWith('limits.') || (resource.includes('/') && resource === key)) return undefined;
  const most = amountOf(resource, written);
  if (most === undefined) return undefined;
  const asked = asking
    .map((workload) => ({ workload, amount: askedBy(workload, resource) }))
    .filter(({ amount }) => amount > 0n)
    .sort((a, b) => (a.amount === b.amount ? 0 : a.amount > b.amount ? -1 : 1));
  const largestBatch = asked.find(({ workload }) => BATCH.includes(workload.kind));
  const counted = asked.filter((item) => !BATCH.includes(item.workload.kind) || item === largestBatch);
  const sum = counted.reduce((total, { amount }) => total + amount, 0n);
  if (sum <= most) return undefined;
  const names = counted.map(({ workload }) => `${workload.kind} ${workload.name}`);
  const [askedText, mostText] = [textOf(resource, sum), textOf(resource, most)];
  const path = ['spec', 'hard', key];
  return {
    path,
    message:
      `allows ${resource === 'pods' ? `${mostText} pods` : `${resource} requests of ${mostText}`}, and ${listText(names.slice(0, 3))}` +
      `${names.length > 3 ? ` and ${names.length - 3} more` : ''} ${names.length === 1 ? 'asks' : 'ask'} for ${askedText}: ` +
      'the API server refuses the pods beyond it, which Karpenter never sees',
    remedy: `raise ${key} to ${askedText}, or lower the replicas or requests`,
    evidence: { resource, hard: mostText, requested: askedText, workloads: names },
    fix: unsafeFix(setField(path, askedText)),
    related: {
      object: counted[0].workload.object,
      path: counted[0].workload.podPath,
      label: `asks for ${textOf(resource, counted[0].amount)}`,
    },
  };
}

function askedBy({ shape, replicas }: WorkloadManifest, resource: string): bigint {
  return BigInt(replicas) * (resource === 'pods' ? 1n : (shape?.requests.get(resource) ?? 0n));
}

function textOf(resource: string, amount: bigint): string {
  return resource === 'pods' ? `${amount}` : formatAmount(resource, amount);
}

function amountOf(resource: string, written: unknown): bigint | undefined {
  if (typeof written !== 'string' && typeof written !== 'number') return undefined;
  try {
    const quantity = Quantity.parse(written);
    return resource === 'pods' ? quantity.nanos / 1_000_000_000n : resourceAmount(resource, quantity);
  } catch (error) {
    if (error instanceof QuantityError) return undefined;
    throw error;
  }
}
