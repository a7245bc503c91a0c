import { spotPoolsOf } from './interruption-queue';
import { countText, shortListText } from '../../../../model';
import { chartValue } from '../../../controller';
import { findUnresolved } from '../../../manifest/find-unresolved';
import { defineRule, unknown } from '../../define-rule';
import { controllers } from '../../subjects';
import { drainsSpotNodes } from '../node-termination-handler/handler-reach';

/** @see https://karpenter.sh/docs/concepts/disruption/#interruption */
export const spotWithoutInterruptionQueue = defineRule({
  id: 'KARP-501',
  name: 'spot-without-interruption-queue',
  severity: 'error',
  summary:
    'NodePools may launch spot, but neither Karpenter nor AWS Node Termination Handler receives interruption notices: pods are killed without a drain.',
  subjects: controllers({ where: (_, context) => spotPoolsOf(context).length > 0 }),
  judge(controller, context) {
    const spot = spotPoolsOf(context);
    const queue = chartValue(controller.values, 'settings', 'interruptionQueue');
    if (controller.fromChart && !controller.complete) return unknown('its values are known only at deployment');
    if (!controller.fromChart && findUnresolved(queue) !== undefined)
      return unknown('the name of its queue is set only in the cluster');
    if (typeof queue === 'string' && queue !== '') return undefined;
    const handlerDrains = drainsSpotNodes(context);
    if (handlerDrains === 'yes') return undefined;
    if (handlerDrains === 'unknown')
      return unknown('AWS Node Termination Handler may drain spot nodes: its settings are not in the input');
    return {
      path: controller.pathOf('settings', 'interruptionQueue'),
      message:
        `settings.interruptionQueue is not set, but ${countText(spot.length, 'NodePool')} may launch spot (${shortListText(spot)}): ` +
        "nothing reads EC2's two-minute notice, so pods are killed instead of drained",
      remedy:
        'create an SQS queue with the EventBridge rules for interruptions, and set settings.interruptionQueue to its name',
      evidence: { nodePools: spot },
    };
  },
});
