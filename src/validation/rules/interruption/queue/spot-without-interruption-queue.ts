import { soleQueueOfEvents, spotPoolsOf } from './interruption-queue';
import { countText, shortListText } from '../../../../model';
import { Controller, chartValue } from '../../../controller';
import { findUnresolved } from '../../../manifest/find-unresolved';
import { ManifestModel } from '../../../manifest/model';
import { chartValueFix } from '../../common/edits/chart-value-fix';
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
    const known = knownQueue(controller, context.model);
    return {
      path: controller.pathOf('settings', 'interruptionQueue'),
      message:
        `settings.interruptionQueue is not set, but ${countText(spot.length, 'NodePool')} may launch spot (${shortListText(spot)}): ` +
        "nothing reads EC2's two-minute notice, so pods are killed instead of drained",
      remedy:
        known === undefined
          ? 'create an SQS queue with the EventBridge rules for interruptions, and set settings.interruptionQueue to its name'
          : `set settings.interruptionQueue to ${known}, the queue of ${known.includes('${') ? 'the module' : 'the input'}`,
      evidence: { nodePools: spot },
      ...(known === undefined ? {} : { fix: chartValueFix(controller, ['settings', 'interruptionQueue'], known) }),
    };
  },
});

/** A queue in other values of the same object, or under the key of older releases. */
const OTHER_VALUE =
  /\binterruptionQueue(?:Name)?(?:\\?["'])?\s*[:=]\s*(?:\\?["'])?(?!null\b|true\b|false\b)([\w-]{1,75}(?:\.fifo)?)/i;

/** The name of a queue that the input has for Karpenter, although the setting is empty. */
function knownQueue({ object }: Controller, { aws, writtenAws }: ManifestModel): string | undefined {
  const [, other] = OTHER_VALUE.exec(JSON.stringify(object.raw)) ?? [];
  const known = aws.hasTemplates ? aws : (writtenAws ?? aws);
  const [module, ...others] = known.karpenterModules.filter(({ hasQueue }) => hasQueue === true);
  const isOfModule = module !== undefined && others.length === 0 && object.kind === 'helm_release';
  return other ?? (isOfModule ? `\${module.${module.name}.queue_name}` : soleQueueOfEvents(known));
}
