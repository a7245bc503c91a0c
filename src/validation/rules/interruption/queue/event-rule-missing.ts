import { delivers, isOtherBus } from './event-match';
import { listenedQueues } from './interruption-queue';
import { misplacedTarget } from './misplaced-target';
import {
  CAPACITY_RESERVATION_INTERRUPTION,
  FieldFix,
  InterruptionEvent,
  karpenterEvents,
  REBALANCE,
  setField,
  SPOT_INTERRUPTION,
  unsafeFix,
} from '../../../../contract';
import { editDistance } from '../../../../model';
import { releaseOf } from '../../../controller';
import { FieldPath } from '../../../manifest/model';
import { anyOf, EventRule, Queue, sameText } from '../../../template';
import { defineRule, Judgement, NOT_APPLICABLE, unknown } from '../../define-rule';
import { RuleContext, Severity } from '../../rule';
import { subjectsWith } from '../../subjects';

/** @see https://karpenter.sh/docs/reference/cloudformation/#interruption-handling */
export const eventRuleMissing = defineRule({
  id: 'KARP-503',
  name: 'event-rule-missing',
  readsTerraform: true,
  severity: 'error',
  summary:
    "No EventBridge rule delivers a kind of interruption event to Karpenter's queue, so Karpenter does not react to it.",
  subjects: subjectsWith<ExpectedDelivery>(({ queue }) => queue.resource.object, expectedDeliveries),
  judge({ queue, rules, event, severity, isListened }, { model: { aws } }) {
    const isDelivered = anyOf(rules.map((rule) => delivers(rule, event)));
    const misplaced = isDelivered === 'no' ? misplacedTarget(aws, queue, event) : undefined;
    if (misplaced) {
      const { flaw, ...place } = misplaced;
      const reader = isListened ? 'Karpenter' : 'the reader of the queue';
      const message = `${flaw}: ${reader} does not learn that ${event.description}`;
      return {
        ...place,
        message,
        severity,
        evidence: { detailType: event.pattern['detail-type'][0], rules: rules.map(nameOf) },
      };
    }
    if (!isListened) return judgeNames(rules, event, severity);
    const type = event.pattern['detail-type'][0];
    if (isDelivered === 'yes') return undefined;
    if (isDelivered === 'unknown')
      return unknown(`whether an EventBridge rule delivers ${type} to it is known only at deployment`);
    const mayBeTarget = aws.eventRules.some(({ targets }) =>
      targets.some((target) => target !== queue.arn && sameText(target, queue.arn) === 'unknown'),
    );
    const isMisspelt = rules.some((rule) => misspelt(rule, event) !== undefined);
    if (!isMisspelt && (mayBeTarget || aws.opaque.length > 0))
      return unknown(`an EventBridge rule for ${type} may be declared outside these templates`);
    const flawed = rules.map((rule) => flawOf(rule, event)).find((flaw) => flaw !== undefined);
    return {
      ...(flawed ? { object: flawed.rule.resource.object } : {}),
      path: flawed ? flawed.path : [],
      message: flawed
        ? `${flawed.flaw}: Karpenter does not learn that ${event.description}`
        : `no EventBridge rule delivers "${type}" to this queue: Karpenter does not learn that ${event.description}`,
      remedy:
        flawed?.remedy ??
        `add a rule on the default event bus with source ${event.pattern.source[0]}, detail-type ${type} and this queue as target`,
      evidence: { detailType: type, rules: rules.map(nameOf) },
      severity,
      ...(flawed?.fix ? { fix: flawed.fix, isTypo: true } : {}),
    };
  },
});

function nameOf({ resource }: EventRule): string {
  return resource.object.name;
}

/** Of a queue that no known controller reads, only rules with a misspelt event are findings. */
function judgeNames(rules: readonly EventRule[], event: InterruptionEvent, severity: Severity): Judgement {
  if (anyOf(rules.map((rule) => delivers(rule, event))) !== 'no') return NOT_APPLICABLE;
  const flawed = rules.map((rule) => misspelt(rule, event)).find((flaw) => flaw !== undefined);
  if (!flawed) return NOT_APPLICABLE;
  return {
    object: flawed.rule.resource.object,
    path: flawed.path,
    message: `${flawed.flaw}: the reader of the queue does not learn that ${event.description}`,
    remedy: flawed.remedy,
    evidence: { detailType: event.pattern['detail-type'][0], rules: rules.map(nameOf) },
    severity,
  };
}

interface ExpectedEvent {
  readonly event: InterruptionEvent;
  readonly severity: Severity;
}

/** An event that a queue of Karpenter should receive, and the rules that have the queue as their target. */
interface ExpectedDelivery extends ExpectedEvent {
  readonly queue: Queue;
  readonly rules: readonly EventRule[];
  /** Whether a controller of the input listens to the queue. */
  readonly isListened: boolean;
}

function expectedDeliveries(context: RuleContext): ExpectedDelivery[] {
  const { aws } = context.model;
  const listened = listenedQueues(context.controllers, aws);
  const expected = expectedEvents(context);
  return [...new Set([...listened, ...aws.queues])].flatMap((queue) => {
    const rules = aws.eventRules.filter(({ targets }) => targets.includes(queue.arn));
    const isListened = listened.includes(queue);
    return expected.map((one) => ({ ...one, queue, rules, isListened }));
  });
}

function expectedEvents({ model, options, plan, controllers }: RuleContext): ExpectedEvent[] {
  const reservations = model.nodeClasses.some(
    ({ object }) => object.raw.spec?.capacityReservationSelectorTerms !== undefined,
  );
  const noSpot = plan.pools.length > 0 && plan.pools.every(({ capacityTypes }) => !capacityTypes.includes('spot'));
  const version = releaseOf(controllers[0], options);
  return karpenterEvents(version).flatMap((event) => {
    if (event === CAPACITY_RESERVATION_INTERRUPTION && !reservations) return [];
    const harmless = event === REBALANCE || (event === SPOT_INTERRUPTION && noSpot);
    return [{ event, severity: harmless ? ('info' as const) : ('error' as const) }];
  });
}

interface Flaw {
  readonly rule: EventRule;
  readonly path: FieldPath;
  readonly flaw: string;
  readonly remedy: string;
  readonly fix?: FieldFix;
}

/** Why a rule that seems to be meant for the event does not deliver it. */
function flawOf(rule: EventRule, event: InterruptionEvent): Flaw | undefined {
  const [type] = event.pattern['detail-type'];
  const { name } = rule.resource.object;
  const isTerraform = rule.resource.tool === 'Terraform';
  const written = meantTypes(rule, type)[0]?.written;
  if (written === undefined) return undefined;
  if (rule.state === 'DISABLED')
    return {
      rule,
      path: ['Properties', 'State'],
      flaw: `rule ${name} is disabled`,
      remedy: isTerraform ? 'write state = "ENABLED"' : 'write State: ENABLED',
    };
  if (isOtherBus(rule)) {
    return {
      rule,
      path: ['Properties', 'EventBusName'],
      flaw: `rule ${name} is on bus ${rule.bus}, but AWS sends these events to the default bus only`,
      remedy: `remove ${isTerraform ? 'event_bus_name' : 'EventBusName'}`,
    };
  }
  if (written !== type) return misspelt(rule, event);
  return {
    rule,
    path: ['Properties', 'EventPattern'],
    flaw: `rule ${name} filters out the "${type}" events that Karpenter needs`,
    remedy: `keep only source ${event.pattern.source[0]} and detail-type ${type} in the pattern`,
  };
}

/** The flaw of a rule whose pattern has another name for the event, which AWS never sends. */
function misspelt(rule: EventRule, event: InterruptionEvent): Flaw | undefined {
  const [type] = event.pattern['detail-type'];
  const [meant] = meantTypes(rule, type);
  if (meant === undefined || meant.written === type) return undefined;
  return {
    rule,
    path: ['Properties', 'EventPattern', 'detail-type', ...meant.step],
    flaw: `rule ${rule.resource.object.name} matches "${meant.written}", but the event is called "${type}"`,
    remedy: `write detail-type: ${type}`,
    fix:
      rule.resource.tool === 'Terraform'
        ? undefined
        : unsafeFix(setField(['Properties', 'EventPattern', 'detail-type', ...meant.step], type)),
  };
}

interface WrittenType {
  readonly written: string;
  /** Its place in the list of detail types. */
  readonly step: FieldPath;
}

/** The detail types of a rule that are meant for the event. */
function meantTypes({ pattern }: EventRule, type: string): WrittenType[] {
  const written = pattern?.['detail-type'];
  return (
    Array.isArray(written) ? written.map((one: unknown, index) => [one, [index]] as const) : [[written, []] as const]
  )
    .flatMap(([one, step]) => (typeof one === 'string' ? [{ written: one, step }] : []))
    .filter((one) => one.written === type || (!SENT_BY_AWS.includes(one.written) && resembles(one.written, type)));
}

/** Names of other events that resemble the names of events for Karpenter. */
const SENT_BY_AWS: readonly string[] = [
  ...karpenterEvents().map(({ pattern }) => pattern['detail-type'][0]),
  'AWS Health Abuse Event',
];
/** The share of words that a misspelt name has in common with the right one. */
const ENOUGH_WORDS = 0.75;

/** Whether two texts are equal up to case, spaces and punctuation, and a few typing errors or one word. */
function resembles(left: string, right: string): boolean {
  const [a, b] = [left, right].map((text) => text.toLowerCase().replace(/[^a-z0-9]/g, ''));
  if (Math.abs(a.length - b.length) <= 2 && editDistance(a, b) <= 3) return true;
  const [words, others] = [left, right].map((text) => new Set(text.toLowerCase().match(/[a-z0-9]+/g) ?? []));
  const common = [...words].filter((word) => others.has(word)).length;
  return (2 * common) / (words.size + others.size) >= ENOUGH_WORDS;
}
