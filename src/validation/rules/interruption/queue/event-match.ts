import { EventPattern, InterruptionEvent } from '../../../../contract';
import { allOf, Answer, anyOf, EventRule, sameText } from '../../../template';

/** The fields of an event that patterns look at. An absent field can have any value. */
export type SampleEvent = Readonly<Record<string, unknown>>;

/** An event that EventBridge sends for the pattern, without its region and account. */
export function sampleOf(pattern: EventPattern): SampleEvent {
  return {
    source: pattern.source[0],
    'detail-type': pattern['detail-type'][0],
    ...(pattern.detail ? { detail: firstValues(pattern.detail) } : {}),
  };
}

/** Whether the rule matches the event and sends it to its targets. */
export function delivers(rule: EventRule, event: InterruptionEvent): Answer {
  if (rule.state === 'DISABLED' || isOtherBus(rule)) return 'no';
  return rule.pattern ? matchesEvent(rule.pattern, sampleOf(event.pattern)) : 'unknown';
}

/** Whether the rule is on a custom bus: events of AWS services reach the default bus only. */
export function isOtherBus({ bus }: EventRule): boolean {
  return bus !== undefined && bus !== 'default' && sameText(bus, 'default') === 'no';
}

/** Whether the pattern matches every such event. Filters other than lists of strings are `unknown`. */
function matchesEvent(pattern: Readonly<Record<string, unknown>>, event: SampleEvent): Answer {
  return allOf(Object.entries(pattern).map(([field, filter]) => matchesField(filter, event[field])));
}

function matchesField(filter: unknown, value: unknown): Answer {
  if (Array.isArray(filter))
    return value === undefined ? 'unknown' : anyOf(filter.map((item) => matchesValue(item, value)));
  if (typeof filter !== 'object' || filter === null) return 'unknown';
  return typeof value === 'object' && value !== null
    ? matchesEvent(filter as Readonly<Record<string, unknown>>, value as SampleEvent)
    : 'unknown';
}

function matchesValue(item: unknown, value: unknown): Answer {
  if (typeof item !== 'string') return 'unknown';
  return item === value ? 'yes' : 'no';
}

function firstValues(fields: NonNullable<EventPattern['detail']>): SampleEvent {
  const first = (value: unknown) => (Array.isArray(value) ? value[0] : firstValues(value as typeof fields));
  return Object.fromEntries(Object.entries(fields).map(([field, value]) => [field, first(value)]));
}
