import { Field } from '../yaml/fields';
import { plainOf } from '../yaml/plain';

/** Seconds as Go writes them, without zero parts: `720h`, `1m30s`, `0s`. */
export function formatSeconds(seconds: number): string {
  const parts = [[Math.floor(seconds / 3600), 'h'], [Math.floor(seconds / 60) % 60, 'm'], [seconds % 60, 's']] as const;
  return parts.filter(([amount]) => amount > 0).map(([amount, unit]) => `${amount}${unit}`).join('') || '0s';
}

/** The duration of a field that holds whole seconds; undefined for any other value. */
export function durationOf(field: Field | undefined): string | undefined {
  const seconds = field && plainOf(field.value);
  return Number.isSafeInteger(seconds) && (seconds as number) >= 0 ? formatSeconds(seconds as number) : undefined;
}
