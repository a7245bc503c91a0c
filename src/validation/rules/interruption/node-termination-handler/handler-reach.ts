/** Which queues, events, instances and nodes AWS Node Termination Handler acts on. */
import { asRecord, InterruptionEvent } from '../../../../contract';
import {
  firstUntolerated,
  Toleration,
  Label,
  Requirement,
  RequirementSpec,
  Requirements,
  WELL_KNOWN_LABELS,
  valueText,
} from '../../../../model';
import { findUnresolved } from '../../../manifest/find-unresolved';
import { PlainRecord, recordsOf } from '../../../manifest/records';
import { allOf, Answer, anyOf, AwsModel, Queue, sameText } from '../../../template';
import { HandlerSettings, terminationHandlers, TerminationHandler } from '../../../termination-handler';
import { Pool, poolsOf } from '../../common/pool';
import { RuleContext } from '../../rule';
import { delivers } from '../queue/event-match';

/** Whether the handler reads the queue: by the queue's URL, or by a URL that ends with its name. */
export function readsFrom({ settings }: TerminationHandler, { url, name }: Queue): boolean {
  const queueUrl = settings?.queueUrl;
  return queueUrl !== undefined && (queueUrl === url || queueUrl.endsWith(`/${name}`));
}

/** Whether a handler in the cluster drains Karpenter nodes that EC2 interrupts. */
export function drainsSpotNodes(context: RuleContext): Answer {
  const handlers = terminationHandlers(context.model);
  return anyOf(
    handlers.map((handler) =>
      actsOnKarpenterNodes(context, handler, ({ drainsOnInterruption }) => drainsOnInterruption),
    ),
  );
}

/**
 * Whether the handler acts on Karpenter nodes.
 *
 * @param actsOn whether a handler in metadata mode (a DaemonSet) handles the kind of event
 */
export function actsOnKarpenterNodes(
  context: RuleContext,
  { settings }: TerminationHandler,
  actsOn: (settings: HandlerSettings) => boolean,
): Answer {
  if (!settings) return 'unknown';
  if (settings.mode === 'queue') return actsOnKarpenterInstances(context, settings);
  return actsOn(settings) ? mayRunOnAny(poolsOf(context), settings) : 'no';
}

/**
 * Whether a handler that reads a queue acts on Karpenter's instances. Karpenter tags each of them with the cluster's
 * tag.
 */
export function actsOnKarpenterInstances(
  { model: { nodeClasses } }: RuleContext,
  { tagCheck: { scope, tag } }: HandlerSettings,
): Answer {
  if (scope === 'none') return 'yes';
  if (scope === 'unknown') return 'unknown';
  // Karpenter's instances belong to no Auto Scaling group.
  if (scope === 'group') return 'no';
  if (isClusterTag(tag)) return 'yes';
  return nodeClasses.length === 0
    ? 'unknown'
    : anyOf(nodeClasses.map(({ object }) => (tag in tagsOf(object.raw) ? 'yes' : 'no')));
}

export function isClusterTag(tag: string): boolean {
  return tag.startsWith('kubernetes.io/cluster/');
}

/** The tags that a node class gives to its instances. */
export function tagsOf(nodeClass: { readonly spec?: unknown }): Readonly<Record<string, unknown>> {
  return asRecord(asRecord(nodeClass.spec)?.tags) ?? {};
}

/** Whether the handler's pods may be scheduled on nodes of at least one of the NodePools. */
export function mayRunOnAny(pools: readonly Pool[], { placement }: HandlerSettings, capacityType?: string): Answer {
  return anyOf(pools.map((pool) => mayRunOn(pool, placement, capacityType)));
}

/** Whether EventBridge rules deliver at least one of the events to the handler's queue. Metadata mode needs no rule. */
export function receivesAnyOf(
  { model: { aws } }: RuleContext,
  handler: TerminationHandler,
  events: readonly InterruptionEvent[],
): Answer {
  if (handler.settings?.mode !== 'queue') return 'yes';
  const queue = queueOfHandler(aws, handler);
  if (!queue) return 'unknown';
  const isDelivered = anyOf(
    aws.eventRules.flatMap((rule) => {
      const targetsQueue = anyOf(rule.targets.map((target) => sameText(target, queue.arn)));
      return targetsQueue === 'no' ? [] : events.map((event) => allOf([targetsQueue, delivers(rule, event)]));
    }),
  );
  return isDelivered === 'no' && aws.opaque.length > 0 ? 'unknown' : isDelivered;
}

/** The queue that the handler reads, if the templates declare it. */
export function queueOfHandler({ queues }: AwsModel, handler: TerminationHandler): Queue | undefined {
  return queues.find((queue) => readsFrom(handler, queue));
}

/**
 * Whether the pod may be scheduled on a node of the NodePool.
 *
 * @param pod the fields of the pod's spec that matter: `nodeSelector`, `affinity`, `tolerations`
 * @param capacityType only nodes of this capacity type count. @default - nodes of any
 */
export function mayRunOn({ spec, requirements }: Pool, pod: PlainRecord, capacityType?: string): Answer {
  const affinity = asRecord(pod.affinity) ? asRecord(pod.affinity)!.nodeAffinity : pod.affinity;
  if (!spec || !requirements || findUnresolved([pod.nodeSelector, affinity, pod.tolerations]) !== undefined)
    return 'unknown';
  const required = asRecord(asRecord(affinity)?.requiredDuringSchedulingIgnoredDuringExecution);
  const hard = spec.taints.filter(({ effect }) => effect !== 'PreferNoSchedule');
  if (firstUntolerated(hard, recordsOf(pod.tolerations) as unknown as Toleration[]) !== undefined) return 'no';
  const node = requirements.copy();
  if (capacityType !== undefined) {
    if (!node.get(Label.CAPACITY_TYPE).has(capacityType)) return 'no';
    node.add(Requirement.from({ key: Label.CAPACITY_TYPE, operator: 'In', values: [capacityType] }));
  }
  const selector = Object.entries(asRecord(pod.nodeSelector) ?? {}).map(
    ([key, value]): RequirementSpec => ({ key, operator: 'In', values: [valueText(value)] }),
  );
  const terms = recordsOf(required?.nodeSelectorTerms);
  const alternatives =
    terms.length === 0
      ? [selector]
      : terms.map((term) => [...selector, ...recordsOf(term.matchExpressions).map(expressionOf)]);
  return alternatives.some((specs) => node.compatible(Requirements.from(specs), WELL_KNOWN_LABELS) === undefined)
    ? 'yes'
    : 'no';
}

function expressionOf({ key, operator, values }: PlainRecord): RequirementSpec {
  return {
    key: valueText(key),
    operator: valueText(operator) as RequirementSpec['operator'],
    values: Array.isArray(values) ? values.map(valueText) : [],
  };
}
