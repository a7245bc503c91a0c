import { count } from './wording';
import { PdbManifest } from '../../manifest/model';

/** What a budget keeps, of how many pods. */
export interface Demand {
  readonly text: string;
  /** Pods that may be evicted at a time. */
  readonly allowed: number;
}

/** Kubernetes rounds up the percentages of both fields. Undefined for a value that is neither a number nor a percentage. */
export function demandOf({ minAvailable, maxUnavailable }: PdbManifest, total: number): Demand | undefined {
  const value = minAvailable ?? maxUnavailable!;
  const percent = percentOf(value);
  const amount = percent === undefined ? Number(value) : Math.ceil(percent * total / 100);
  if (!Number.isInteger(amount) || amount < 0) {
    return undefined;
  }
  const rounded = percent === undefined ? '' : ` = ${amount}, rounded up,`;
  if (minAvailable === undefined) {
    return { text: `maxUnavailable ${value}${rounded} of ${total}`, allowed: Math.min(amount, total) };
  }
  return { text: `minAvailable ${value}${percent === undefined ? '' : ` of ${total}${rounded}`} of ${count(total, 'replica')}`, allowed: total - amount };
}

export function percentOf(value: string | number | undefined): number | undefined {
  const digits = typeof value === 'string' ? /^(\d+)%$/.exec(value) : null;
  return digits === null ? undefined : Number(digits[1]);
}
