import { actsOnKarpenterNodes, receivesAnyOf } from './handler-reach';
import { NODE_TERMINATION_HANDLER_EVENTS } from '../../../../contract';
import { allOf } from '../../../template';
import { TerminationHandler, terminationHandlers } from '../../../termination-handler';
import { fail, notEvaluated, Outcome, pass, Rule, RuleContext } from '../../rule';
import { queueSetting } from '../queue/interruption-queue';

/** @see https://karpenter.sh/docs/faq/#interruption-handling */
export const nthWithKarpenterInterruption: Rule = {
  id: 'KARP-507',
  name: 'nth-with-karpenter-interruption',
  severity: 'warning',
  summary: 'Karpenter and AWS Node Termination Handler both drain interrupted Karpenter nodes, without coordination.',
  check(context: RuleContext): Outcome[] {
    const queues = context.controllers.map(queueSetting);
    const isUndecided = context.controllers.some(({ helmRelease, complete }) => helmRelease !== undefined && !complete);
    if (queues.length === 0) return [];
    return terminationHandlers(context.model).flatMap((handler) => {
      const answer = allOf([
        actsOnKarpenterNodes(
          context,
          handler,
          ({ drainsOnInterruption, drainsOnRebalance }) => drainsOnInterruption || drainsOnRebalance,
        ),
        receivesAnyOf(context, handler, NODE_TERMINATION_HANDLER_EVENTS),
      ]);
      if (answer === 'no') return [pass(handler.object)];
      if (isUndecided)
        return [
          notEvaluated(handler.object, 'whether Karpenter has an interruption queue is known only at deployment'),
        ];
      if (queues.every((queue) => queue === undefined)) return [pass(handler.object)];
      if (answer === 'unknown')
        return [
          notEvaluated(
            handler.object,
            'the input does not say which nodes it runs on, which instances it acts on, or which events it receives',
          ),
        ];
      return [finding(handler, queues.find((queue) => queue !== undefined)!)];
    });
  },
};

function finding({ object, settings }: TerminationHandler, queue: string): Outcome {
  return fail({
    object,
    path: settings!.pathOf(settings!.mode === 'queue' ? settings!.tagCheck.key : 'daemonsetAffinity'),
    message: `drains interrupted Karpenter nodes, but Karpenter drains them too, from queue ${queue}: both taint the node and evict its pods, without coordination`,
    remedy:
      settings!.mode === 'queue'
        ? "remove it; or limit it to instances with a tag that Karpenter's instances do not have (checkTagBeforeDraining: true)"
        : 'remove it; or exclude Karpenter nodes in daemonsetAffinity: karpenter.sh/nodepool DoesNotExist',
    evidence: { mode: settings!.mode, queue },
  });
}
