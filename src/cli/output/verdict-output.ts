import type { BudgetCalendars, ScenarioResult, SchemaVersion, TextOptions, Verdict } from '../../validation';
import { Io, UsageError } from '../io';
import { lazy } from '../lazy';
import { packageVersion } from '../version';
import { textOptions, wrapped, writeResult } from './output';

/** The output formats of `check`. */
export const VERDICT_FORMATS = [
  'text',
  'json',
  'markdown',
  'html',
  'sarif',
  'unix',
  'codequality',
  'opencost',
  'opencost-csv',
] as const;
export type VerdictFormat = (typeof VERDICT_FORMATS)[number];

interface OutputFlags {
  readonly format: VerdictFormat;
  readonly output?: string;
  readonly schema?: SchemaVersion;
  readonly scenario?: readonly string[];
  readonly costBy?: string;
  readonly verbose?: boolean;
}

/** Everything that `check` prints. */
export interface CheckResult {
  readonly verdict: Verdict;
  readonly scenarios?: ScenarioResult;
  /** For pages. */
  readonly calendars?: BudgetCalendars;
  /** Whether some input could not be read. */
  readonly isPartial: boolean;
}

/** The formats that contain only findings. */
const FINDINGS_ONLY: readonly VerdictFormat[] = ['sarif', 'unix', 'codequality'];
/** The formats that contain only costs. */
const COSTS_ONLY: readonly VerdictFormat[] = ['opencost', 'opencost-csv'];
const DEFAULT_COST_BY = 'workload';

/** @throws UsageError if the format cannot contain the requested result */
export function checkFormat({ format, scenario }: OutputFlags): void {
  if (![...FINDINGS_ONLY, ...COSTS_ONLY].includes(format) || scenario === undefined) return;
  throw new UsageError(
    `--format: ${format} cannot contain scenarios; write html, markdown or json, or omit --scenario`,
  );
}

/** By what the costs are listed, if they are. */
export function costByOf({ format, costBy }: OutputFlags): string | undefined {
  return costBy ?? (COSTS_ONLY.includes(format) ? DEFAULT_COST_BY : undefined);
}

export function writeVerdict(result: CheckResult, flags: OutputFlags, io: Io): void {
  writeResult(io, flags.output, verdictText(result, flags, io));
}

/** The result as it is written. */
export function verdictText(result: CheckResult, { format, output, schema, verbose }: OutputFlags, io: Io): string {
  return format === 'text'
    ? wrapped(io, output, textOf(result, { ...textOptions(io, output), verbose }))
    : documentOf(result, format, schema);
}

export function sarifOptions(isPartial: boolean): Parameters<typeof lazy.validation.renderSarif>[1] {
  return { version: packageVersion(), root: process.cwd(), rules: lazy.validation.RULES, isPartial };
}

function textOf({ verdict, scenarios }: CheckResult, options: TextOptions): string {
  const { validation } = lazy;
  return [
    validation.renderText(verdict, options),
    ...(scenarios ? [validation.renderScenariosText(scenarios, options)] : []),
  ].join('\n');
}

function documentOf(
  { verdict, scenarios, calendars, isPartial }: CheckResult,
  format: Exclude<VerdictFormat, 'text'>,
  schema?: SchemaVersion,
): string {
  const { validation } = lazy;
  switch (format) {
    case 'json':
      return validation.renderJson(scenarios ? { ...verdict, scenarios } : verdict, schema);
    case 'html':
      return validation.renderHtml(verdict, scenarios, validation.RULES, calendars);
    case 'markdown':
      return validation.renderMarkdown(verdict, scenarios);
    case 'sarif':
      return validation.renderSarif(verdict, sarifOptions(isPartial));
    case 'unix':
      return validation.renderUnix(verdict);
    case 'codequality':
      return validation.renderCodeQuality(verdict, process.cwd());
    case 'opencost':
      return validation.renderOpenCostJson(verdict.costs);
    case 'opencost-csv':
      return validation.renderOpenCostCsv(verdict.costs);
  }
}
