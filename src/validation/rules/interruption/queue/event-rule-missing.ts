import { delivers, isOtherBus } from './event-match';
import { listenedQueues } from './interruption-queue';
import {
  CAPACITY_RESERVATION_INTERRUPTION,
  InterruptionEvent,
  karpenterEvents,
  NEWEST_KARPENTER_VERSION,
  REBALANCE,
  SPOT_INTERRUPTION,
  asRecord,
} from '../../../../contract';
import { anyOf, EventRule, Queue, sameText } from '../../../template';
import { defineRule, unknown } from '../../define-rule';
import { RuleContext, Severity } from '../../rule';
import { subjectsWith } from '../../subjects';

/** @see https://karpenter.sh/docs/reference/cloudformation/#interruption-handling */
export const eventRuleMissing = defineRule({
  id: 'KARP-503',
  name: 'event-rule-missing',
  severity: 'error',
  summary:
    "No EventBridge rule delivers a kind of interruption event to Karpenter's queue, so Karpenter does not react to it.",
  subjects: subjectsWith<ExpectedDelivery>(({ queue }) => queue.resource.object, expectedDeliveries),
  judge({ queue, rules, event, severity }, { model: { aws } }) {
    const isDelivered = anyOf(rules.map((rule) => delivers(rule, event)));
    const type = event.pattern['detail-type'][0];
    if (isDelivered === 'yes') return undefined;
    if (isDelivered === 'unknown')
      return unknown(`whether an EventBridge rule delivers ${type} to it is known only at deployment`);
    const mayBeTarget = aws.eventRules.some(({ targets }) =>
      targets.some((target) => target !== queue.arn && sameText(target, queue.arn) === 'unknown'),
    );
    if (mayBeTarget || aws.opaque.length > 0)
      return unknown(`an EventBridge rule for ${type} may be declared outside these templates`);
    const flawed = rules.map((rule) => flawOf(rule, event)).find((flaw) => flaw !== undefined);
    return {
      ...(flawed ? { object: flawed.rule.resource.object } : {}),
      path: flawed ? ['Properties', flawed.field] : [],
      message: flawed
        ? `${flawed.flaw}: Karpenter does not learn that ${event.description}`
        : `no EventBridge rule delivers "${type}" to this queue: Karpenter does not learn that ${event.description}`,
      remedy:
        flawed?.remedy ??
        `add a rule on the default event bus with source ${event.pattern.source[0]}, detail-type ${type} and this queue as target`,
      evidence: { detailType: type, rules: rules.map(({ resource }) => resource.object.name) },
      severity,
    };
  },
});

interface ExpectedEvent {
  readonly event: InterruptionEvent;
  readonly severity: Severity;
}

/** An event that a queue of Karpenter should receive, and the rules that have the queue as their target. */
interface ExpectedDelivery extends ExpectedEvent {
  readonly queue: Queue;
  readonly rules: readonly EventRule[];
}

function expectedDeliveries(context: RuleContext): ExpectedDelivery[] {
  const { aws } = context.model;
  return listenedQueues(context.controllers, aws).flatMap((queue) => {
    const rules = aws.eventRules.filter(({ targets }) => targets.includes(queue.arn));
    return expectedEvents(context).map((expected) => ({ ...expected, queue, rules }));
  });
}

function expectedEvents({ model, options, plan, controllers }: RuleContext): ExpectedEvent[] {
  const reservations = model.nodeClasses.some(
    ({ object }) => asRecord(object.raw.spec)?.capacityReservationSelectorTerms !== undefined,
  );
  const noSpot = plan.pools.length > 0 && plan.pools.every(({ capacityTypes }) => !capacityTypes.includes('spot'));
  const version = controllers[0]?.version ?? options.karpenterVersion ?? NEWEST_KARPENTER_VERSION;
  return karpenterEvents(version).flatMap((event) => {
    if (event === CAPACITY_RESERVATION_INTERRUPTION && !reservations) return [];
    const harmless = event === REBALANCE || (event === SPOT_INTERRUPTION && noSpot);
    return [{ event, severity: harmless ? ('info' as const) : ('error' as const) }];
  });
}

interface Flaw {
  readonly rule: EventRule;
  readonly field: string;
  readonly flaw: string;
  readonly remedy: string;
}

/** Why a rule that seems to be meant for the event does not deliver it. */
function flawOf(rule: EventRule, event: InterruptionEvent): Flaw | undefined {
  const [type] = event.pattern['detail-type'];
  const detailTypes = [rule.pattern?.['detail-type']].flat().filter((detailType) => typeof detailType === 'string');
  const { name } = rule.resource.object;
  const isTerraform = rule.resource.tool === 'Terraform';
  const written = detailTypes.find((detailType) => resembles(detailType, type));
  if (written === undefined) return undefined;
  if (rule.state === 'DISABLED')
    return {
      rule,
      field: 'State',
      flaw: `rule ${name} is disabled`,
      remedy: isTerraform ? 'write state = "ENABLED"' : 'write State: ENABLED',
    };
  if (isOtherBus(rule)) {
    return {
      rule,
      field: 'EventBusName',
      flaw: `rule ${name} is on bus ${rule.bus}, but AWS sends these events to the default bus only`,
      remedy: `remove ${isTerraform ? 'event_bus_name' : 'EventBusName'}`,
    };
  }
  if (written !== type) {
    return {
      rule,
      field: 'EventPattern',
      flaw: `rule ${name} matches "${written}", but the event is called "${type}"`,
      remedy: `write detail-type: ${type}`,
    };
  }
  return {
    rule,
    field: 'EventPattern',
    flaw: `rule ${name} filters out the "${type}" events that Karpenter needs`,
    remedy: `keep only source ${event.pattern.source[0]} and detail-type ${type} in the pattern`,
  };
}

/** Whether two texts are equal up to case, spaces and punctuation, and one or two typing errors. */
function resembles(left: string, right: string): boolean {
  const [a, b] = [left, right].map((text) => text.toLowerCase().replace(/[^a-z0-9]/g, ''));
  if (Math.abs(a.length - b.length) > 2) return false;
  let start = 0;
  while (start < a.length && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < Math.min(a.length, b.length) - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end += 1;
  return Math.max(a.length, b.length) - start - end <= 3;
}
