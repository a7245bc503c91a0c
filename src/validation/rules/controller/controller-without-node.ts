import { dirname } from 'path';
import { KarpenterPods, podsOf, whyNot, WhyNot } from './pods-of-controller';
import { asRecord, FieldPath, setField, unsafeFix } from '../../../contract';
import { formatTaint } from '../../../model';
import { EksctlCluster, eksctlClusters } from '../../cluster/node-groups';
import { Controller, installedControllers } from '../../controller';
import { findUnresolved } from '../../manifest/find-unresolved';
import { ManifestObject, WrittenNodeGroup } from '../../manifest/model';
import { isOnFargate } from '../common/fargate';
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
    return near.length === 0 ? NOT_APPLICABLE : finding(pods, near[0] as Refusal, groups);
  },
});

interface Group extends WrittenNodeGroup {
  /** The group in a ClusterConfig or in a template. */
  readonly field?: RelatedField;
}

interface Refusal {
  readonly group: Group;
  readonly why: WhyNot;
}

/** Karpenter as a chart, a Deployment or eksctl installs it, with known constraints. */
function podsInNodeGroups({ controllers, model }: RuleContext): KarpenterPods[] {
  if (model.cluster) return [];
  const installed = installedControllers(controllers).filter(
    (controller) => isKnown(controller) && isOnFargate(model.aws, controller) === 'no',
  );
  const byEksctl =
    controllers.length > 0 ? [] : eksctlClusters(model.objects).filter(({ karpenterVersion }) => karpenterVersion);
  return [...installed.map(podsOf), ...byEksctl.map(({ object }) => podsOf(eksctlController(object)))];
}

function isKnown({ values, complete }: Controller): boolean {
  return complete && findUnresolved([values.nodeSelector, values.affinity, values.tolerations]) === undefined;
}

/** eksctl installs the chart with the default constraints. */
function eksctlController(object: ManifestObject): Pick<Controller, 'object' | 'values' | 'pathOf'> {
  return { object, values: {}, pathOf: () => ['karpenter'] };
}

/** All node groups that the repository creates; undefined if there may be other nodes. */
function groupsOf({ model: { aws, writtenAws, objects, nodeGroupsElsewhere = [] } }: RuleContext): Group[] | undefined {
  const clusters = eksctlClusters(objects);
  const hasOtherNodes =
    clusters.some(({ isAutoMode, hasFargate }) => isAutoMode || hasFargate) ||
    aws.clusters.some(({ autoMode }) => autoMode) ||
    aws.fargateProfiles.length > 0 ||
    aws.autoScalingGroups.length > 0;
  if (hasOtherNodes) return undefined;
  // The node groups of Terraform files are read with those of modules.
  const ofTemplates = (aws === writtenAws ? [] : aws.nodeGroups).map(({ resource, labels, taints }) => ({
    name: resource.object.name,
    ...(findUnresolved(labels) === undefined ? { labels } : {}),
    ...(findUnresolved(taints) === undefined ? { taints } : {}),
    field: { object: resource.object, path: ['Properties', 'Labels'], label: '' },
  }));
  const own = clusters.flatMap(groupsOfEksctl);
  const isOwn = ({ name, place }: WrittenNodeGroup) => place === undefined && own.some((group) => group.name === name);
  return [...ofTemplates, ...own, ...nodeGroupsElsewhere.filter((group) => !isOwn(group))];
}

function groupsOfEksctl({ object, nodeGroups }: EksctlCluster): Group[] {
  return nodeGroups.map(({ name, path, labels, taints }) => ({
    name,
    ...(findUnresolved([labels, asRecord(at(object, path))?.labels]) === undefined ? { labels } : {}),
    ...(findUnresolved([taints, asRecord(at(object, path))?.taints]) === undefined ? { taints } : {}),
    field: { object, path, label: '' },
  }));
}

/** Whether the group and Karpenter are in one folder of Terraform, or in one file. */
function isBeside(object: ManifestObject, { place, field }: Group): boolean {
  if (field !== undefined) return true;
  return place !== undefined && dirname(place.path) === dirname(object.locate([]).file);
}

function finding(pods: KarpenterPods, { group, why }: Refusal, groups: readonly Group[]): SubjectFinding {
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

function placeOf(
  { field, place, name }: Group,
  { taint, taintIndex, found, wanted }: WhyNot,
): RelatedField | undefined {
  const label = taint ? `has the taint ${formatTaint(taint)}` : `has ${found}, not ${wanted}`;
  if (field)
    return {
      ...field,
      path: taint && hasTaintList(field) ? [...field.path, 'taints', taintIndex ?? 0] : field.path,
      label,
    };
  if (place === undefined) return undefined;
  const { path: file, line, column } = place;
  const locate = () => ({ file, line, column, path: '' });
  return { object: { apiVersion: 'terraform', kind: 'node group', name, raw: {}, locate }, path: [], label };
}

/** eksctl also accepts a mapping of taints. Templates have other names of fields. */
function hasTaintList({ object, path }: RelatedField): boolean {
  return object.kind === 'ClusterConfig' && Array.isArray(asRecord(at(object, path))?.taints);
}

function at({ raw }: ManifestObject, path: FieldPath): unknown {
  return path.reduce<any>((value, step) => value?.[step], raw);
}
