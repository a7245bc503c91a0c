import { valueAt } from '../../../controller';
import { findUnresolved } from '../../common/unresolved';
import { count, someNames } from '../../common/wording';
import { fail, notEvaluated, Outcome, pass, Rule, RuleContext } from '../../rule';
import { drainsSpotNodes } from '../node-termination-handler/handler-reach';

/** @see https://karpenter.sh/docs/concepts/disruption/#interruption */
export const spotWithoutInterruptionQueue: Rule = {
  id: 'KARP-501',
  name: 'spot-without-interruption-queue',
  severity: 'error',
  summary:
    'NodePools may launch spot, but neither Karpenter nor AWS Node Termination Handler receives interruption notices: pods are killed without a drain.',
  check(context: RuleContext): Outcome[] {
    const { plan, controllers } = context;
    const spot = plan.pools
      .filter(({ capacityTypes }) => capacityTypes.includes('spot'))
      .map(({ name }) => name)
      .sort();
    if (spot.length === 0) return [];
    return controllers.map((controller) => {
      const queue = valueAt(controller.values, 'settings', 'interruptionQueue');
      if (controller.fromChart && !controller.complete)
        return notEvaluated(controller.object, 'its values are known only at deployment');
      if (!controller.fromChart && findUnresolved(queue) !== undefined)
        return notEvaluated(controller.object, 'the name of its queue is set only in the cluster');
      if (typeof queue === 'string' && queue !== '') return pass(controller.object);
      const handlerDrains = drainsSpotNodes(context);
      if (handlerDrains === 'yes') return pass(controller.object);
      if (handlerDrains === 'unknown')
        return notEvaluated(
          controller.object,
          'AWS Node Termination Handler may drain spot nodes: its settings are not in the input',
        );
      return fail({
        object: controller.object,
        path: controller.pathOf('settings', 'interruptionQueue'),
        message:
          `settings.interruptionQueue is not set, but ${count(spot.length, 'NodePool')} may launch spot (${someNames(spot)}): ` +
          "nothing reads EC2's two-minute notice, so pods are killed instead of drained",
        remedy:
          'create an SQS queue with the EventBridge rules for interruptions, and set settings.interruptionQueue to its name',
        evidence: { nodePools: spot },
      });
    });
  },
};
