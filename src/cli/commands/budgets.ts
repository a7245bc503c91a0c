import { Command, Option } from 'commander';
import { countText, jsonText } from '../../model';
import { describeProblem, isClusterUnread } from '../input/input-problem';
import { chooseRoot, dividedFiles, shortRootNames } from '../input/roots';
import { readSourceFiles } from '../input/source-files';
import { EXIT, Io, UsageError } from '../io';
import { lazy } from '../lazy';
import { choiceOption, quoted } from '../options/choice-option';
import { addRootOptions, RootFlags } from '../options/root-options';
import { parseTimestamp } from '../options/scenario-options';
import { addSharedOptions, checkOptionsFromFlags, clusterOptions, SharedFlags } from '../options/shared-options';
import { shown, writeResult } from '../output/output';

interface BudgetsFlags extends SharedFlags, RootFlags {
  readonly format: 'text' | 'json' | 'html';
  readonly timeZone?: string;
  readonly at?: number;
  readonly allow?: readonly string[];
  readonly reason?: readonly Reason[];
  readonly nodes?: string;
}

const REASONS = ['Empty', 'Underutilized', 'Drifted', 'Unhealthy'] as const;
type Reason = (typeof REASONS)[number];

const HELP = `
With manifests, the result shows for each NodePool, reason and hour of the week
how many nodes its disruption budgets allow to be disrupted at the same time.
Percentages are of the nodes that the manifests need, or of those in --cluster.

With --allow, it is the budgets with which nodes are disrupted only then. A
budget can only forbid, so they forbid all other times. A window has days
(mon, mon-fri, sat,sun or daily) and two times; if it ends before it begins, it
goes past midnight. Schedules of budgets are in UTC: with --time-zone, windows
are converted.

Examples:
  karpenter-constructs budgets manifests/
  karpenter-constructs budgets manifests/ --time-zone Europe/Berlin --format html --output budgets.html
  karpenter-constructs budgets --allow 'mon 01:00-05:00'
  karpenter-constructs budgets --allow 'sat,sun 22:00-04:00' --reason Drifted --time-zone America/New_York`;

export function addBudgetsCommand(program: Command, io: Io, setExitCode: (code: number) => void): void {
  const command = program
    .command('budgets')
    .description('Shows when disruption budgets allow disruptions, or writes budgets that allow them only then.')
    .argument('[path...]', 'manifests with NodePools: files, folders, or - for standard input');
  addRootOptions(addSharedOptions(command))
    .option('--time-zone <name>', 'a time zone besides UTC, or the one of --allow, for example Europe/Berlin')
    .addOption(
      new Option('--at <time>', 'a time in the week to show (default: 2026-01-05T12:00Z)').argParser(parseTimestamp),
    )
    .option('--allow <window>', "write budgets for only then, for example 'mon 01:00-05:00'; can be repeated", collect)
    .addOption(
      new Option('--reason <reason>', 'for --allow: a reason that the budgets are about; can be repeated')
        .choices(REASONS)
        .argParser((text: string, before: readonly Reason[] = []) => [...before, reasonOf(text)]),
    )
    .option('--nodes <count>', 'for --allow: how many nodes may be disrupted at the same time then (default: 10%)')
    .addOption(choiceOption('--format <format>', 'output format', ['text', 'json', 'html']).default('text'))
    .addHelpText('after', HELP)
    .action(async (paths: string[], flags: BudgetsFlags) => setExitCode(await budgets(paths, flags, io)));
}

function collect(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, text];
}

function reasonOf(text: string): Reason {
  const reason = REASONS.find((candidate) => candidate === text);
  if (reason) return reason;
  throw new UsageError(`--reason: ${quoted(text)} is no reason of a budget; write ${REASONS.join(', ')}`);
}

async function budgets(paths: readonly string[], flags: BudgetsFlags, io: Io): Promise<number> {
  if (flags.allow !== undefined) return writeAllowing(flags.allow, paths, flags, io);
  const only = flags.reason !== undefined ? '--reason' : flags.nodes !== undefined ? '--nodes' : undefined;
  if (only !== undefined) throw new UsageError(`${only}: needs --allow; add for example --allow 'mon 01:00-05:00'`);
  if (paths.length === 0)
    throw new UsageError("name manifests with NodePools, or write budgets with --allow 'mon 01:00-05:00'");
  const { validation } = lazy;
  const options = { ...checkOptionsFromFlags(flags, io), ...(await clusterOptions(flags, paths, io)) };
  const divided = dividedFiles(await readSourceFiles(paths, io), flags);
  const { roots } = divided;
  if (roots && roots.length === 1) throw new UsageError(`${roots[0].name} is not judged: ${roots[0].skipped}`);
  if (roots)
    throw new UsageError(
      `the input has ${countText(roots.length, 'root')}, which are deployed separately; ${chooseRoot(shortRootNames(roots))}`,
    );
  const session = validation.readSession(divided.sources, { ...options, settle: {} });
  const calendars = inTimeZone(flags, (timeZone) => validation.budgetCalendars(session, { timeZone, at: flags.at }));
  const result = { ...calendars, notes: [...divided.notes, ...calendars.notes] };
  for (const problem of result.problems) io.writeError(describeProblem(problem));
  if (isClusterUnread(result.problems, options.cluster)) return EXIT.unusable;
  if (result.calendars.length === 0 && result.problems.length === 0)
    throw new UsageError('no file has a NodePool; pass the files that contain NodePools');
  if (flags.format === 'json') writeResult(io, flags.output, validation.renderBudgetsJson(result));
  else if (flags.format === 'html') writeResult(io, flags.output, validation.renderBudgetsHtml(result));
  else writeResult(io, flags.output, shown(io, flags.output, validation.renderBudgetsText(result)));
  return result.problems.length > 0 ? EXIT.unusable : EXIT.ok;
}

function writeAllowing(texts: readonly string[], paths: readonly string[], flags: BudgetsFlags, io: Io): number {
  const { validation } = lazy;
  if (paths.length > 0) throw new UsageError('--allow: writes budgets and reads no manifests; drop the paths');
  if (flags.format === 'html') throw new UsageError('--allow: writes text or JSON; drop --format html');
  const { nodes = '10%', timeZone = 'UTC' } = flags;
  if (!/^(100|\d{1,2})%$|^\d{1,9}$/.test(nodes))
    throw new UsageError(`--nodes: ${quoted(nodes)} is neither a count nor a percentage; write for example 2 or 20%`);
  const windows = texts.flatMap((text) => {
    const parsed = validation.parseWindows(text);
    if (parsed) return parsed;
    throw new UsageError(
      `--allow: ${quoted(text)} is no window; write days and two times, for example 'mon 01:00-05:00', 'mon-fri 22:00-04:00' or 'daily 02:00-03:30'`,
    );
  });
  const allowing = inTimeZone(flags, () => validation.allowingBudgets(windows, timeZone, flags.reason, flags.at));
  const described = `${texts.join(', ')} (${timeZone})`;
  const text =
    flags.format === 'json'
      ? jsonText({ budgets: validation.budgetSpecs(allowing, nodes), notes: allowing.notes })
      : validation.renderAllowingBudgets(allowing, described, nodes);
  writeResult(io, flags.output, text);
  return EXIT.ok;
}

/** @throws UsageError if the time zone is unknown, or no budgets can be written for it */
function inTimeZone<Result>({ timeZone = 'UTC' }: BudgetsFlags, compute: (timeZone: string) => Result): Result {
  if (!lazy.validation.isTimeZone(timeZone))
    throw new UsageError(`--time-zone: ${quoted(timeZone)} is unknown; write a name such as Europe/Berlin or UTC`);
  try {
    return compute(timeZone);
  } catch (error) {
    if (error instanceof RangeError) throw new UsageError(`--allow: ${error.message}`);
    throw error;
  }
}
