import { queueSetting } from './interruption-queue';
import { listText } from '../../../../model';
import { Controller, findControllers } from '../../../controller';
import { findUnresolved } from '../../../manifest/find-unresolved';
import { FieldPath, ManifestObject } from '../../../manifest/model';
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
  subjects: subjectsWith<QueueReaders>(
    ({ object }) => object,
    (context) => [...queueReaders(context), ...readersOfNamedQueues(context)],
  ),
  judge({ controllers, handlers, path, unknownReader: other }) {
    if (controllers.length + handlers.length > 1) return finding(controllers, handlers, path);
    return other === undefined ? undefined : unknown(`whether ${other} reads it too is known only at deployment`);
  },
});

/** A queue that Karpenter reads. */
interface QueueReaders {
  /** The queue, or the second reader of a queue that is not in the input. */
  readonly object: ManifestObject;
  /** The field that names the queue. @default - the object is the queue */
  readonly path?: FieldPath;
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
      object: queue.resource.object,
      controllers: namesOf(controllers.filter((controller) => queueSetting(controller) === queue.name)),
      handlers: namesOf(handlers.filter((handler) => readsFrom(handler, queue))),
      unknownReader: other,
    }))
    .filter((readers) => readers.controllers.length > 0);
}

/** Queues that no template declares, but that the settings of Karpenter and of the handler both name. */
function readersOfNamedQueues({ model, controllers }: RuleContext): QueueReaders[] {
  return terminationHandlers(model).flatMap((handler): QueueReaders[] => {
    const { settings, object } = handler;
    const name = settings?.mode === 'queue' ? /\/([\w-]+(?:\.fifo)?)$/.exec(settings.queueUrl)?.[1] : undefined;
    const readers = controllers.filter((controller) => name !== undefined && queueSetting(controller) === name);
    const isDeclared = model.aws.queues.some((queue) => readsFrom(handler, queue));
    return settings === undefined || isDeclared || readers.length === 0
      ? []
      : [
          {
            object,
            path: settings.pathOf('queueURL'),
            controllers: namesOf(readers),
            handlers: [object.name],
          },
        ];
  });
}

function namesOf(readers: ReadonlyArray<Controller | TerminationHandler>): string[] {
  return readers.map(({ object }) => object.name);
}

function finding(
  controllers: readonly string[],
  handlers: readonly string[],
  path: FieldPath | undefined,
): SubjectFinding {
  const readers = [
    ...(controllers.length > 0 ? [`Karpenter (${listText(controllers)})`] : []),
    ...(handlers.length > 0 ? [`AWS Node Termination Handler (${listText(handlers)})`] : []),
  ];
  const subject = path === undefined ? 'is read by' : 'reads the queue of Karpenter, so that it has two readers,';
  return {
    path: path ?? [],
    message: `${subject} ${listText(readers)}: each message reaches only one of them, so each misses some interruptions`,
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
