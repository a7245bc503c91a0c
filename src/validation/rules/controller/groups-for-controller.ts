import { dirname } from 'path';
import { asRecord, FieldPath } from '../../../contract';
import { EksctlCluster, eksctlClusters } from '../../cluster/node-groups';
import { Controller, effectiveValues, installedControllers } from '../../controller';
import { findUnresolved } from '../../manifest/find-unresolved';
import { ManifestObject, WrittenNodeGroup } from '../../manifest/model';
import { isOnFargate } from '../common/fargate';
import { RelatedField, RuleContext } from '../rule';
import { KarpenterPods, podsOf } from './pods-of-controller';

/** A node group that the repository creates. */
export interface Group extends WrittenNodeGroup {
  /** The group in a ClusterConfig or in a template. */
  readonly field?: RelatedField;
}

/** Karpenter as a chart, a Deployment or eksctl installs it, with known constraints. */
export function podsInNodeGroups({ controllers, model }: RuleContext): KarpenterPods[] {
  if (model.cluster) return [];
  const installed = installedControllers(controllers).filter(
    (controller) => isKnown(controller) && isOnFargate(model.aws, controller) === 'no',
  );
  return [...installed, ...eksctlControllers({ controllers, model })].map(podsOf);
}

function isKnown({ values, complete }: Controller): boolean {
  return complete && findUnresolved([values.nodeSelector, values.affinity, values.tolerations]) === undefined;
}

/** Karpenter as the ClusterConfigs of the input install it, if nothing else does: the chart with its default values. */
export function eksctlControllers({ controllers, model }: Pick<RuleContext, 'controllers' | 'model'>): Controller[] {
  if (controllers.length > 0) return [];
  return eksctlClusters(model.objects)
    .filter(({ karpenterVersion }) => karpenterVersion !== undefined)
    .map(({ object, karpenterVersion: version }) => ({
      object,
      namespace: 'karpenter',
      podLabels: {},
      version,
      fromChart: true,
      values: effectiveValues({}),
      complete: true,
      pathOf: () => ['karpenter'],
    }));
}

/** All node groups that the repository creates; undefined if there may be other nodes. */
export function groupsOf({
  model: { aws, writtenAws, objects, nodeGroupsElsewhere = [] },
}: RuleContext): Group[] | undefined {
  const clusters = eksctlClusters(objects);
  const hasOtherNodes =
    clusters.some(({ isAutoMode, hasFargate }) => isAutoMode || hasFargate) ||
    aws.clusters.some(({ autoMode }) => autoMode) ||
    aws.fargateProfiles.length > 0 ||
    aws.autoScalingGroups.length > 0;
  if (hasOtherNodes) return undefined;
  // The node groups of Terraform files are read with those of modules.
  const ofTemplates = (aws === writtenAws ? [] : aws.nodeGroups).map(({ resource, labels, taints, minSize }) => ({
    name: resource.object.name,
    nodes: minSize,
    ...(findUnresolved(labels) === undefined ? { labels } : {}),
    ...(findUnresolved(taints) === undefined ? { taints } : {}),
    field: { object: resource.object, path: ['Properties', 'Labels'], label: '' },
  }));
  const own = clusters.flatMap(groupsOfEksctl);
  const isOwn = ({ name, place }: WrittenNodeGroup) => place === undefined && own.some((group) => group.name === name);
  return [...ofTemplates, ...own, ...nodeGroupsElsewhere.filter((group) => !isOwn(group))];
}

function groupsOfEksctl({ object, nodeGroups }: EksctlCluster): Group[] {
  return nodeGroups.map(({ name, path, labels, taints, nodes }) => ({
    name,
    nodes,
    ...(findUnresolved([labels, asRecord(fieldAt(object, path))?.labels]) === undefined ? { labels } : {}),
    ...(findUnresolved([taints, asRecord(fieldAt(object, path))?.taints]) === undefined ? { taints } : {}),
    field: { object, path, label: '' },
  }));
}

export function fieldAt({ raw }: ManifestObject, path: FieldPath): unknown {
  return path.reduce<any>((value, step) => value?.[step], raw);
}

/** Whether the group and Karpenter are in one folder of Terraform, or in one file. */
export function isBeside(object: ManifestObject, { place, field }: Group): boolean {
  if (field !== undefined) return true;
  return place !== undefined && dirname(place.path) === dirname(object.locate([]).file);
}

/** Where the group is written. */
export function placeOfGroup({ field, place, name }: Group, label: string): RelatedField | undefined {
  if (field) return { ...field, label };
  if (place === undefined) return undefined;
  const { path: file, line, column } = place;
  const locate = () => ({ file, line, column, path: '' });
  return { object: { apiVersion: 'terraform', kind: 'node group', name, raw: {}, locate }, path: [], label };
}
