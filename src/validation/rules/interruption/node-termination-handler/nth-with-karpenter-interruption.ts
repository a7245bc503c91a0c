import { actsOnKarpenterNodes, receivesAnyOf } from './handler-reach';
import { NODE_TERMINATION_HANDLER_EVENTS } from '../../../../contract';
import { allOf } from '../../../template';
import { TerminationHandler, terminationHandlers } from '../../../termination-handler';
import { defineRule, unknown, SubjectFinding } from '../../define-rule';
import { subjectsFrom } from '../../subjects';
import { queueSetting } from '../queue/interruption-queue';

/** @see https://karpenter.sh/docs/faq/#interruption-handling */
export const nthWithKarpenterInterruption = defineRule({
  id: 'KARP-507',
  name: 'nth-with-karpenter-interruption',
  severity: 'warning',
  summary: 'Karpenter and AWS Node Termination Handler both drain interrupted Karpenter nodes, without coordination.',
  subjects: subjectsFrom<TerminationHandler>(({ model }) => terminationHandlers(model), {
    where: (_, context) => context.controllers.length > 0,
  }),
  judge(handler, context) {
    const queues = context.controllers.map(queueSetting);
    const isUndecided = context.controllers.some(({ helmRelease, complete }) => helmRelease !== undefined && !complete);
    const answer = allOf([
      actsOnKarpenterNodes(
        context,
        handler,
        ({ drainsOnInterruption, drainsOnRebalance }) => drainsOnInterruption || drainsOnRebalance,
      ),
      receivesAnyOf(context, handler, NODE_TERMINATION_HANDLER_EVENTS),
    ]);
    if (answer === 'no') return undefined;
    if (isUndecided) return unknown('whether Karpenter has an interruption queue is known only at deployment');
    if (queues.every((queue) => queue === undefined)) return undefined;
    if (answer === 'unknown')
      return unknown(
        'the input does not say which nodes it runs on, which instances it acts on, or which events it receives',
      );
    return finding(handler, queues.find((queue) => queue !== undefined)!);
  },
});

function finding({ settings }: TerminationHandler, queue: string): SubjectFinding {
  return {
    path: settings!.pathOf(settings!.mode === 'queue' ? settings!.tagCheck.key : 'daemonsetAffinity'),
    message: `drains interrupted Karpenter nodes, but Karpenter drains them too, from queue ${queue}: both taint the node and evict its pods, without coordination`,
    remedy:
      settings!.mode === 'queue'
        ? "remove it; or limit it to instances with a tag that Karpenter's instances do not have (checkTagBeforeDraining: true)"
        : 'remove it; or exclude Karpenter nodes in daemonsetAffinity: karpenter.sh/nodepool DoesNotExist',
    evidence: { mode: settings!.mode, queue },
  };
}
