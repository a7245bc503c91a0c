import { Controller, findControllers } from '../controller';
import { queueSetting } from './private/interruption-queue';
import { readsFrom } from './private/node-termination-handler';
import { fail, notEvaluated, pass } from './private/outcome';
import { findUnresolved } from './private/unresolved';
import { joinNames } from './private/wording';
import { Outcome, Rule, RuleContext } from './rule';
import { hasUnknown, Queue, TemplateResource } from '../template';
import { TerminationHandler, terminationHandlers } from '../termination-handler';

/** @see https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-visibility-timeout.html */
export class QueueShared implements Rule {
  public readonly id = 'KARP-505';
  public readonly name = 'queue-shared';
  public readonly severity = 'error';
  public readonly summary = 'Two consumers read one queue of interruptions: whoever reads a message deletes it, and the other never hears of it.';

  public check({ model, options }: RuleContext): Outcome[] {
    const { aws } = model;
    // Also those of other clusters: a queue knows no cluster.
    const everyone = findControllers({ ...model, aws: { ...aws, helmReleases: aws.allHelmReleases } }, options);
    const handlers = terminationHandlers(model, aws.allHelmReleases);
    return aws.queues.flatMap((queue): Outcome[] => {
      const controllers = everyone.filter((controller) => queueSetting(controller) === queue.name).map(({ object }) => object.name);
      const others = handlers.filter((handler) => readsFrom(handler, queue)).map(({ object }) => object.name);
      if (controllers.length === 0) return [];
      if (controllers.length + others.length > 1) return [this.finding(queue.resource, controllers, others)];
      const unknown = unknownReader(aws.queues, everyone, handlers);
      return [unknown === undefined ? pass(queue.resource.object) : notEvaluated(queue.resource.object, `whether ${unknown} reads it too is known only at deployment`)];
    });
  }

  private finding({ object }: TemplateResource, controllers: readonly string[], handlers: readonly string[]): Outcome {
    const who = [
      ...controllers.length > 0 ? [`Karpenter (${joinNames(controllers)})`] : [],
      ...handlers.length > 0 ? [`AWS Node Termination Handler (${joinNames(handlers)})`] : [],
    ];
    return fail({
      object,
      path: [],
      message: `is read by ${joinNames(who)}: each message goes to one of them, who deletes it, so that each hears of only some interruptions`,
      remedy: handlers.length > 0 && controllers.length === 1
        ? 'give each a queue of its own, with rules for both; or leave AWS Node Termination Handler out, since Karpenter handles interruptions itself'
        : 'give each cluster a queue of its own, with rules for each',
      evidence: { karpenter: controllers, nodeTerminationHandler: handlers },
    });
  }
}

/** A consumer of which it is not known what it reads. */
function unknownReader(queues: readonly Queue[], controllers: readonly Controller[], handlers: readonly TerminationHandler[]): string | undefined {
  const closed = [
    ...controllers.filter(({ release, complete }) => release !== undefined && !complete),
    ...controllers.filter((controller) => hasUnknown(queueSetting(controller) ?? '')),
    ...handlers.filter(({ settings }) => settings === undefined),
    ...handlers.filter((handler) => findUnresolved(handler.settings?.queueUrl) !== undefined && !queues.some((queue) => readsFrom(handler, queue))),
  ];
  return closed[0] && `${closed[0].object.kind} ${closed[0].object.name}`;
}
