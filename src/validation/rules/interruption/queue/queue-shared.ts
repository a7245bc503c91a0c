import { queueSetting } from './interruption-queue';
import { listText } from '../../../../model';
import { Controller, findControllers } from '../../../controller';
import { findUnresolved } from '../../../manifest/find-unresolved';
import { hasUnknown, Queue, TemplateResource } from '../../../template';
import { TerminationHandler, terminationHandlers } from '../../../termination-handler';
import { fail, notEvaluated, Outcome, pass, Rule, RuleContext } from '../../rule';
import { readsFrom } from '../node-termination-handler/handler-reach';

/** @see https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-visibility-timeout.html */
export const queueShared: Rule = {
  id: 'KARP-505',
  name: 'queue-shared',
  severity: 'error',
  summary:
    'Two consumers read one interruption queue: each message is deleted by the consumer that receives it, so the other one misses it.',
  check({ model, options }: RuleContext): Outcome[] {
    const { aws } = model;
    // A queue belongs to no cluster, so the controllers and handlers of all clusters count as readers.
    const allControllers = findControllers({ ...model, aws: { ...aws, helmReleases: aws.allHelmReleases } }, options);
    const handlers = terminationHandlers(model, aws.allHelmReleases);
    return aws.queues.flatMap((queue): Outcome[] => {
      const controllerReaders = allControllers
        .filter((controller) => queueSetting(controller) === queue.name)
        .map(({ object }) => object.name);
      const handlerReaders = handlers.filter((handler) => readsFrom(handler, queue)).map(({ object }) => object.name);
      if (controllerReaders.length === 0) return [];
      if (controllerReaders.length + handlerReaders.length > 1)
        return [finding(queue.resource, controllerReaders, handlerReaders)];
      const unknown = unknownReader(aws.queues, allControllers, handlers);
      return [
        unknown === undefined
          ? pass(queue.resource.object)
          : notEvaluated(queue.resource.object, `whether ${unknown} reads it too is known only at deployment`),
      ];
    });
  },
};

function finding({ object }: TemplateResource, controllers: readonly string[], handlers: readonly string[]): Outcome {
  const readers = [
    ...(controllers.length > 0 ? [`Karpenter (${listText(controllers)})`] : []),
    ...(handlers.length > 0 ? [`AWS Node Termination Handler (${listText(handlers)})`] : []),
  ];
  return fail({
    object,
    path: [],
    message: `is read by ${listText(readers)}: each message reaches only one of them, so each misses some interruptions`,
    remedy:
      handlers.length > 0 && controllers.length === 1
        ? 'remove AWS Node Termination Handler, because Karpenter handles interruptions itself; or give each its own queue and EventBridge rules'
        : 'give each cluster its own queue and EventBridge rules',
    evidence: { karpenter: controllers, nodeTerminationHandler: handlers },
  });
}

/** A consumer whose queue is not known; it may read any of these queues. */
function unknownReader(
  queues: readonly Queue[],
  controllers: readonly Controller[],
  handlers: readonly TerminationHandler[],
): string | undefined {
  const unknown = [
    ...controllers.filter(({ helmRelease, complete }) => helmRelease !== undefined && !complete),
    ...controllers.filter((controller) => hasUnknown(queueSetting(controller) ?? '')),
    ...handlers.filter(({ settings }) => settings === undefined),
    ...handlers.filter(
      (handler) =>
        findUnresolved(handler.settings?.queueUrl) !== undefined && !queues.some((queue) => readsFrom(handler, queue)),
    ),
  ];
  return unknown[0] && `${unknown[0].object.kind} ${unknown[0].object.name}`;
}
