import type { ScenarioOptions } from '../../disruption';
import { countText, jsonText } from '../../model';
import type { CheckOptions, RootRow, SimulatedScenario, TextOptions } from '../../validation';
import { chooseRoot, RenderedRoot, shortRootNames } from '../input/roots';
import { EXIT, Io, UsageError } from '../io';
import { lazy } from '../lazy';
import { AcknowledgeFlags, writeBaseline } from '../options/acknowledge-options';
import { exitCodeOf, FailOnFlags } from '../options/fail-on';
import { textOptions, wrapped, writeResult } from '../output/output';
import { textTable } from '../output/text-table';
import { sarifOptions, VerdictFormat } from '../output/verdict-output';
import { expectMuchWork } from '../v8-tuning';
import { scenariosOfRootsText, SimulatedRoot, simulatedRoot } from './root-scenarios';

const MAX_ORDERS = 20;
const MIN_ORDERS = 3;
const ORDERS_OF_ALL_ROOTS = 1000;

const INTERRUPTED = 'not checked, because the command was interrupted';

export interface CheckRootsFlags extends FailOnFlags, AcknowledgeFlags {
  readonly format: VerdictFormat;
  readonly output?: string;
  readonly each?: boolean;
  readonly verbose?: boolean;
  readonly scenario?: readonly SimulatedScenario[];
}

/** Text and JSON have the scenarios of all roots, and the other formats those of one. */
const SCENARIO_FORMATS: readonly VerdictFormat[] = ['text', 'json'];

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
  simulation: ScenarioOptions = {},
): number {
  requireOneRoot(roots, flags, simulation);
  if (flags.scenario !== undefined) expectMuchWork();
  const acknowledge = { ...options.acknowledge, isPartial: true };
  const { validation } = lazy;
  const settle = options.settle && { ...options.settle, maxOrders: ordersOf(roots.length) };
  const judged: SimulatedRoot[] = [];
  for (const [index, { name, kind, notes, skipped, sources }] of roots.entries()) {
    const onProgress = validation.progressOfUnit(options.onProgress, `${name} (${index + 1} of ${roots.length})`);
    const rootOptions = { ...options, settle, acknowledge, onProgress };
    const { verdict, ...simulated } = skipped === undefined ? judgedRoot(sources, rootOptions, flags, simulation) : {};
    // A chart of CRDs or a template of a bucket has nothing to judge, which is no mistake beside other roots.
    const mayBeEmpty = kind === 'chart' || (kind === 'files' && sources.every(({ isFound }) => isFound));
    const isEmpty = mayBeEmpty && verdict?.findings.some(validation.isNothingToEvaluate);
    const result = isEmpty ? { skipped: 'nothing in it is judged' } : { verdict, skipped, ...simulated };
    judged.push({ name, kind, notes, ...result });
    const rest = roots
      .slice(index + 1)
      .map((root): SimulatedRoot => ({ name: root.name, kind: root.kind, notes: root.notes, skipped: INTERRUPTED }));
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
  if (flags.writeBaseline !== undefined) return EXIT.ok;
  const code = exitCodeOf(findings, flags, notEvaluated);
  return code === EXIT.ok && verdicts.some(isStopped) ? EXIT.findings : code;
}

/** @throws UsageError if the result cannot be about several roots */
function requireOneRoot(
  roots: readonly RenderedRoot[],
  { scenario, format }: CheckRootsFlags,
  { of }: ScenarioOptions,
): void {
  const why = of !== undefined ? '--of' : SCENARIO_FORMATS.includes(format) ? undefined : `--format ${format}`;
  if (scenario === undefined || why === undefined) return;
  throw new UsageError(
    `--scenario: with ${why}, only one root is simulated, but the input has ${countText(roots.length, 'root')} that are deployed separately; ${chooseRoot(shortRootNames(roots))}`,
  );
}

function judgedRoot(
  sources: RenderedRoot['sources'],
  options: CheckOptions,
  { scenario: names }: CheckRootsFlags,
  simulation: ScenarioOptions,
): Pick<SimulatedRoot, 'verdict' | 'scenarios' | 'notSimulated'> {
  if (names === undefined) return { verdict: lazy.validation.check(sources, options) };
  return simulatedRoot(sources, options, { names, options: simulation });
}

function isStopped({ scenarios }: SimulatedRoot): boolean {
  return scenarios?.reports.some(({ stopped }) => stopped) === true;
}

/** How many orders of names and UIDs are simulated for each root, so that hundreds of roots take seconds. */
function ordersOf(roots: number): number {
  return Math.max(MIN_ORDERS, Math.min(MAX_ORDERS, Math.floor(ORDERS_OF_ALL_ROOTS / roots)));
}

function resultText(
  verdicts: readonly SimulatedRoot[],
  { format, output, each, verbose, scenario }: CheckRootsFlags,
  io: Io,
): string {
  if (format !== 'text') return documentOf(verdicts, format);
  const options = { ...textOptions(io, output), verbose };
  const text = textOf(verdicts, each === true, options);
  return wrapped(io, output, scenario ? `${text}\n${scenariosOfRootsText(verdicts, options)}` : text);
}

/** Adds acknowledgements that match in no root to the first verdict. */
function withUnmatchedEntries(
  roots: readonly SimulatedRoot[],
  options: CheckOptions['acknowledge'],
): readonly SimulatedRoot[] {
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

function textOf(verdicts: readonly SimulatedRoot[], isEach: boolean, options: TextOptions): string {
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

function documentOf(verdicts: readonly SimulatedRoot[], format: Exclude<VerdictFormat, 'text'>): string {
  const { validation } = lazy;
  const findings = validation.findingsOfRoots(verdicts);
  switch (format) {
    case 'json':
      return jsonText({ schemaVersion: '1', roots: verdicts.map(documentRoot) });
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

/** Scenarios are part of the verdict, as with one root. */
function documentRoot({ scenarios, ...root }: SimulatedRoot): object {
  return scenarios ? { ...root, verdict: { ...root.verdict, scenarios } } : root;
}

/** What all roots assume, and why some are not judged: a sentence of several roots once, any other with its root. */
function sentencesOfRoots(roots: readonly SimulatedRoot[]): string[] {
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
