/**
 * The subset of EventBridge's event patterns that interruption rules use: exact values, at any depth.
 *
 * @see https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-event-patterns.html
 */
export interface EventPattern {
  readonly source: readonly string[];
  readonly 'detail-type': readonly string[];
  readonly detail?: EventPatternFields;
}

/** A leaf lists the allowed values of a field. */
export interface EventPatternFields {
  readonly [field: string]: readonly string[] | EventPatternFields;
}

/**
 * Whether an event matches a pattern in EventBridge. If the event has an array, one matching element is enough. The
 * comparison is case-sensitive.
 */
export function matchesEventPattern(pattern: EventPattern | EventPatternFields, event: unknown): boolean {
  return Object.entries(pattern).every(([field, expected]) => matchesField(expected, fieldOf(event, field)));
}

function matchesField(expected: readonly string[] | EventPatternFields, value: unknown): boolean {
  if (!isValues(expected)) {
    return Array.isArray(value)
      ? value.some((element) => matchesEventPattern(expected, element))
      : matchesEventPattern(expected, value);
  }
  return (Array.isArray(value) ? value : [value]).some(
    (element) => typeof element === 'string' && expected.includes(element),
  );
}

function isValues(expected: readonly string[] | EventPatternFields): expected is readonly string[] {
  return Array.isArray(expected);
}

function fieldOf(event: unknown, field: string): unknown {
  const hasField = typeof event === 'object' && event !== null && Object.hasOwn(event, field);
  return hasField ? (event as Record<string, unknown>)[field] : undefined;
}
