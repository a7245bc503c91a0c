import { avoidsAllNodePools, avoidsOwnNodes } from './controller-nodes';
import { Controller, installedControllers } from '../../controller';
import { FARGATE_UNKNOWN, isOnFargate } from '../common/fargate';
import { fail, notEvaluated, Outcome, pass, Rule, RuleContext } from '../rule';

/** @see https://karpenter.sh/docs/faq/ */
export const controllerOnManagedNodes: Rule = {
  id: 'KARP-901',
  name: 'controller-on-managed-nodes',
  severity: 'error',
  summary:
    'Karpenter may run on nodes that it launches itself, or has no other nodes to run on: if those nodes go away, nothing restarts it.',
  check(context: RuleContext): Outcome[] {
    return installedControllers(context.controllers).map((controller) => checkController(context, controller));
  },
};

function checkController(context: RuleContext, controller: Controller): Outcome {
  const { aws } = context.model;
  if (controller.fromChart && !controller.complete)
    return notEvaluated(controller.object, 'its values are known only at deployment');
  const fargate = isOnFargate(aws, controller);
  if (fargate !== 'no')
    return fargate === 'yes' ? pass(controller.object) : notEvaluated(controller.object, FARGATE_UNKNOWN);
  if (!avoidsOwnNodes(context, controller)) {
    return finding(
      controller,
      'affinity',
      'may be scheduled on nodes that it launches itself: if all of them are removed, nothing launches a node for it',
      'add karpenter.sh/nodepool DoesNotExist to every term of its required node affinity, as the chart does, or require a label of its node group',
    );
  }
  const [cluster] = aws.clusters;
  const hasNodeGroups = aws.nodeGroups.length > 0 || aws.autoScalingGroups.length > 0;
  if (!cluster || hasNodeGroups || (cluster.autoMode && !avoidsAllNodePools(controller)))
    return pass(controller.object);
  if (aws.opaque.length > 0)
    return notEvaluated(controller.object, 'the templates do not show whether there are nodes for it');
  const auto = cluster.autoMode
    ? ', and its affinity excludes the nodes of EKS Auto Mode, which have the label karpenter.sh/nodepool'
    : '';
  return finding(
    controller,
    'affinity',
    `has no node to run on: cluster ${cluster.name} has neither a node group nor a Fargate profile for namespace ${controller.namespace}${auto}`,
    'add a managed node group of two small nodes, or a Fargate profile for its namespace',
  );
}

function finding({ object, pathOf }: Controller, value: string, message: string, remedy: string): Outcome {
  return fail({ object, path: pathOf(value), message: `Karpenter ${message}`, remedy, evidence: {} });
}
