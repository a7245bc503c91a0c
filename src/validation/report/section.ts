import { createColors } from 'picocolors';
import { OfferVerdict } from './verdict';

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

/** Hours, minutes and seconds. */
export function clock(seconds: number): string {
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return parts.map((part) => String(part).padStart(2, '0')).join(':');
}

/** What a node can be launched as, and what that costs. */
export function offerText({ instanceType, capacityType, zone, usdPerHour, reservation }: OfferVerdict): string {
  if (reservation !== undefined) return `${instanceType} of capacity reservation ${reservation} in ${zone}, which is paid for already`;
  return `${instanceType} ${capacityType} in ${zone} at ${formatUsd(usdPerHour)} USD per hour`;
}
