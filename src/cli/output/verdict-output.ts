import type { ScenarioResult, Verdict } from '../../validation';
import { Io, UsageError } from '../io';
import { lazy } from '../lazy';
import { packageVersion } from '../version';
import { isColored, writeResult, writeText } from './output';

/** The output formats of `check`. */
export const VERDICT_FORMATS = ['text', 'json', 'markdown', 'html', 'sarif'] as const;
export type VerdictFormat = typeof VERDICT_FORMATS[number];

interface OutputFlags {
  readonly format: VerdictFormat;
  readonly output?: string;
  readonly scenario?: readonly string[];
}

/** Everything that `check` prints. */
export interface CheckResult {
  readonly verdict: Verdict;
  readonly scenarios?: ScenarioResult;
  /** Whether some input could not be read. */
  readonly isPartial: boolean;
}

/** @throws UsageError if the format cannot contain the requested result */
export function checkFormat({ format, scenario }: OutputFlags): void {
  if (format !== 'sarif' || scenario === undefined) return;
  throw new UsageError('--format: sarif cannot contain scenarios; write html, markdown or json, or omit --scenario');
}

export function writeVerdict(result: CheckResult, { format, output }: OutputFlags, io: Io): void {
  if (format === 'text') writeText(io, output, textOf(result, isColored(io, output)));
  else writeResult(io, output, documentOf(result, format));
}

export function sarifOptions(isPartial: boolean): Parameters<typeof lazy.validation.renderSarif>[1] {
  return { version: packageVersion(), root: process.cwd(), rules: lazy.validation.RULES, isPartial };
}

function textOf({ verdict, scenarios }: CheckResult, color: boolean): string {
  const { validation } = lazy;
  return [validation.renderText(verdict, { color }), ...scenarios ? [validation.renderScenariosText(scenarios, { color })] : []].join('\n');
}

function documentOf({ verdict, scenarios, isPartial }: CheckResult, format: Exclude<VerdictFormat, 'text'>): string {
  const { validation } = lazy;
  switch (format) {
    case 'json': return validation.renderJson(scenarios ? { ...verdict, scenarios } : verdict);
    case 'html': return validation.renderHtml(verdict, scenarios);
    case 'markdown': return validation.renderMarkdown(verdict, scenarios);
    case 'sarif': return validation.renderSarif(verdict, sarifOptions(isPartial));
  }
}
