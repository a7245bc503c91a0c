import { Verdict } from './verdict';
import { Difference } from '../difference/difference';

/** The verdict as JSON, schema version 1. The same verdict gives the same bytes. */
export function renderJson(verdict: Verdict & { readonly scenarios?: unknown }): string {
  return `${JSON.stringify(verdict, toJson, 2)}\n`;
}

/** A difference as JSON, schema version 1. The same input gives the same bytes. */
export function renderDifferenceJson(difference: Difference): string {
  return `${JSON.stringify(difference, toJson, 2)}\n`;
}

/** Evidence may contain bigint amounts and maps of them. */
function toJson(_key: string, value: unknown): unknown {
  if (typeof value === 'bigint') return value <= Number.MAX_SAFE_INTEGER && value >= Number.MIN_SAFE_INTEGER ? Number(value) : value.toString();
  return value instanceof Map ? Object.fromEntries(value) : value;
}
