import type { CheckOptions, RootRow, RootVerdict } from '../../validation';
import { RenderedRoot } from '../input/roots';
import { EXIT, Io, UsageError } from '../io';
import { lazy } from '../lazy';
import { AcknowledgeFlags, writeBaseline } from '../options/acknowledge-options';
import { exitCodeOf, FailOnFlags } from '../options/fail-on';
import { formatTable, isColored, PLAIN_TABLE, writeResult, writeText } from '../output/output';
import { sarifOptions, VerdictFormat } from '../output/verdict-output';

export interface RootFlags extends FailOnFlags, AcknowledgeFlags {
  readonly format: VerdictFormat;
  readonly output?: string;
  readonly each?: boolean;
  readonly scenario?: readonly string[];
}

/**
 * Judges each root for itself. The exit code is that of the worst root.
 *
 * @throws UsageError if the result cannot be about several roots
 */
export function checkRoots(roots: readonly RenderedRoot[], options: CheckOptions, flags: RootFlags, io: Io): number {
  const names = roots.slice(0, 5).map(({ name }) => name).join(', ');
  const several = `the input has ${roots.length} roots that are deployed separately; name one of them, such as ${names}`;
  if (flags.scenario !== undefined) throw new UsageError(`--scenario: ${several}`);
  if (flags.format === 'html') throw new UsageError(`--format html: ${several}, or write --format json`);
  const acknowledge = { ...options.acknowledge, isPartial: true };
  const judged = roots.map((root): RootVerdict => {
    const { name, kind, notes, skipped, sources } = root;
    return { name, kind, notes, ...skipped === undefined ? { verdict: lazy.validation.check(sources, { ...options, acknowledge }) } : { skipped } };
  });
  const { validation } = lazy;
  const verdicts = withUnmatchedEntries(judged, options.acknowledge);
  if (flags.writeBaseline !== undefined) writeBaseline(flags.writeBaseline, verdicts.flatMap(({ verdict }) => verdict ?? []), io);
  if (flags.format === 'text') writeText(io, flags.output, textOf(verdicts, flags.each === true, isColored(io, flags.output)));
  else writeResult(io, flags.output, documentOf(verdicts, flags.format));
  const findings = validation.findingsOfRoots(verdicts);
  const notEvaluated = verdicts.reduce((sum, { verdict }) => sum + (verdict?.notEvaluated.length ?? 0), 0);
  const isNothingJudged = verdicts.every(({ verdict }) => verdict === undefined);
  if (isNothingJudged) return EXIT.unusable;
  return flags.writeBaseline === undefined ? exitCodeOf(findings, flags, notEvaluated) : EXIT.ok;
}

/** Adds acknowledgements that match in no root to the first verdict. */
function withUnmatchedEntries(roots: readonly RootVerdict[], options: CheckOptions['acknowledge']): readonly RootVerdict[] {
  const unmatched = options ? lazy.validation.unmatchedEntries(options, roots.flatMap(({ verdict }) => verdict?.acknowledged ?? [])) : [];
  const first = roots.findIndex(({ verdict }) => verdict !== undefined);
  if (unmatched.length === 0 || first < 0) return roots;
  const { findings, summary, ...verdict } = roots[first].verdict!;
  const extended = { ...verdict, summary: { ...summary, infos: summary.infos + unmatched.length }, findings: [...findings, ...unmatched] };
  return roots.map((root, index) => index === first ? { ...root, verdict: extended } : root);
}

function textOf(verdicts: readonly RootVerdict[], isEach: boolean, color: boolean): string {
  const { validation } = lazy;
  if (!isEach) return validation.renderRootsText(verdicts, tableOf, { color });
  return verdicts.map(({ name, verdict, notes, skipped }) =>
    [`== ${name} ==`, ...notes, ...skipped === undefined ? [] : [skipped], ...verdict ? [validation.renderText(verdict, { color })] : ['']].join('\n')).join('\n');
}

function tableOf([head, ...rows]: readonly RootRow[]): string {
  const table = new lazy.Table({ ...PLAIN_TABLE, head: [...head], colAligns: ['left', 'right', 'right', 'right', 'right', 'right'] });
  table.push(...rows.map((row) => [...row]));
  return formatTable(table.toString());
}

function documentOf(verdicts: readonly RootVerdict[], format: 'json' | 'markdown' | 'sarif'): string {
  const { validation } = lazy;
  switch (format) {
    case 'json': return `${JSON.stringify({ schemaVersion: '1', roots: verdicts }, undefined, 2)}\n`;
    case 'markdown': return validation.renderRootsMarkdown(verdicts);
    case 'sarif': {
      const acknowledged = validation.acknowledgedOfRoots(verdicts);
      const [first] = verdicts.flatMap(({ verdict }) => verdict ?? []);
      const merged = { ...first, findings: validation.findingsOfRoots(verdicts), ...acknowledged.length > 0 ? { acknowledged } : {} };
      return validation.renderSarif(merged, sarifOptions(false));
    }
  }
}
