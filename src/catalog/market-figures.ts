import { INTERRUPTION_BANDS, RegionFile } from './region-file';

/** What is recorded about spot instances of a type in a region. */
export interface SpotFigures {
  /** Average price of the 30 days before `date`, in percent of on-demand. */
  readonly percentOfOnDemand: number;
  /** Price in the cheapest zone on `date`, in percent of on-demand; null if unknown. */
  readonly cheapestZonePercent: number | null;
  /** The same in the dearest zone. */
  readonly dearestZonePercent: number | null;
  /** Share of the type's spot instances that EC2 interrupted in the month before `date`; null if unknown. */
  readonly interruption: (typeof INTERRUPTION_BANDS)[number] | null;
  /** `YYYY-MM-DD`. */
  readonly date: string;
}

/** The record of a type, undefined if there is none. */
export function spotFigures(file: RegionFile, row: number): SpotFigures | undefined {
  const { spotOf, spotPercent, spotPercentLow, spotPercentHigh, interruptionBand } = file;
  const percent = spotPercent?.[row] ?? undefined;
  if (spotOf === undefined || percent === undefined) return undefined;
  return {
    percentOfOnDemand: percent,
    cheapestZonePercent: spotPercentLow?.[row] ?? null,
    dearestZonePercent: spotPercentHigh?.[row] ?? null,
    interruption: INTERRUPTION_BANDS[Number(interruptionBand?.[row] ?? NaN)] ?? null,
    date: spotOf,
  };
}
