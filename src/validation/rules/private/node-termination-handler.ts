/** AWS Node Termination Handler, as far as it does what Karpenter would do on an interruption. */
import { asRecord, InterruptionEvent } from '../../../contract';
import { allOf, Answer, anyOf, AwsModel, Queue, sameText } from '../../template';
import { HandlerSettings, terminationHandlers, TerminationHandler } from '../../termination-handler';
import { RuleContext } from '../rule';
import { delivers } from './event-match';
import { mayRunOn } from './node-placement';
import { Pool, poolsOf } from './pool';

export function readsFrom({ settings }: TerminationHandler, { url, name }: Queue): boolean {
  const queueUrl = settings?.queueUrl;
  return queueUrl !== undefined && (queueUrl === url || queueUrl.endsWith(`/${name}`));
}

/** Whether a handler in the cluster drains nodes of Karpenter that EC2 interrupts. */
export function handlesSpotNodes(context: RuleContext): Answer {
  const handlers = terminationHandlers(context.model);
  return anyOf(handlers.map((handler) => handlesNodes(context, handler, ({ drainsOnInterruption }) => drainsOnInterruption)));
}

/** Whether the handler acts on some nodes of Karpenter, on what a DaemonSet of it is told to act on. */
export function handlesNodes(context: RuleContext, { settings }: TerminationHandler, actsOn: (settings: HandlerSettings) => boolean): Answer {
  if (!settings) return 'unknown';
  if (settings.mode === 'queue') return handlesByTag(context, settings);
  return actsOn(settings) ? mayRunOnAny(poolsOf(context), settings) : 'no';
}

/** Instances without the tag are passed over; Karpenter writes that of the cluster on each of its own. */
export function handlesByTag({ model: { nodeClasses } }: RuleContext, { tagCheck: { of, tag } }: HandlerSettings): Answer {
  if (of === 'none') return 'yes';
  if (of === 'unknown') return 'unknown';
  // Karpenter's instances are in no Auto Scaling group.
  if (of === 'group') return 'no';
  if (isOfCluster(tag)) return 'yes';
  return nodeClasses.length === 0 ? 'unknown' : anyOf(nodeClasses.map(({ object }) => tag in tagsOf(object.raw) ? 'yes' : 'no'));
}

export function isOfCluster(tag: string): boolean {
  return tag.startsWith('kubernetes.io/cluster/');
}

/** Of the instances of a node class. */
export function tagsOf(nodeClass: { readonly spec?: unknown }): Readonly<Record<string, unknown>> {
  return asRecord(asRecord(nodeClass.spec)?.tags) ?? {};
}

/** Whether its pods may be scheduled on nodes of some of the NodePools. */
export function mayRunOnAny(pools: readonly Pool[], { placement }: HandlerSettings, capacityType?: string): Answer {
  return anyOf(pools.map((pool) => mayRunOn(pool, placement, capacityType)));
}

/** Whether one of the events reaches the handler: by the rules of its queue, where the templates have it. */
export function hearsOf({ model: { aws } }: RuleContext, handler: TerminationHandler, events: readonly InterruptionEvent[]): Answer {
  if (handler.settings?.mode !== 'queue') return 'yes';
  const queue = queueOf(aws, handler);
  if (!queue) return 'unknown';
  const answer = anyOf(aws.eventRules.flatMap((rule) => {
    const reaches = anyOf(rule.targets.map((target) => sameText(target, queue.arn)));
    return reaches === 'no' ? [] : events.map((event) => allOf([reaches, delivers(rule, event)]));
  }));
  return answer === 'no' && aws.opaque.length > 0 ? 'unknown' : answer;
}

/** The queue that it reads, where the templates have it. */
export function queueOf({ queues }: AwsModel, handler: TerminationHandler): Queue | undefined {
  return queues.find((queue) => readsFrom(handler, queue));
}
