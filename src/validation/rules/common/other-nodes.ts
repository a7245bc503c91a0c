import { blockingTaint, requirementAlternatives, targetsNonKarpenterNodes } from './pod-constraints';
import { Requirements, WELL_KNOWN_LABELS } from '../../../model';
import { NodeGroupFacts, nodeGroupsOf } from '../../cluster/node-groups';
import { ManifestModel, WorkloadManifest } from '../../manifest/model';

/** Whether the pods are for nodes that Karpenter does not launch: by their constraints, or by a node group's labels. */
export function targetsOtherNodes(model: ManifestModel, workload: WorkloadManifest): boolean {
  return targetsNonKarpenterNodes(workload) || nodeGroupsOf(model).some((group) => selectsNodeGroup(workload, group));
}

/** Whether the pods tolerate the taints of a node group, and require only labels that it sets, at least one of them. */
function selectsNodeGroup({ shape }: WorkloadManifest, { labels, taints }: NodeGroupFacts): boolean {
  if (!shape || blockingTaint(shape, taints) !== undefined) return false;
  const known = Requirements.fromLabels(labels);
  return requirementAlternatives(shape).some((specs) => {
    const custom = specs.filter(({ key }) => !WELL_KNOWN_LABELS.has(key));
    return (
      custom.some(({ key }) => Object.hasOwn(labels, key)) &&
      known.compatible(Requirements.from(custom), WELL_KNOWN_LABELS) === undefined
    );
  });
}
