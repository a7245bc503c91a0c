import { createColors } from 'picocolors';

export type Colors = ReturnType<typeof createColors>;

/** A part of the report: nothing of it is printed where it has no lines. */
export interface Section {
  readonly title: string;
  readonly lines: readonly string[];
}

/** `1 pod`, `2 pods`. */
export function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** To a hundredth of a cent, as EC2's price list has it. */
export function formatUsd(usd: number): string {
  return usd.toFixed(4);
}
