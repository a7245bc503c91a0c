/**
 * The part of EventBridge's patterns that rules for interruptions use: exact values, at any depth.
 *
 * @see https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-event-patterns.html
 */
export interface EventPattern {
  readonly 'source': readonly string[];
  readonly 'detail-type': readonly string[];
  readonly 'detail'?: EventPatternFields;
}

/** A leaf lists values; the event must have one of them. */
export interface EventPatternFields {
  readonly [field: string]: readonly string[] | EventPatternFields;
}

/**
 * Whether EventBridge would take the event for one of the pattern: of an array in the event one value is enough, and
 * letters are compared as they are.
 */
export function matchesEventPattern(pattern: EventPattern | EventPatternFields, event: unknown): boolean {
  return Object.entries(pattern).every(([field, wanted]) => matchesField(wanted, fieldOf(event, field)));
}

function matchesField(wanted: readonly string[] | EventPatternFields, value: unknown): boolean {
  if (!isValues(wanted)) {
    return Array.isArray(value) ? value.some((element) => matchesEventPattern(wanted, element)) : matchesEventPattern(wanted, value);
  }
  return (Array.isArray(value) ? value : [value]).some((element) => typeof element === 'string' && wanted.includes(element));
}

function isValues(wanted: readonly string[] | EventPatternFields): wanted is readonly string[] {
  return Array.isArray(wanted);
}

function fieldOf(event: unknown, field: string): unknown {
  const known = typeof event === 'object' && event !== null && Object.hasOwn(event, field);
  return known ? (event as Record<string, unknown>)[field] : undefined;
}
