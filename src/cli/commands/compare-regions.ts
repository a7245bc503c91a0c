import { jsonText } from '../../model';
import type { CheckOptions, RegionResult, SourceFile } from '../../validation';
import { describeProblem } from '../input/input-problem';
import { EXIT, Io, UsageError } from '../io';
import { lazy } from '../lazy';
import { FailOnFlags } from '../options/fail-on';
import { writeResult, writeText } from '../output/output';
import { textTable } from '../output/text-table';

export interface CompareRegionsFlags extends FailOnFlags {
  readonly compareRegions: readonly string[];
  readonly format: string;
  readonly output?: string;
  readonly zones?: readonly string[];
  readonly cluster?: readonly string[];
  readonly scenario?: readonly string[];
}

/**
 * Checks the same manifests in several regions. The exit code is that of the worst region.
 *
 * @throws UsageError if another option is about one region, or the result cannot be written in the format
 */
export function printRegionComparison(
  sources: readonly SourceFile[],
  options: CheckOptions,
  flags: CompareRegionsFlags,
  io: Io,
): number {
  const ofOneRegion = (['zones', 'cluster', 'scenario'] as const).find((name) => flags[name] !== undefined);
  if (ofOneRegion !== undefined)
    throw new UsageError(
      `--compare-regions: cannot be combined with --${ofOneRegion}, which is about one region; omit --${ofOneRegion}`,
    );
  if (flags.format !== 'text' && flags.format !== 'json')
    throw new UsageError(`--compare-regions: cannot be written as ${flags.format}; write --format text or json`);
  const { validation } = lazy;
  const comparison = validation.compareRegions(
    sources,
    { ...options, zones: undefined, zoneIds: {} },
    flags.compareRegions,
  );
  if (comparison.problems.length > 0) {
    for (const problem of comparison.problems) io.writeError(describeProblem(problem));
    return EXIT.unusable;
  }
  if (flags.format === 'json') writeResult(io, flags.output, jsonText(comparison, evidenceToJson));
  else writeText(io, flags.output, validation.renderRegionsText(comparison, tableOf));
  return comparison.regions.some((result) => fails(result, flags)) ? EXIT.findings : EXIT.ok;
}

function fails({ summary, unschedulable }: RegionResult, { failOn }: FailOnFlags): boolean {
  if (failOn === 'never') return false;
  if (failOn === 'unevaluated' && summary.pods > summary.scheduledPods + unschedulable.length) return true;
  return summary.errors > 0 || (failOn === 'warning' && summary.warnings > 0);
}

function tableOf(rows: ReadonlyArray<readonly string[]>): string {
  return textTable(rows, ['left', 'right', 'right', 'right', 'right', 'left']);
}

/** Evidence may contain bigint amounts and maps of them. */
function evidenceToJson(_key: string, value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString();
  return value instanceof Map ? Object.fromEntries(value) : value;
}
