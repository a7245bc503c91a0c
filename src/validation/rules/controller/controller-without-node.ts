import { fieldAt, Group, groupsOf, isBeside, placeOfGroup, podsInNodeGroups } from './groups-for-controller';
import { KarpenterPods, NO_LABEL, whyNot, WhyNot } from './pods-of-controller';
import { asRecord, setField, unsafeFix } from '../../../contract';
import { formatTaint } from '../../../model';
import { defineRule, NOT_APPLICABLE, SubjectFinding } from '../define-rule';
import { RelatedField, RuleContext } from '../rule';
import { subjectsFrom } from '../subjects';

/** @see https://karpenter.sh/docs/getting-started/getting-started-with-karpenter/ */
export const controllerWithoutNode = defineRule({
  id: 'KARP-920',
  name: 'controller-without-node',
  readsTerraform: true,
  severity: 'error',
  summary:
    "No node group takes Karpenter's own pods, because of its labels or taints: Karpenter never starts, and launches nothing.",
  subjects: subjectsFrom<KarpenterPods>(podsInNodeGroups),
  judge(pods, context) {
    const groups = groupsOf(context);
    if (groups === undefined || groups.length === 0) return NOT_APPLICABLE;
    const refusals = groups.map((group) => ({ group, why: whyNot(pods, group) }));
    if (refusals.some(({ why }) => why === undefined)) return undefined;
    const near = refusals.filter(({ group, why }) => why?.isNear || isBeside(pods.object, group));
    return near.length === 0 ? NOT_APPLICABLE : finding(pods, near[0] as Refusal, groups, poolNames(context));
  },
});

interface Refusal {
  readonly group: Group;
  readonly why: WhyNot;
}

function poolNames({ model }: RuleContext): string[] {
  return model.nodePools.map(({ object }) => object.name);
}

function finding(
  pods: KarpenterPods,
  { group, why }: Refusal,
  groups: readonly Group[],
  stuckPools: readonly string[],
): SubjectFinding {
  const others = groups.length - 1;
  const rest =
    others === 0 ? '' : `, nor ${others === 1 ? 'does the other group' : `do the ${others} other groups`} take them`;
  const name = group.name === '' ? 'the node group' : `node group ${group.name}`;
  const isByEksctl = pods.object === group.field?.object;
  const end = `${rest}: they stay Pending, and nothing launches a node`;
  const place = placeOf(group, why);
  const own = { path: pods.pathOf(why.taint ? 'tolerations' : 'nodeSelector') };
  return {
    ...(isByEksctl && place ? { path: place.path } : own),
    message: why.taint
      ? `Karpenter's pods do not tolerate the taint ${formatTaint(why.taint)} of ${name}${end}`
      : `Karpenter's pods require the label ${why.wanted}, but ${name} has ${why.found}${end}`,
    remedy: why.taint
      ? `write CriticalAddonsOnly as key of the taint, which Karpenter and CoreDNS tolerate, or remove it${isByEksctl ? '' : `, or add a toleration of ${why.taint.key} to the values of Karpenter`}`
      : `write the same label in ${name} and in the constraints of Karpenter`,
    evidence: {
      nodeGroups: groups.map((one) => one.name),
      ...(why.taint ? { taint: formatTaint(why.taint) } : { wanted: why.wanted, found: why.found }),
      consequence: 'never-starts',
      stuckPools,
    },
    ...(isByEksctl
      ? {
          related: {
            object: pods.object,
            path: ['karpenter'],
            label: 'installs Karpenter, which tolerates only CriticalAddonsOnly',
          },
        }
      : { related: place }),
    ...fixOf(group, why, isByEksctl),
  };
}

/** An edit of the taint in a ClusterConfig. Where Terraform writes it is not known. */
function fixOf(group: Group, { taint }: WhyNot, isOwn: boolean): Partial<SubjectFinding> {
  const { field } = group;
  if (taint === undefined || field === undefined || !hasTaintList(field)) return {};
  const index = (group.taints ?? []).indexOf(taint);
  const fix = unsafeFix(setField([...field.path, 'taints', index, 'key'], 'CriticalAddonsOnly'));
  return isOwn ? { fix } : { also: [{ object: field.object, fix }] };
}

function placeOf(group: Group, { taint, taintIndex, found, wanted }: WhyNot): RelatedField | undefined {
  const label = taint
    ? `has the taint ${formatTaint(taint)}`
    : `has ${found}${found === NO_LABEL ? '' : `, not ${wanted}`}`;
  const { field } = group;
  const isInList = taint !== undefined && field !== undefined && hasTaintList(field);
  return isInList ? { ...field, path: [...field.path, 'taints', taintIndex ?? 0], label } : placeOfGroup(group, label);
}

/** eksctl also accepts a mapping of taints. Templates have other names of fields. */
function hasTaintList({ object, path }: RelatedField): boolean {
  return object.kind === 'ClusterConfig' && Array.isArray(asRecord(fieldAt(object, path))?.taints);
}
