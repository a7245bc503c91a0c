import { findControllers } from '../controller';
import { queueSetting } from './private/interruption-queue';
import { handlersIn, readsFrom } from './private/node-termination-handler';
import { fail, pass } from './private/outcome';
import { joinNames } from './private/wording';
import { Outcome, Rule, RuleContext } from './rule';
import { TemplateResource } from '../template';

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
    const handlers = handlersIn(aws.allHelmReleases);
    return aws.queues.flatMap((queue): Outcome[] => {
      const controllers = everyone.filter((controller) => queueSetting(controller) === queue.name).map(({ object }) => object.name);
      const others = handlers.filter((release) => readsFrom(release, queue)).map(({ resource }) => resource.object.name);
      if (controllers.length === 0) return [];
      if (controllers.length + others.length === 1) return [pass(queue.resource.object)];
      return [this.finding(queue.resource, controllers, others)];
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
