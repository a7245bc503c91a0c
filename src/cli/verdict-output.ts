import type { Played, Verdict } from '../validation';
import { Io, UsageError } from './io';
import { lazy } from './lazy';
import { isColored, writeResult, writeText } from './output';
import { packageVersion } from './version';

/** How `check` prints its verdict. */
export const VERDICT_FORMATS = ['text', 'json', 'markdown', 'html', 'sarif'] as const;
export type VerdictFormat = typeof VERDICT_FORMATS[number];

interface OutputFlags {
  readonly format: VerdictFormat;
  readonly output?: string;
  readonly scenario?: readonly string[];
}

export interface Judged {
  readonly verdict: Verdict;
  readonly played?: Played;
  /** Whether some input could not be read. */
  readonly isPartial: boolean;
}

/** @throws UsageError where the format has no place for what is asked */
export function checkFormat({ format, scenario }: OutputFlags): void {
  if (format !== 'sarif' || scenario === undefined) return;
  throw new UsageError('--format: SARIF has no place for scenarios, got "sarif"; write html, markdown or json, or leave --scenario out');
}

export function writeVerdict(judged: Judged, { format, output }: OutputFlags, io: Io): void {
  if (format === 'text') writeText(io, output, textOf(judged, isColored(io, output)));
  else writeResult(io, output, documentOf(judged, format));
}

function textOf({ verdict, played }: Judged, color: boolean): string {
  const { validation } = lazy;
  return [validation.renderText(verdict, { color }), ...played ? [validation.renderScenariosText(played, { color })] : []].join('\n');
}

function documentOf({ verdict, played, isPartial }: Judged, format: Exclude<VerdictFormat, 'text'>): string {
  const { validation } = lazy;
  switch (format) {
    case 'json': return validation.renderJson(played ? { ...verdict, scenarios: played } : verdict);
    case 'html': return validation.renderHtml(verdict, played);
    case 'markdown': return validation.renderMarkdown(verdict, played);
    case 'sarif': return validation.renderSarif(verdict, { version: packageVersion(), root: process.cwd(), rules: validation.RULES, isPartial });
  }
}
