import { countText, jsonText } from '../../model';
import type { CheckOptions, RootRow, RootVerdict, TextOptions } from '../../validation';
import { chooseRoot, RenderedRoot, shortRootNames } from '../input/roots';
import { EXIT, Io, UsageError } from '../io';
import { lazy } from '../lazy';
import { AcknowledgeFlags, writeBaseline } from '../options/acknowledge-options';
import { exitCodeOf, FailOnFlags } from '../options/fail-on';
import { textOptions, wrapped, writeResult } from '../output/output';
import { textTable } from '../output/text-table';
import { sarifOptions, VerdictFormat } from '../output/verdict-output';

const INTERRUPTED = 'not checked, because the command was interrupted';

export interface CheckRootsFlags extends FailOnFlags, AcknowledgeFlags {
  readonly format: VerdictFormat;
  readonly output?: string;
  readonly each?: boolean;
  readonly verbose?: boolean;
  readonly scenario?: readonly string[];
}

/**
 * Judges each root for itself. The exit code is that of the worst root.
 *
 * @throws UsageError if the result cannot be about several roots
 */
export function checkRoots(
  roots: readonly RenderedRoot[],
  options: CheckOptions,
  flags: CheckRootsFlags,
  io: Io,
): number {
  const several = `the input has ${countText(roots.length, 'root')} that are deployed separately; ${chooseRoot(shortRootNames(roots))}`;
  if (flags.scenario !== undefined) throw new UsageError(`--scenario: ${several}`);
  const acknowledge = { ...options.acknowledge, isPartial: true };
  const { validation } = lazy;
  const judged: RootVerdict[] = [];
  for (const [index, { name, kind, notes, skipped, sources }] of roots.entries()) {
    const onProgress = validation.progressOfUnit(options.onProgress, `${name} (${index + 1} of ${roots.length})`);
    const verdict =
      skipped === undefined ? validation.check(sources, { ...options, acknowledge, onProgress }) : undefined;
    // A chart of CRDs or a template of a bucket has nothing to judge, which is no mistake beside other roots.
    const mayBeEmpty = kind === 'chart' || (kind === 'files' && sources.every(({ isFound }) => isFound));
    const isEmpty = mayBeEmpty && verdict?.findings.some(validation.isNothingToEvaluate);
    const result = isEmpty ? { skipped: 'nothing in it is judged' } : { verdict, skipped };
    judged.push({ name, kind, notes, ...result });
    const rest = roots
      .slice(index + 1)
      .map((root): RootVerdict => ({ name: root.name, kind: root.kind, notes: root.notes, skipped: INTERRUPTED }));
    if (rest.length > 0)
      io.keepPartialResult?.(() => ({ file: flags.output, text: resultText([...judged, ...rest], flags, io) }));
  }
  const verdicts = withUnmatchedEntries(judged, options.acknowledge);
  if (flags.writeBaseline !== undefined)
    writeBaseline(
      flags.writeBaseline,
      verdicts.flatMap(({ verdict }) => verdict ?? []),
      io,
    );
  writeResult(io, flags.output, resultText(verdicts, flags, io));
  const findings = validation.findingsOfRoots(verdicts);
  const notEvaluated = verdicts.reduce((sum, { verdict }) => sum + (verdict?.notEvaluated.length ?? 0), 0);
  if (verdicts.every(({ verdict }) => verdict === undefined)) return EXIT.unusable;
  return flags.writeBaseline === undefined ? exitCodeOf(findings, flags, notEvaluated) : EXIT.ok;
}

function resultText(
  verdicts: readonly RootVerdict[],
  { format, output, each, verbose }: CheckRootsFlags,
  io: Io,
): string {
  if (format !== 'text') return documentOf(verdicts, format);
  return wrapped(io, output, textOf(verdicts, each === true, { ...textOptions(io, output), verbose }));
}

/** Adds acknowledgements that match in no root to the first verdict. */
function withUnmatchedEntries(
  roots: readonly RootVerdict[],
  options: CheckOptions['acknowledge'],
): readonly RootVerdict[] {
  const unmatched = options
    ? lazy.validation.unmatchedEntries(
        options,
        roots.flatMap(({ verdict }) => verdict?.acknowledged ?? []),
      )
    : [];
  const first = roots.findIndex(({ verdict }) => verdict !== undefined);
  if (unmatched.length === 0 || first < 0) return roots;
  const { findings, summary, ...verdict } = roots[first].verdict!;
  const extended = {
    ...verdict,
    summary: { ...summary, infos: summary.infos + unmatched.length },
    findings: [...findings, ...unmatched],
  };
  return roots.map((root, index) => (index === first ? { ...root, verdict: extended } : root));
}

function textOf(verdicts: readonly RootVerdict[], isEach: boolean, options: TextOptions): string {
  const { validation } = lazy;
  if (!isEach) return validation.renderRootsText(verdicts, tableOf, options);
  return verdicts
    .map(validation.printableRoot)
    .map(({ name, verdict, notes, skipped }) =>
      [
        `== ${name} ==`,
        ...notes,
        ...(skipped === undefined ? [] : [skipped]),
        ...(verdict ? [validation.renderText(verdict, options)] : ['']),
      ].join('\n'),
    )
    .join('\n');
}

function tableOf(rows: readonly RootRow[]): string {
  return textTable(rows, ['left', 'right', 'right', 'right', 'right', 'right']);
}

function documentOf(verdicts: readonly RootVerdict[], format: Exclude<VerdictFormat, 'text'>): string {
  const { validation } = lazy;
  const findings = validation.findingsOfRoots(verdicts);
  switch (format) {
    case 'json':
      return jsonText({ schemaVersion: '1', roots: verdicts });
    case 'html':
      return validation.renderRootsHtml(verdicts, validation.RULES);
    case 'markdown':
      return validation.renderRootsMarkdown(verdicts);
    case 'unix':
      return validation.renderUnix({
        findings,
        notEvaluated: verdicts.flatMap(({ verdict }) => verdict?.notEvaluated ?? []),
      });
    case 'codequality':
      return validation.renderCodeQuality({ findings }, process.cwd());
    case 'sarif': {
      const acknowledged = validation.acknowledgedOfRoots(verdicts);
      const notEvaluated = verdicts.flatMap(({ verdict }) => verdict?.notEvaluated ?? []);
      const assumptions = sentencesOfRoots(verdicts);
      return validation.renderSarif(
        { findings, notEvaluated, assumptions, ...(acknowledged.length > 0 ? { acknowledged } : {}) },
        sarifOptions(false),
      );
    }
    // Only one root can have costs: several are refused before.
    case 'opencost':
      return validation.renderOpenCostJson(verdicts[0].verdict?.costs);
    case 'opencost-csv':
      return validation.renderOpenCostCsv(verdicts[0].verdict?.costs);
  }
}

/** What all roots assume, and why some are not judged: a sentence of several roots once, any other with its root. */
function sentencesOfRoots(roots: readonly RootVerdict[]): string[] {
  const namesBySentence = new Map<string, string[]>();
  for (const { name, notes, skipped, verdict } of roots) {
    for (const sentence of new Set([
      ...notes,
      ...(skipped === undefined ? [] : [skipped]),
      ...(verdict?.assumptions ?? []),
    ]))
      namesBySentence.set(sentence, [...(namesBySentence.get(sentence) ?? []), name]);
  }
  return [...namesBySentence].map(([sentence, [name, ...others]]) =>
    others.length === 0 && roots.length > 1 ? `${name}: ${sentence}` : sentence,
  );
}
