import { PublishedFileProblem } from './price-list-reader';
import { INTERRUPTION_BANDS } from '../region-file';

/** What the Spot Instance advisor says about a type in a region. */
export interface SpotAdvice {
  /** Average price of 30 days, in percent of on-demand. */
  readonly percent: number;
  /** Index into `INTERRUPTION_BANDS`. */
  readonly band: number;
}

type Json = Readonly<Record<string, unknown>>;

/**
 * The advice on Linux in a region, by instance type. Undefined if the advisor has no data of the region.
 *
 * @param text the JSON file of the advisor: `spot_advisor.<region>.Linux.<type>` has the savings `s` in percent of
 * on-demand, and the index `r` of the range of interruption
 * @throws PublishedFileProblem if it is no such file
 * @see https://aws.amazon.com/ec2/spot/instance-advisor/
 */
export function readSpotAdvice(text: string, region: string): ReadonlyMap<string, SpotAdvice> | undefined {
  const { ranges, spot_advisor: regions } = parsed(text);
  if (!Array.isArray(ranges) || !isRecord(regions)) throw new PublishedFileProblem('has no ranges or no regions');
  requireRanges(ranges);
  const system = Object.hasOwn(regions, region) ? (regions[region] as Json | null)?.Linux : undefined;
  if (!isRecord(system)) return undefined;
  const advice = Object.entries(system).map(([name, figures]): [string, SpotAdvice] => [name, adviceOf(name, figures)]);
  return advice.length === 0 ? undefined : new Map(advice);
}

function adviceOf(name: string, figures: unknown): SpotAdvice {
  const { s: savings, r: band } = isRecord(figures) ? figures : {};
  if (!Number.isInteger(savings) || (savings as number) < 0 || (savings as number) >= 100)
    throw new PublishedFileProblem(
      `has the savings ${JSON.stringify(savings) ?? 'missing'} for ${JSON.stringify(name.slice(0, 60))}`,
    );
  if (!Number.isInteger(band) || INTERRUPTION_BANDS[band as number] === undefined)
    throw new PublishedFileProblem(
      `has the range ${JSON.stringify(band) ?? 'missing'} for ${JSON.stringify(name.slice(0, 60))}`,
    );
  return { percent: 100 - (savings as number), band: band as number };
}

/** Other ranges would give the indices another meaning. */
function requireRanges(ranges: readonly unknown[]): void {
  const labels = ranges.map((range) => (isRecord(range) ? `${String(range.index)} ${String(range.label)}` : '')).sort();
  const known = INTERRUPTION_BANDS.map((band, index) => `${index} ${band}`);
  if (labels.join() !== known.join())
    throw new PublishedFileProblem(`has other ranges of interruption than ${INTERRUPTION_BANDS.join(', ')}`);
}

function parsed(text: string): Json {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new PublishedFileProblem(text.trimEnd().endsWith('}') ? 'is not JSON' : 'is cut off');
  }
  if (!isRecord(value)) throw new PublishedFileProblem('is not a JSON object');
  return value;
}

function isRecord(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
