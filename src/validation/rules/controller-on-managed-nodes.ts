import { keepsOffAllNodePools, keepsOffOwnNodes } from './private/controller-nodes';
import { FARGATE_UNKNOWN, isOnFargate } from './private/fargate';
import { fail, notEvaluated, pass } from './private/outcome';
import { Outcome, Rule, RuleContext } from './rule';
import { Controller, installed } from '../controller';

/** @see https://karpenter.sh/docs/faq/ */
export class ControllerOnManagedNodes implements Rule {
  public readonly id = 'KARP-901';
  public readonly name = 'controller-on-managed-nodes';
  public readonly severity = 'error';
  public readonly summary = 'Karpenter may run on nodes that it launches itself, or there are no others: once they are gone, nothing starts it again.';

  public check(context: RuleContext): Outcome[] {
    return installed(context.controllers).map((controller) => this.checkController(context, controller));
  }

  private checkController(context: RuleContext, controller: Controller): Outcome {
    const { aws } = context.model;
    if (controller.fromChart && !controller.complete) return notEvaluated(controller.object, 'its values are known only at deployment');
    const fargate = isOnFargate(aws, controller);
    if (fargate !== 'no') return fargate === 'yes' ? pass(controller.object) : notEvaluated(controller.object, FARGATE_UNKNOWN);
    if (!keepsOffOwnNodes(context, controller)) {
      return this.finding(controller, 'affinity', 'may be scheduled on nodes that it launches itself: after all of them are drained, nothing is left to start it',
        'give every term of its required node affinity karpenter.sh/nodepool DoesNotExist, as the chart does, or a label of the node group that it is to run on');
    }
    const [cluster] = aws.clusters;
    const elsewhere = aws.nodeGroups.length > 0 || aws.autoScalingGroups.length > 0;
    if (!cluster || elsewhere || (cluster.autoMode && !keepsOffAllNodePools(controller))) return pass(controller.object);
    if (aws.opaque.length > 0) return notEvaluated(controller.object, 'whether there are nodes for it is not in the templates');
    const auto = cluster.autoMode ? ', and its affinity refuses the nodes of EKS Auto Mode, which have the label karpenter.sh/nodepool' : '';
    return this.finding(controller, 'affinity', `has no node to run on: cluster ${cluster.name} has neither a node group nor a Fargate profile for ${controller.namespace}${auto}`,
      'add a managed node group of two small nodes, or a Fargate profile for its namespace');
  }

  private finding({ object, pathOf }: Controller, value: string, message: string, remedy: string): Outcome {
    return fail({ object, path: pathOf(value), message: `Karpenter ${message}`, remedy, evidence: {} });
  }
}
