import { createColors } from 'picocolors';
import { countText, hourlyPriceText, moreText, numberText, printableLine } from '../../model';
import { billedPrice } from '../vocabulary/billed-price';
import { Excerpt, OfferVerdict, Summary, Verdict } from '../vocabulary/verdict';

export type Colors = ReturnType<typeof createColors>;

export interface TextOptions {
  /** Whether to color the text for a terminal. @default false */
  readonly color?: boolean;
  /** The longest line in characters, except file paths. @default 100 */
  readonly width?: number;
  /** Whether bars and marks are ASCII characters. @default false */
  readonly ascii?: boolean;
  /** Whether to print all findings, nodes and NodePools, without any shortening. @default false */
  readonly verbose?: boolean;
}

/** Pods that fit before any error is fixed. */
export function fittingPods({ scheduledPods, asWritten }: Pick<Summary, 'scheduledPods' | 'asWritten'>): number {
  return asWritten?.scheduledPods ?? scheduledPods;
}

/** A titled part of a report. It is left out if it has no lines. */
export interface Section {
  readonly title: string;
  readonly lines: readonly string[];
}

/** Ends a list that is cut off. */
export const LIST_ALL = ' (--format json lists all)';
/** Ends a list that is cut off unless `verbose` is set. */
export const PRINT_ALL = ' (--verbose prints all)';

/** `and 3 more nodes (--format json lists all)`. @param hint says where to find the others */
export function omittedText(count: number, noun: string, hint: string = LIST_ALL): string {
  return `and ${moreText(count, noun)}${hint}`;
}

/** `prices: 12 recorded 2025-05-28, 2 derived`. Empty without prices. */
export function priceSourcesText({ prices }: Pick<Verdict['summary']['cost'], 'prices'>): string {
  const total = prices.reduce((sum, { nodes }) => sum + nodes, 0);
  return prices
    .map(({ kind, date, nodes }, index) => {
      const count =
        index > 0
          ? numberText(nodes)
          : prices.length === 1
            ? total === 1
              ? 'the node price'
              : `all ${countText(total, 'node price')}`
            : `${numberText(nodes)} of ${countText(total, 'node price')}`;
      return `${count} ${kind}${date === null ? '' : kind === 'derived' ? ` from prices of ${date}` : ` ${date}`}`;
    })
    .join(', ');
}

/** The instance, zone and price of a launch: `m5.large spot in us-east-1a at $0.0384/h`. */
export function offerText(offer: OfferVerdict, currency = 'USD'): string {
  const { instanceType, capacityType, zone, usdPerHour, reservation } = offer;
  if (reservation !== undefined)
    return `${instanceType} in ${zone} from capacity reservation ${reservation}, already paid for`;
  const billed = billedPrice(offer);
  const compared = billed === usdPerHour ? '' : ` (Karpenter compares ${hourlyPriceText(usdPerHour, currency)})`;
  return `${instanceType} ${capacityType} in ${zone} at ${hourlyPriceText(billed, currency)}${compared}`;
}

/** The nodes that pods are scheduled to. If no node of the cluster takes pods, all of them are new. */
export function nodeCountText({
  summary: { nodes },
  filledNodes: { length: filled },
}: Pick<Verdict, 'summary' | 'filledNodes'>): string {
  if (filled === 0) return countText(nodes, 'node');
  return [`${countText(filled, 'node')} of the cluster`, ...(nodes > 0 ? [countText(nodes, 'new node')] : [])].join(
    ' and ',
  );
}

/**
 * Escapes control characters and line feeds in all texts: names and values from manifests must not control a terminal.
 * Evidence is dropped.
 */
export function withoutControlCharacters<Report>(report: Report): Report {
  return JSON.parse(
    JSON.stringify(report, (key, value: unknown) => {
      if (key === 'evidence') return {};
      // A tab becomes one space, so that the column of a place stays the same.
      if (key === 'excerpt')
        return { ...(value as Excerpt), lines: (value as Excerpt).lines.map((line) => line.replaceAll('\t', ' ')) };
      return typeof value === 'string' ? printableLine(value) : value;
    }),
  ) as Report;
}
