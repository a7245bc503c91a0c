import { CAPACITY_RESERVATION_INTERRUPTION, InterruptionEvent, karpenterEvents, NEWEST_KARPENTER_VERSION, REBALANCE, SPOT_INTERRUPTION, asRecord } from '../../contract';
import { delivers, isOtherBus } from './private/event-match';
import { listenedQueues } from './private/interruption-queue';
import { fail, notEvaluated, pass } from './private/outcome';
import { Outcome, Rule, RuleContext, Severity } from './rule';
import { anyOf, EventRule, Queue, sameText } from '../template';

/** @see https://karpenter.sh/docs/reference/cloudformation/#interruption-handling */
export class EventRuleMissing implements Rule {
  public readonly id = 'KARP-503';
  public readonly name = 'event-rule-missing';
  public readonly severity = 'error';
  public readonly summary = 'No rule of EventBridge brings a kind of interruption to the queue that Karpenter listens to, so that it never hears of it.';

  public check(context: RuleContext): Outcome[] {
    const { model: { aws }, controllers } = context;
    return listenedQueues(controllers, aws).flatMap((queue) => {
      const rules = aws.eventRules.filter(({ targets }) => targets.includes(queue.arn));
      return wantedEvents(context).map((wanted) => this.checkEvent(context, queue, rules, wanted));
    });
  }

  private checkEvent({ model: { aws } }: RuleContext, queue: Queue, rules: readonly EventRule[], { event, severity }: WantedEvent): Outcome {
    const { object } = queue.resource;
    const answer = anyOf(rules.map((rule) => delivers(rule, event)));
    const type = event.pattern['detail-type'][0];
    if (answer === 'yes') return pass(object);
    if (answer === 'unknown') return notEvaluated(object, `whether a rule brings it ${type} is known only at deployment`);
    const open = aws.eventRules.some(({ targets }) => targets.some((target) => target !== queue.arn && sameText(target, queue.arn) === 'unknown'));
    if (open || aws.opaque.length > 0) return notEvaluated(object, `a rule for ${type} may be where the templates do not show it`);
    const near = rules.map((rule) => flawOf(rule, event)).find((flaw) => flaw !== undefined);
    return fail({
      object: near?.rule.resource.object ?? object,
      path: near ? ['Properties', near.field] : [],
      message: near
        ? `${near.flaw}: Karpenter never hears that ${event.says}`
        : `no rule of EventBridge brings "${type}" to this queue: Karpenter never hears that ${event.says}`,
      remedy: near?.remedy ?? `add a rule on the default bus with source ${event.pattern.source[0]} and detail-type ${type}, and this queue as its target`,
      evidence: { detailType: type, rules: rules.map(({ resource }) => resource.object.name) },
      severity,
    });
  }
}

interface WantedEvent { readonly event: InterruptionEvent; readonly severity: Severity }

function wantedEvents({ model, options, plan, controllers }: RuleContext): WantedEvent[] {
  const reservations = model.nodeClasses.some(({ object }) => asRecord(object.raw.spec)?.capacityReservationSelectorTerms !== undefined);
  const noSpot = plan.pools.length > 0 && plan.pools.every(({ capacityTypes }) => !capacityTypes.includes('spot'));
  const version = controllers[0]?.version ?? options.karpenterVersion ?? NEWEST_KARPENTER_VERSION;
  return karpenterEvents(version).flatMap((event) => {
    if (event === CAPACITY_RESERVATION_INTERRUPTION && !reservations) return [];
    const harmless = event === REBALANCE || (event === SPOT_INTERRUPTION && noSpot);
    return [{ event, severity: harmless ? 'info' as const : 'error' as const }];
  });
}

interface Flaw { readonly rule: EventRule; readonly field: string; readonly flaw: string; readonly remedy: string }

/** Why a rule that seems to be meant for the event does not take it. */
function flawOf(rule: EventRule, event: InterruptionEvent): Flaw | undefined {
  const [type] = event.pattern['detail-type'];
  const types = [rule.pattern?.['detail-type']].flat().filter((each) => typeof each === 'string');
  const { name } = rule.resource.object;
  if (!types.some((each) => resembles(each, type))) return undefined;
  if (rule.state === 'DISABLED') return { rule, field: 'State', flaw: `rule ${name} is disabled`, remedy: 'write State: ENABLED' };
  if (isOtherBus(rule)) return { rule, field: 'EventBusName', flaw: `rule ${name} is on bus ${rule.bus}, and events of AWS come to the default bus`, remedy: 'leave EventBusName out' };
  const written = types.find((each) => resembles(each, type))!;
  if (written !== type) return { rule, field: 'EventPattern', flaw: `rule ${name} waits for "${written}", and the event is called "${type}"`, remedy: `write detail-type: ${type}` };
  return {
    rule, field: 'EventPattern', flaw: `rule ${name} filters events of "${type}" so that those for Karpenter do not pass`, remedy: `leave only source ${event.pattern.source[0]} and detail-type ${type} in the pattern`,
  };
}

/** The same but for letters of another case, spaces, and one or two mistakes of typing. */
function resembles(left: string, right: string): boolean {
  const [a, b] = [left, right].map((text) => text.toLowerCase().replace(/[^a-z0-9]/g, ''));
  if (Math.abs(a.length - b.length) > 2) return false;
  let start = 0;
  while (start < a.length && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < Math.min(a.length, b.length) - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end += 1;
  return Math.max(a.length, b.length) - start - end <= 3;
}
