import { NODE_TERMINATION_HANDLER_EVENTS } from '../../contract';
import { allOf } from '../template';
import { TerminationHandler, terminationHandlers } from '../termination-handler';
import { queueSetting } from './private/interruption-queue';
import { handlesNodes, hearsOf } from './private/node-termination-handler';
import { fail, notEvaluated, pass } from './private/outcome';
import { Outcome, Rule, RuleContext } from './rule';

/** @see https://karpenter.sh/docs/faq/#interruption-handling */
export class NthWithKarpenterInterruption implements Rule {
  public readonly id = 'KARP-507';
  public readonly name = 'nth-with-karpenter-interruption';
  public readonly severity = 'warning';
  public readonly summary = 'Karpenter and AWS Node Termination Handler both drain the nodes of Karpenter that are interrupted, and neither knows of the other.';

  public check(context: RuleContext): Outcome[] {
    const queues = context.controllers.map(queueSetting);
    const open = context.controllers.some(({ release, complete }) => release !== undefined && !complete);
    if (queues.length === 0) return [];
    return terminationHandlers(context.model).flatMap((handler) => {
      const answer = allOf([
        handlesNodes(context, handler, ({ drainsOnInterruption, drainsOnRebalance }) => drainsOnInterruption || drainsOnRebalance),
        hearsOf(context, handler, NODE_TERMINATION_HANDLER_EVENTS),
      ]);
      if (answer === 'no') return [pass(handler.object)];
      if (open) return [notEvaluated(handler.object, 'whether Karpenter listens to a queue is known only at deployment')];
      if (queues.every((queue) => queue === undefined)) return [pass(handler.object)];
      if (answer === 'unknown') return [notEvaluated(handler.object, 'which nodes it runs on, which instances it acts on, or which events reach it, is not in the input')];
      return [this.finding(handler, queues.find((queue) => queue !== undefined)!)];
    });
  }

  private finding({ object, settings }: TerminationHandler, queue: string): Outcome {
    return fail({
      object,
      path: settings!.pathOf(settings!.mode === 'queue' ? settings!.tagCheck.key : 'daemonsetAffinity'),
      message: `drains nodes of Karpenter that are interrupted, and so does Karpenter, which listens to queue ${queue}: both taint and evict, and neither waits for the other`,
      remedy: settings!.mode === 'queue'
        ? 'leave it out; or let it look after instances with a tag that those of Karpenter do not have (checkTagBeforeDraining: true)'
        : 'leave it out; or keep it off nodes with the label karpenter.sh/nodepool: operator DoesNotExist in daemonsetAffinity',
      evidence: { mode: settings!.mode, queue },
    });
  }
}
