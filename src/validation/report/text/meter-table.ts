import { Layout } from './layout';
import { percentText, printedLength } from '../../../model';

const MAX_BAR = 10;
/** Shorter bars show too little. */
const MIN_BAR = 4;
const MAX_NAME = 32;
/** Longer names are cut if there is no room for bars. */
const MIN_NAME = 14;
/** `100%`. */
const PERCENT = 4;
const GAP = 2;
/** Less than half requested is worth a look. */
const LOW = 0.5;

export interface MeterTable {
  /** The first that fits is used. The last is the shortest. */
  readonly titles: readonly string[];
  /** The head of the column of prices. */
  readonly price: string;
  /** The heads of the shares. */
  readonly meters: readonly string[];
  readonly rows: readonly MeterRow[];
}

export interface MeterRow {
  /** At most one character. */
  readonly mark: string;
  readonly name: string;
  readonly what: string;
  readonly price: string;
  /** From 0 to 1, for each meter; `null` for none. */
  readonly shares: ReadonlyArray<number | null>;
  /** Lines below the row. */
  readonly below: readonly string[];
}

/** Rows with shares as bars and percentages. In a narrow terminal, the bars become short, and the last has none. */
export function meterTable({ titles, price, meters, rows }: MeterTable, layout: Layout): string[] {
  const texts = rows.map(({ mark, name, what }) => ({ mark, name: layout.plain(name), what: layout.plain(what) }));
  const [what, priceWidth] = [
    longest(texts.map((text) => text.what)),
    longest([price, ...rows.map((row) => row.price)]),
  ];
  const shortTitle = titles[titles.length - 1];
  const wanted = Math.max(
    Math.min(MAX_NAME, longest(texts.map((text) => text.name))),
    printedLength(shortTitle) - GAP - GAP - what,
  );
  const room = layout.width - (GAP + GAP + what + GAP + priceWidth);
  const name = Math.max(Math.min(wanted, MIN_NAME), Math.min(wanted, room - minWidth(meters.length)));
  const columns = columnsFor(room - name, meters.length);
  const left = GAP + name + GAP + what;
  const title = titles.find((candidate) => printedLength(candidate) <= left) ?? shortTitle;
  const line = (cells: readonly string[], shares: readonly string[]) =>
    [cells.join(' '.repeat(GAP)), ...shares].join(' '.repeat(columns.gap)).trimEnd();
  const head = meters.map((meter, index) =>
    pad(layout.cut(meter, cellWidth(columns, index)), cellWidth(columns, index)),
  );
  return [
    layout.colors.bold(line([pad(layout.cut(title, left), left), price.padStart(priceWidth)], head)),
    ...rows.flatMap((row, index) => [
      line(
        [
          `${pad(row.mark, GAP)}${pad(layout.cut(texts[index].name, name), name)}`,
          pad(texts[index].what, what),
          row.price.padStart(priceWidth),
        ],
        row.shares.map((share, meter) => meterText(share, columns, meter, isLow(row), layout)),
      ),
      ...row.below,
    ]),
  ];
}

/** How wide bars are, and what separates them. */
interface Columns {
  readonly gap: number;
  /** Characters between a bar and its percentage. */
  readonly space: number;
  /** 0 for no bar. */
  readonly bars: readonly number[];
}

function longest(texts: readonly string[]): number {
  return Math.max(...texts.map(printedLength));
}

function pad(text: string, length: number): string {
  return text + ' '.repeat(Math.max(0, length - printedLength(text)));
}

/** The least width of narrow columns with bars. The last column has none. */
function minWidth(count: number): number {
  return count * (1 + PERCENT) + (count - 1) * MIN_BAR;
}

/** All meters have a bar if there is room, else all but the last, with narrow gaps if necessary. */
function columnsFor(room: number, count: number): Columns {
  const wide = { gap: GAP, space: 1 };
  const length = (gap: number, space: number, bars: number) =>
    Math.floor((room - count * (gap + PERCENT)) / bars) - space;
  const all = length(GAP, 1, count);
  if (all >= MIN_BAR) return { ...wide, bars: barsOf(count, Math.min(MAX_BAR, all), all) };
  const others = length(GAP, 1, count - 1);
  if (others >= MIN_BAR) return { ...wide, bars: barsOf(count, others, 0) };
  const narrow = length(1, 0, count - 1);
  return narrow >= MIN_BAR
    ? { gap: 1, space: 0, bars: barsOf(count, narrow, 0) }
    : { ...wide, bars: barsOf(count, 0, 0) };
}

function barsOf(count: number, length: number, last: number): number[] {
  return Array.from({ length: count }, (_, index) => Math.min(MAX_BAR, index === count - 1 ? last : length));
}

function cellWidth({ space, bars }: Columns, meter: number): number {
  return bars[meter] === 0 ? PERCENT : bars[meter] + space + PERCENT;
}

function meterText(share: number | null, columns: Columns, meter: number, low: boolean, layout: Layout): string {
  if (share === null) return ' '.repeat(cellWidth(columns, meter));
  const { red, yellow, green } = layout.colors;
  const paint = share > 1 ? red : low ? yellow : green;
  const percent = percentText(share).padStart(PERCENT);
  const bar = columns.bars[meter];
  return bar === 0 ? percent : `${paint(layout.bar(share, bar))}${' '.repeat(columns.space)}${percent}`;
}

/** Whether the two first shares, of CPU and memory, are low. */
function isLow({ shares: [cpu, memory] }: MeterRow): boolean {
  return Math.max(cpu ?? 0, memory ?? 0) < LOW;
}
