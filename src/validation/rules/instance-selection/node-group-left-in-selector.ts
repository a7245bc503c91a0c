import { FieldEdit, FieldPath, removeField, setField, unsafeFix } from '../../../contract';
import { Label, shortListText, valueText } from '../../../model';
import { nodeGroupsOf } from '../../cluster/node-groups';
import { findUnresolved } from '../../manifest/find-unresolved';
import { ManifestModel, WorkloadManifest } from '../../manifest/model';
import { PlainRecord, recordsOf, stringMapOf } from '../../manifest/records';
import { podSpecOf } from '../common/pod-constraints';
import { defineRule, NOT_APPLICABLE, SubjectFinding } from '../define-rule';
import { workloads } from '../subjects';

/** Labels with the name of a node group, which Karpenter gives to no node. */
const GROUP_LABELS = ['eks.amazonaws.com/nodegroup', 'alpha.eksctl.io/nodegroup-name'];
/** The label of managed node groups for what Karpenter calls the capacity type. */
const CAPACITY_TYPE_LABEL = 'eks.amazonaws.com/capacityType';
const CAPACITY_TYPES: Readonly<Record<string, string>> = { SPOT: 'spot', ON_DEMAND: 'on-demand' };
const LABELS = [...GROUP_LABELS, CAPACITY_TYPE_LABEL];
/** Agents and controllers of the cluster are often meant for its node groups. */
const SYSTEM_NAMESPACES: readonly unknown[] = ['kube-system', 'karpenter'];
const TERMS: FieldPath = [
  'affinity',
  'nodeAffinity',
  'requiredDuringSchedulingIgnoredDuringExecution',
  'nodeSelectorTerms',
];

interface SelectedGroup {
  readonly label: string;
  readonly group: string;
  readonly path: FieldPath;
  readonly isExpression: boolean;
  /** What to remove, so that the rest of the constraint stays valid. */
  readonly removed: FieldPath;
}

/** @see https://karpenter.sh/docs/getting-started/migrating-from-cas/ */
export const nodeGroupLeftInSelector = defineRule({
  id: 'KARP-266',
  name: 'node-group-left-in-selector',
  severity: 'info',
  summary:
    'Pods select a managed node group by its name: Karpenter launches no node for them, and without the group they stay Pending.',
  subjects: workloads({
    where: (workload, { model }) =>
      model.nodePools.length > 0 && !model.cluster && selectedGroup(workload) !== undefined,
  }),
  judge(workload, { model }) {
    const selected = selectedGroup(workload)!;
    const { label, group, path } = selected;
    const known = [...nodeGroupsOf(model), ...(model.nodeGroupsElsewhere ?? [])].map(({ name }) => name);
    if (SYSTEM_NAMESPACES.includes(workload.object.namespace)) return NOT_APPLICABLE;
    if (label === CAPACITY_TYPE_LABEL) return known.length > 0 ? NOT_APPLICABLE : capacityTypeFinding(selected);
    // EKS may add a suffix to the name that is written.
    if (known.some((name) => name === '' || name.includes('$') || group.startsWith(name))) return NOT_APPLICABLE;
    const meant = meantPool(workload, model);
    const isMissing = known.length > 0;
    return {
      path,
      severity: isMissing || meant !== undefined ? 'warning' : 'info',
      message:
        `selects ${label}: ${group}, a label that Karpenter gives to no node` +
        (meant === undefined ? '' : `, although the pods are meant for NodePool ${meant.pool} by ${meant.by}`) +
        (isMissing
          ? `, and the input has no such node group (only ${shortListText([...new Set(known)].sort())}): the pods stay Pending`
          : ': without this node group the pods stay Pending'),
      remedy: `remove ${label} from the node selector if the pods may run on nodes of Karpenter`,
      evidence: { label, group, nodeGroups: [...new Set(known)].sort(), nodePool: meant?.pool ?? null },
      fix: unsafeFix(removeField(selected.removed)),
    };
  },
});

function capacityTypeFinding({ label, group, path, isExpression }: SelectedGroup): SubjectFinding {
  const value = Object.hasOwn(CAPACITY_TYPES, group) ? CAPACITY_TYPES[group] : undefined;
  const edits: FieldEdit[] = isExpression
    ? [setField([...path, 'key'], Label.CAPACITY_TYPE), setField([...path, 'values'], [value])]
    : [removeField(path), setField([...path.slice(0, -1), Label.CAPACITY_TYPE], value)];
  return {
    path,
    severity: 'warning',
    message: `selects ${label}: ${group}, a label of managed node groups that Karpenter gives to no node: without such a group the pods stay Pending`,
    remedy: `write ${Label.CAPACITY_TYPE}${value === undefined ? '' : `: ${value}`}, Karpenter's label for it`,
    evidence: { label, group, nodeGroups: [], nodePool: null },
    ...(value === undefined ? {} : { fix: unsafeFix(...edits) }),
  };
}

/** The NodePool that the pods select by another label, or whose taint they tolerate. */
function meantPool(
  workload: WorkloadManifest,
  { nodePools }: ManifestModel,
): { readonly pool: string; readonly by: string } | undefined {
  const pod = podSpecOf(workload);
  const selector = stringMapOf(pod?.nodeSelector);
  const tolerated = new Set(recordsOf(pod?.tolerations).map(({ key }) => key));
  for (const { object: pool } of nodePools) {
    const template = pool.raw.spec?.template;
    const own: Readonly<Record<string, string>> = {
      ...stringMapOf(template?.metadata?.labels),
      [Label.NODE_POOL]: pool.name,
    };
    const label = Object.keys(own).find((key) => selector[key] === own[key]);
    if (label !== undefined) return { pool: pool.name, by: `${label}: ${own[label]}` };
    const taint = recordsOf((template?.spec as PlainRecord | undefined)?.taints).find(({ key }) => tolerated.has(key));
    if (taint !== undefined) return { pool: pool.name, by: `their toleration of ${valueText(taint.key)}` };
  }
  return undefined;
}

/** Pods that several terms lead to other nodes may run there. */
function selectedGroup(workload: WorkloadManifest): SelectedGroup | undefined {
  const { podPath } = workload;
  const pod = podSpecOf(workload);
  const selector = stringMapOf(pod?.nodeSelector);
  const label = LABELS.find((key) => Object.hasOwn(selector, key));
  if (label !== undefined) {
    const path = [...podPath, 'nodeSelector', label];
    return unlessUnresolved({ label, group: selector[label], path, removed: path, isExpression: false });
  }
  const terms = TERMS.reduce<unknown>((value, step) => (value as PlainRecord | undefined)?.[step], pod);
  const [only, ...others] = recordsOf(terms);
  if (only === undefined || others.length > 0) return undefined;
  const expressions = recordsOf(only.matchExpressions);
  const index = expressions.findIndex(({ key, operator }) => operator === 'In' && LABELS.includes(valueText(key)));
  const values: unknown = expressions[index]?.values;
  if (!Array.isArray(values) || values.length !== 1 || typeof values[0] !== 'string') return undefined;
  const path = [...podPath, ...TERMS, 0, 'matchExpressions', index];
  // A term without expressions selects no node.
  const removed = expressions.length > 1 || only.matchFields !== undefined ? path : [...podPath, ...TERMS.slice(0, -1)];
  return unlessUnresolved({
    label: valueText(expressions[index].key),
    group: values[0],
    path,
    removed,
    isExpression: true,
  });
}

function unlessUnresolved(selected: SelectedGroup): SelectedGroup | undefined {
  return findUnresolved(selected.group) === undefined ? selected : undefined;
}
