import { queueSetting } from './interruption-queue';
import { listText } from '../../../../model';
import { Controller, findControllers } from '../../../controller';
import { findUnresolved } from '../../../manifest/find-unresolved';
import { hasUnknown, Queue } from '../../../template';
import { TerminationHandler, terminationHandlers } from '../../../termination-handler';
import { defineRule, SubjectFinding, unknown } from '../../define-rule';
import { RuleContext } from '../../rule';
import { subjectsWith } from '../../subjects';
import { readsFrom } from '../node-termination-handler/handler-reach';

/** @see https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-visibility-timeout.html */
export const queueShared = defineRule({
  id: 'KARP-505',
  name: 'queue-shared',
  severity: 'error',
  summary:
    'Two consumers read one interruption queue: each message is deleted by the consumer that receives it, so the other one misses it.',
  subjects: subjectsWith<QueueReaders>(({ queue }) => queue.resource.object, queueReaders),
  judge({ controllers, handlers, unknownReader: other }) {
    if (controllers.length + handlers.length > 1) return finding(controllers, handlers);
    return other === undefined ? undefined : unknown(`whether ${other} reads it too is known only at deployment`);
  },
});

/** A queue that Karpenter reads. */
interface QueueReaders {
  readonly queue: Queue;
  readonly controllers: readonly string[];
  readonly handlers: readonly string[];
  /** A consumer that may read the queue, too. */
  readonly unknownReader?: string;
}

function queueReaders({ model, options }: RuleContext): QueueReaders[] {
  const { aws } = model;
  // A queue belongs to no cluster, so the controllers and handlers of all clusters count as readers.
  const controllers = findControllers({ ...model, aws: { ...aws, helmReleases: aws.allHelmReleases } }, options);
  const handlers = terminationHandlers(model, aws.allHelmReleases);
  const other = unknownReader(aws.queues, controllers, handlers);
  return aws.queues
    .map((queue) => ({
      queue,
      controllers: namesOf(controllers.filter((controller) => queueSetting(controller) === queue.name)),
      handlers: namesOf(handlers.filter((handler) => readsFrom(handler, queue))),
      unknownReader: other,
    }))
    .filter((readers) => readers.controllers.length > 0);
}

function namesOf(readers: ReadonlyArray<Controller | TerminationHandler>): string[] {
  return readers.map(({ object }) => object.name);
}

function finding(controllers: readonly string[], handlers: readonly string[]): SubjectFinding {
  const readers = [
    ...(controllers.length > 0 ? [`Karpenter (${listText(controllers)})`] : []),
    ...(handlers.length > 0 ? [`AWS Node Termination Handler (${listText(handlers)})`] : []),
  ];
  return {
    path: [],
    message: `is read by ${listText(readers)}: each message reaches only one of them, so each misses some interruptions`,
    remedy:
      handlers.length > 0 && controllers.length === 1
        ? 'remove AWS Node Termination Handler, because Karpenter handles interruptions itself; or give each its own queue and EventBridge rules'
        : 'give each cluster its own queue and EventBridge rules',
    evidence: { karpenter: controllers, nodeTerminationHandler: handlers },
  };
}

/** A consumer whose queue is not known; it may read any of these queues. */
function unknownReader(
  queues: readonly Queue[],
  controllers: readonly Controller[],
  handlers: readonly TerminationHandler[],
): string | undefined {
  const open = [
    ...controllers.filter(({ helmRelease, complete }) => helmRelease !== undefined && !complete),
    ...controllers.filter((controller) => hasUnknown(queueSetting(controller) ?? '')),
    ...handlers.filter(({ settings }) => settings === undefined),
    ...handlers.filter(
      (handler) =>
        findUnresolved(handler.settings?.queueUrl) !== undefined && !queues.some((queue) => readsFrom(handler, queue)),
    ),
  ];
  return open[0] && `${open[0].object.kind} ${open[0].object.name}`;
}
