import { Command, CommanderError } from 'commander';
import { addBudgetsCommand } from './commands/budgets';
import { addCatalogCommand } from './commands/catalog';
import { addCheckCommand } from './commands/check';
import { addCompletionCommand } from './commands/completion';
import { addConvertCommand } from './commands/convert';
import { addDiffCommand } from './commands/diff';
import { addExplainCommand } from './commands/explain';
import { addInitCommand } from './commands/init';
import { addInstanceTypesCommand } from './commands/instance-types';
import { addRecommendCommand } from './commands/recommend';
import { addRulesCommand } from './commands/rules';
import { EXIT, Io, UsageError } from './io';
import { lazy } from './lazy';
import { addDebugOption, DEBUG, writeInternalError } from './options/debug-option';
import { HELP_OF_ANY_WIDTH } from './output/help';
import { packageVersion } from './version';
import { printableLine } from '../model';

const EXAMPLES = `
Examples:
  karpenter-constructs check manifests/
  helm template my-chart | karpenter-constructs check -
  karpenter-constructs check manifests/ --region eu-west-1 --format json --output verdict.json
  karpenter-constructs check manifests/ --scenario drift
  karpenter-constructs diff before/ after/
  karpenter-constructs explain manifests/ --pod shop/web-3
  karpenter-constructs recommend manifests/
  karpenter-constructs budgets manifests/ --time-zone Europe/Berlin
  karpenter-constructs instance-types pool.yaml --nodepool default
  karpenter-constructs catalog update --region eu-west-1
  karpenter-constructs convert provisioners.yaml --output nodepools.yaml
  karpenter-constructs init --region eu-west-1

Exit codes:
  0  no finding at or above --fail-on
  1  findings at or above --fail-on
  2  invalid input or arguments`;

/**
 * Runs one command line and returns its exit code. It never throws, and prints no stack trace for an error of the user.
 */
export async function main(argv: readonly string[], io: Io): Promise<number> {
  let exitCode: number = EXIT.ok;
  const runAgain = () =>
    main(
      argv.filter((word) => word !== '--watch'),
      io,
    );
  const program = createProgram(
    io,
    (code) => {
      exitCode = code;
    },
    runAgain,
  );
  try {
    await program.parseAsync([...argv], { from: 'user' });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.unusable;
    if (isOfUser(error)) io.writeError(usageText(error));
    else writeInternalError(error, argv.includes(DEBUG), io);
    return EXIT.unusable;
  }
}

/** @param runAgain runs the same command line once, without --watch */
function createProgram(io: Io, setExitCode: (code: number) => void, runAgain: () => Promise<number>): Command {
  const program = new Command('karpenter-constructs')
    .description('Predicts what Karpenter does with NodePools, EC2NodeClasses and workloads, before they are applied.')
    .version(packageVersion())
    .addHelpText('after', EXAMPLES)
    .showHelpAfterError('(run with --help for usage)')
    .exitOverride()
    .configureHelp(HELP_OF_ANY_WIDTH)
    .configureOutput({
      writeOut: io.writeOut,
      writeErr: io.writeError,
      getOutHasColors: () => io.color,
      getErrHasColors: () => false,
    });
  addCheckCommand(program, io, setExitCode, runAgain);
  addDiffCommand(program, io, setExitCode);
  addExplainCommand(program, io, setExitCode);
  addRecommendCommand(program, io, setExitCode);
  addBudgetsCommand(program, io, setExitCode);
  addInstanceTypesCommand(program, io, setExitCode);
  addCatalogCommand(program, io, setExitCode);
  addConvertCommand(program, io, setExitCode);
  addInitCommand(program, io);
  addRulesCommand(program, io);
  addCompletionCommand(program, io);
  addDebugOption(program);
  return program;
}

function isOfUser(error: unknown): error is Error {
  // The catalogue is loaded only now, because most commands that fail have not loaded it.
  return error instanceof UsageError || error instanceof lazy.catalog.CatalogProblem;
}

/** Details are indented, so that no line of the user's text is at the start of a line. */
function usageText(error: Error): string {
  const details = error instanceof UsageError ? error.details : [];
  return [`error: ${error.message}`, ...details.map((line) => `  ${line}`)]
    .map((line) => `${printableLine(line)}\n`)
    .join('');
}
