import { FieldEdit, setField, unsafeFix } from '../../../contract';
import { listText, shortListText, valueText } from '../../../model';
import { ManifestModel, WorkloadManifest } from '../../manifest/model';
import { recordsOf, stringMapOf } from '../../manifest/records';
import { podSpecOf } from '../common/pod-constraints';
import { Pool, poolsOf } from '../common/pool';
import { defineRule, NOT_APPLICABLE } from '../define-rule';
import { RuleContext } from '../rule';
import { workloads } from '../subjects';

/** A taint whose value says for whom the nodes of a NodePool are. */
interface Tenant {
  readonly key: string;
  readonly value: string;
  readonly pool: Pool;
}

/** @see https://karpenter.sh/docs/concepts/nodepools/#spectemplatespectaints */
export const tolerationOfAllTenants = defineRule<WorkloadManifest>({
  id: 'KARP-269',
  name: 'toleration-of-all-tenants',
  severity: 'warning',
  summary: 'Pods of one tenant tolerate the taints of all tenants, so that they may run on the nodes of another one.',
  subjects: workloads({ where: ({ kind, shape }) => kind !== 'DaemonSet' && shape !== undefined }),
  judge(workload, context) {
    const tolerations = recordsOf(podSpecOf(workload)?.tolerations);
    const index = tolerations.findIndex(({ key, operator }) => typeof key === 'string' && operator === 'Exists');
    const key = tolerations[index]?.key;
    const tenants = tenantsOf(context).filter((tenant) => tenant.key === key);
    const values = [...new Set(tenants.map(({ value }) => value))];
    if (values.length < 2 || selectsTenant(workload, tenants)) return NOT_APPLICABLE;
    const own = tenants.filter((tenant) => isNamespaceOf(workload.namespace, tenant));
    const others = tenants.filter((tenant) => !own.includes(tenant) && hasOtherUsers(context.model, workload, tenant));
    if (new Set(own.map(({ value }) => value)).size !== 1 || others.length === 0) return NOT_APPLICABLE;
    const [{ value, pool }] = own;
    const path = [...workload.podPath, 'tolerations', index];
    const hasLabel = pool.spec?.labels[valueText(key)] === value;
    const edits: FieldEdit[] = [
      setField([...path, 'operator'], 'Equal'),
      setField([...path, 'value'], value),
      ...(hasLabel ? [setField([...workload.podPath, 'nodeSelector', valueText(key)], value)] : []),
    ];
    return {
      path,
      message:
        `tolerates every value of ${key}, and namespace ${workload.namespace} has NodePool ${pool.name} (${key}: ${value}): ` +
        `its pods may also run on nodes of NodePool ${listText([...new Set(others.map((other) => other.pool.name))], 'or')}, ` +
        `which are kept for ${shortListText(
          others.map((other) => `${other.key}: ${other.value}`),
          3,
        )}`,
      remedy: `write operator: Equal and value: ${value}${hasLabel ? `, and nodeSelector ${key}: ${value}` : ''}`,
      evidence: { key, value, others: others.map((other) => other.value) },
      fix: unsafeFix(...edits),
      related: {
        object: others[0].pool.object,
        path: ['spec', 'template', 'spec', 'taints'],
        label: 'the taint of the other nodes',
      },
    };
  },
});

function tenantsOf(context: RuleContext): Tenant[] {
  return poolsOf(context).flatMap((pool) =>
    (pool.spec?.taints ?? []).flatMap(({ key, value, effect }): Tenant[] =>
      value === undefined || value === '' || effect === 'PreferNoSchedule' ? [] : [{ key, value, pool }],
    ),
  );
}

/** Whether the pods choose the nodes of some tenants, by any label that differs between the NodePools. */
function selectsTenant({ shape }: WorkloadManifest, tenants: readonly Tenant[]): boolean {
  const { nodeSelector, requiredNodeAffinity } = shape!;
  const keys = new Set([
    ...Object.keys(nodeSelector),
    ...requiredNodeAffinity.flatMap(({ matchExpressions }) => matchExpressions.map((expression) => expression.key)),
  ]);
  const labels = [
    ...tenants.flatMap(({ key, pool }) => [key, ...Object.keys(pool.spec?.labels ?? {})]),
    'karpenter.sh/nodepool',
  ];
  return labels.some((label) => keys.has(label));
}

/** Whether the name of the namespace is that of the NodePool, or has the value of the taint. */
function isNamespaceOf(namespace: string, { value, pool: { name } }: Tenant): boolean {
  return (
    namespace === name || namespace === value || namespace.endsWith(`-${value}`) || namespace.startsWith(`${value}-`)
  );
}

/** Whether workloads of other namespaces are led to the nodes by the value of the taint. */
function hasOtherUsers(
  { workloads: all }: ManifestModel,
  { namespace }: WorkloadManifest,
  { key, value }: Tenant,
): boolean {
  return all.some((other) => {
    if (other.namespace === namespace) return false;
    const pod = podSpecOf(other);
    return (
      stringMapOf(pod?.nodeSelector)[key] === value ||
      recordsOf(pod?.tolerations).some((toleration) => toleration.key === key && toleration.value === value)
    );
  });
}
