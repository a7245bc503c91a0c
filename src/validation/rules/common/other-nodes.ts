import { blockingTaint, requirementAlternatives, targetsNonKarpenterNodes } from './pod-constraints';
import { Requirements, WELL_KNOWN_LABELS } from '../../../model';
import { nodeGroupsOf } from '../../cluster/node-groups';
import { ManifestModel, WorkloadManifest } from '../../manifest/model';

/** Whether the pods are for nodes that Karpenter does not launch: by their constraints, or by labels of a node group. */
export function targetsOtherNodes(model: ManifestModel, workload: WorkloadManifest): boolean {
  return targetsNonKarpenterNodes(workload) || selectsNodeGroup(model, workload);
}

/** Whether a node group has all labels that the pods require, at least one of them its own, and taints that they tolerate. */
function selectsNodeGroup(model: ManifestModel, { shape }: WorkloadManifest): boolean {
  if (!shape) return false;
  return nodeGroupsOf(model).some(({ labels, taints }) => blockingTaint(shape, taints) === undefined && requirementAlternatives(shape).some((specs) => {
    const own = specs.filter(({ key }) => !WELL_KNOWN_LABELS.has(key));
    return own.some(({ key }) => Object.hasOwn(labels, key)) && Requirements.fromLabels(labels).compatible(Requirements.from(own), WELL_KNOWN_LABELS) === undefined;
  }));
}
