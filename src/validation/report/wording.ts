import { createColors } from 'picocolors';
import { OfferVerdict, Verdict } from './verdict';
import { printableLine } from '../../model';

export type Colors = ReturnType<typeof createColors>;

export interface TextOptions {
  /** Whether to color the text for a terminal. @default false */
  readonly color?: boolean;
}

/** A titled part of a report. It is left out if it has no lines. */
export interface Section {
  readonly title: string;
  readonly lines: readonly string[];
}

/** Ends a list that is cut off. */
export const LIST_ALL = ' (--format json lists all)';

const USD = 'USD';

/** The average number of hours in a month, as AWS uses it in prices per month. */
const HOURS_PER_MONTH = 730;

/** `1 pod`, `2 pods`. */
export function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** `and 3 more nodes (--format json lists all)`. */
export function moreText(count: number, noun: string): string {
  return `and ${count} more ${noun}${count === 1 ? '' : 's'}${LIST_ALL}`;
}

/** `1,363`. */
export function formatCount(count: number): string {
  return count.toLocaleString('en-US');
}

/** USD without a unit, to a hundredth of a cent as in EC2's price list, for tables: `0.0960`. */
export function formatUsd(usd: number): string {
  return usd.toFixed(4);
}

/** `$0.0960/h`, or `CNY 0.0960/h`. */
export function hourlyPrice(pricePerHour: number, currency = USD): string {
  return `${currencySign(currency)}${formatUsd(pricePerHour)}/h`;
}

function currencySign(currency: string): string {
  return currency === USD ? '$' : `${currency} `;
}

/** `prices: 12 recorded 2025-05-28, 2 derived`. Empty without prices. */
export function priceSourcesText({ prices }: Pick<Verdict['summary']['cost'], 'prices'>): string {
  const total = prices.reduce((sum, { nodes }) => sum + nodes, 0);
  return prices.map(({ kind, date, nodes }, index) => {
    const count = index > 0 ? String(nodes) : prices.length === 1 ? (total === 1 ? 'the node price' : `all ${total} node prices`) : `${nodes} of ${total} node prices`;
    return `${count} ${kind}${date === null ? '' : kind === 'derived' ? ` from ${date}` : ` ${date}`}`;
  }).join(', ');
}

/** `$70/month`, or with cents below $10. */
export function monthlyPrice(pricePerHour: number, currency = USD): string {
  const usd = pricePerHour * HOURS_PER_MONTH;
  const digits = usd < 10 ? 2 : 0;
  return `${currencySign(currency)}${usd.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits })}/month`;
}

/** Hours, minutes and seconds: `00:01:20`. */
export function clock(seconds: number): string {
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return parts.map((part) => String(part).padStart(2, '0')).join(':');
}

/** The instance, zone and price of a launch: `m5.large spot in us-east-1a at $0.0384/h`. */
export function offerText({ instanceType, capacityType, zone, usdPerHour, reservation }: OfferVerdict, currency = USD): string {
  if (reservation !== undefined) return `${instanceType} in ${zone} from capacity reservation ${reservation}, already paid for`;
  return `${instanceType} ${capacityType} in ${zone} at ${hourlyPrice(usdPerHour, currency)}`;
}

/** The nodes that pods are scheduled to. If no node of the cluster takes pods, all of them are new. */
export function nodeCountText({ summary: { nodes }, filledNodes: { length: filled } }: Pick<Verdict, 'summary' | 'filledNodes'>): string {
  if (filled === 0) return plural(nodes, 'node');
  return [`${plural(filled, 'node')} of the cluster`, ...(nodes > 0 ? [plural(nodes, 'new node')] : [])].join(' and ');
}

/**
 * Escapes control characters and line feeds in all texts: names and values from manifests must not control a terminal. Evidence is
 * dropped.
 */
export function withoutControlCharacters<Report>(report: Report): Report {
  return JSON.parse(JSON.stringify(report, (key, value: unknown) => {
    if (key === 'evidence') return {};
    return typeof value === 'string' ? printableLine(value) : value;
  })) as Report;
}
