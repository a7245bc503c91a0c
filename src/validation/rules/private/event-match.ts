import { EventPattern, InterruptionEvent } from '../../../contract';
import { allOf, Answer, anyOf, EventRule, sameText } from '../../template';

/** An event as far as patterns look at it; a field that is not here can have any value. */
export type SampleEvent = Readonly<Record<string, unknown>>;

/** What EventBridge sends for one of these patterns, region and account aside. */
export function sampleOf(pattern: EventPattern): SampleEvent {
  return { 'source': pattern.source[0], 'detail-type': pattern['detail-type'][0], ...pattern.detail ? { detail: firstValues(pattern.detail) } : {} };
}

/** Whether a rule takes the event and sends it on. */
export function delivers(rule: EventRule, event: InterruptionEvent): Answer {
  if (rule.state === 'DISABLED' || isOtherBus(rule)) return 'no';
  return rule.pattern ? takes(rule.pattern, sampleOf(event.pattern)) : 'unknown';
}

/** Events of AWS come to the default bus only. */
export function isOtherBus({ bus }: EventRule): boolean {
  return bus !== undefined && bus !== 'default' && sameText(bus, 'default') === 'no';
}

/** Whether a rule with the pattern takes every such event. Filters other than lists of texts are not evaluated. */
export function takes(pattern: Readonly<Record<string, unknown>>, event: SampleEvent): Answer {
  return allOf(Object.entries(pattern).map(([field, wanted]) => takesField(wanted, event[field])));
}

function takesField(wanted: unknown, value: unknown): Answer {
  if (Array.isArray(wanted)) return value === undefined ? 'unknown' : anyOf(wanted.map((item) => isValue(item, value)));
  if (typeof wanted !== 'object' || wanted === null) return 'unknown';
  return typeof value === 'object' && value !== null ? takes(wanted as Readonly<Record<string, unknown>>, value as SampleEvent) : 'unknown';
}

function isValue(item: unknown, value: unknown): Answer {
  if (typeof item !== 'string') return 'unknown';
  return item === value ? 'yes' : 'no';
}

function firstValues(fields: NonNullable<EventPattern['detail']>): SampleEvent {
  const first = (value: unknown) => Array.isArray(value) ? value[0] : firstValues(value as typeof fields);
  return Object.fromEntries(Object.entries(fields).map(([field, value]) => [field, first(value)]));
}
