import { needsNodeEach } from './private/controller-nodes';
import { FARGATE_UNKNOWN, isOnFargate } from './private/fargate';
import { fail, notEvaluated, pass } from './private/outcome';
import { count } from './private/wording';
import { Outcome, Rule, RuleContext } from './rule';
import { Controller, installed } from '../controller';

/** @see https://karpenter.sh/docs/troubleshooting/#installation */
export class ControllerCannotBeHa implements Rule {
  public readonly id = 'KARP-902';
  public readonly name = 'controller-cannot-be-ha';
  public readonly severity = 'error';
  public readonly summary = 'There are fewer nodes for Karpenter than it has replicas, each on a node of its own; or it has one replica, and nothing scales while that moves.';

  public check(context: RuleContext): Outcome[] {
    return installed(context.controllers).map((controller) => this.checkController(context, controller));
  }

  private checkController({ model: { aws } }: RuleContext, controller: Controller): Outcome {
    const { object } = controller;
    const { replicas } = controller.values;
    if ((controller.fromChart && !controller.complete) || typeof replicas !== 'number') return notEvaluated(object, 'its number of replicas is known only at deployment');
    if (replicas < 2) {
      return this.finding(controller, `has ${count(replicas, 'replica')}: nothing scales while it moves to another node`, 'write replicas: 2', { replicas }, 'warning');
    }
    const isCounted = aws.nodeGroups.length > 0 && aws.autoScalingGroups.length === 0 && aws.clusters.length > 0;
    if (!needsNodeEach(controller) || !isCounted) return pass(object);
    const fargate = isOnFargate(aws, controller);
    if (fargate !== 'no') return fargate === 'yes' ? pass(object) : notEvaluated(object, FARGATE_UNKNOWN);
    const sizes = aws.nodeGroups.map(({ minSize }) => minSize);
    if (sizes.some((size) => size === undefined)) return notEvaluated(object, 'the size of a node group is known only at deployment');
    const nodes = sizes.reduce<number>((sum, size) => sum + size!, 0);
    if (nodes >= replicas) return pass(object);
    return this.finding(controller, `has ${replicas} replicas, each on a node of its own, and the node groups have ${count(nodes, 'node')} at least: `
      + `${count(replicas - nodes, 'replica')} may stay Pending`, `give the node groups ${replicas} nodes at least, in two zones`, { replicas, nodes });
  }

  private finding(
    { object, pathOf }: Controller, message: string, remedy: string, evidence: Readonly<Record<string, unknown>>, severity?: 'warning',
  ): Outcome {
    return fail({ object, path: pathOf('replicas'), message: `Karpenter ${message}`, remedy, evidence, severity });
  }
}
