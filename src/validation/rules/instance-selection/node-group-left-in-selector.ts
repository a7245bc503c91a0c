import { removeField, unsafeFix } from '../../../contract';
import { shortListText } from '../../../model';
import { nodeGroupsOf } from '../../cluster/node-groups';
import { findUnresolved } from '../../manifest/find-unresolved';
import { WorkloadManifest } from '../../manifest/model';
import { stringMapOf } from '../../manifest/records';
import { defineRule, NOT_APPLICABLE } from '../define-rule';
import { workloads } from '../subjects';

/** Labels with the name of a node group, which Karpenter gives to no node. */
const GROUP_LABELS = ['eks.amazonaws.com/nodegroup', 'alpha.eksctl.io/nodegroup-name'];
/** Agents and controllers of the cluster are often meant for its node groups. */
const SYSTEM_NAMESPACES: readonly unknown[] = ['kube-system', 'karpenter'];

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
    const { object } = workload;
    const { label, group, path } = selectedGroup(workload)!;
    const known = [...nodeGroupsOf(model), ...(model.nodeGroupsElsewhere ?? [])].map(({ name }) => name);
    if (known.includes(group) || SYSTEM_NAMESPACES.includes(object.namespace)) return NOT_APPLICABLE;
    // EKS may add a suffix to the name that is written.
    if (known.some((name) => name === '' || name.includes('$') || group.startsWith(name))) return NOT_APPLICABLE;
    const isMissing = known.length > 0;
    return {
      path,
      severity: isMissing ? 'warning' : 'info',
      message:
        `selects ${label}: ${group}, a label that Karpenter gives to no node` +
        (isMissing
          ? `, and the input has no such node group (only ${shortListText([...new Set(known)].sort())}): the pods stay Pending`
          : ': without this node group the pods stay Pending'),
      remedy: `remove ${label} from the node selector if the pods may run on nodes of Karpenter`,
      evidence: { label, group, nodeGroups: [...new Set(known)].sort() },
      fix: unsafeFix(removeField(path)),
    };
  },
});

function selectedGroup({ object }: WorkloadManifest) {
  const prefix = object.kind === 'Pod' ? ['spec'] : ['spec', 'template', 'spec'];
  const pod = object.kind === 'Pod' ? object.raw.spec : object.raw.spec?.template?.spec;
  const selector = stringMapOf(pod?.nodeSelector);
  const label = GROUP_LABELS.find((key) => Object.hasOwn(selector, key));
  if (label === undefined || findUnresolved(selector[label]) !== undefined) return undefined;
  return { label, group: selector[label], path: [...prefix, 'nodeSelector', label] };
}
