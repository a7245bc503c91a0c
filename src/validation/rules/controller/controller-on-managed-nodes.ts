import { defineRule, unknown, SubjectFinding } from '../define-rule';
import { installedKarpenter, whyValuesUnknown } from '../subjects';
import { avoidsAllNodePools, avoidsOwnNodes, SelectedPool, selectedOwnPool } from './controller-nodes';
import { Controller } from '../../controller';
import { FARGATE_UNKNOWN, isOnFargate } from '../common/fargate';

/** @see https://karpenter.sh/docs/faq/ */
export const controllerOnManagedNodes = defineRule({
  id: 'KARP-901',
  name: 'controller-on-managed-nodes',
  severity: 'error',
  summary:
    'Karpenter may run on nodes that it launches itself, or has no other nodes to run on: if those nodes go away, nothing restarts it.',
  subjects: installedKarpenter({ unknown: whyValuesUnknown }),
  judge(controller, context) {
    const { aws } = context.model;
    const fargate = isOnFargate(aws, controller);
    if (fargate !== 'no') return fargate === 'yes' ? undefined : unknown(FARGATE_UNKNOWN);
    if (!avoidsOwnNodes(context, controller)) {
      return finding(
        controller,
        'affinity',
        'may be scheduled on nodes that it launches itself: if all of them are removed, nothing launches a node for it',
        'add karpenter.sh/nodepool DoesNotExist to every term of its required node affinity, as the chart does, or require a label of its node group',
      );
    }
    const selected = selectedOwnPool(context, controller);
    if (selected !== undefined) return ofOwnPool(controller, selected);
    const [cluster] = aws.clusters;
    const hasNodeGroups = aws.nodeGroups.length > 0 || aws.autoScalingGroups.length > 0;
    if (!cluster || hasNodeGroups || (cluster.autoMode && !avoidsAllNodePools(controller))) return undefined;
    if (aws.opaque.length > 0) return unknown('the templates do not show whether there are nodes for it');
    const auto = cluster.autoMode
      ? ', and its affinity excludes the nodes of EKS Auto Mode, which have the label karpenter.sh/nodepool'
      : '';
    return finding(
      controller,
      'affinity',
      `has no node to run on: cluster ${cluster.name} has neither a node group nor a Fargate profile for namespace ${controller.namespace}${auto}`,
      'add a managed node group of two small nodes, or a Fargate profile for its namespace',
    );
  },
});

function ofOwnPool(
  { pathOf }: Controller,
  { pool: { object }, key, value, hasNodeGroups }: SelectedPool,
): SubjectFinding {
  const label = `${key}: ${value}`;
  return {
    path: pathOf('nodeSelector'),
    message: `Karpenter selects nodes with the label ${label}, which NodePool ${object.name} gives to the nodes that it launches, but its affinity excludes these nodes: without a node group with this label, Karpenter stays Pending and launches no node`,
    remedy: `remove ${label} from nodeSelector, or select a label of the node group that runs Karpenter`,
    // A node group elsewhere may have the label as well.
    severity: hasNodeGroups ? undefined : 'warning',
    evidence: { key, value, nodePool: object.name },
    related: { object, path: ['spec', 'template'], label: `gives its nodes the label ${label}` },
  };
}

function finding({ pathOf }: Controller, value: string, message: string, remedy: string): SubjectFinding {
  return { path: pathOf(value), message: `Karpenter ${message}`, remedy, evidence: {} };
}
