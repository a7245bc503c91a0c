import { Command, CommanderError } from 'commander';
import { addCheckCommand } from './commands/check';
import { addConvertCommand } from './commands/convert';
import { addDiffCommand } from './commands/diff';
import { addExplainCommand } from './commands/explain';
import { addInstanceTypesCommand } from './commands/instance-types';
import { addRulesCommand } from './commands/rules';
import { EXIT, Io, UsageError } from './io';
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
  karpenter-constructs instance-types pool.yaml --nodepool default
  karpenter-constructs convert provisioners.yaml --output nodepools.yaml

Exit codes:
  0  no finding at or above --fail-on
  1  findings at or above --fail-on
  2  invalid input or arguments`;

/**
 * Runs one command line and returns its exit code. It never throws, and prints no stack trace for an error of the user.
 */
export async function main(argv: readonly string[], io: Io): Promise<number> {
  let exitCode: number = EXIT.ok;
  const program = createProgram(io, (code) => { exitCode = code; });
  try {
    await program.parseAsync([...argv], { from: 'user' });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.unusable;
    io.writeError(error instanceof UsageError ? `${printableLine(`error: ${error.message}`)}\n` : internalError(error));
    return EXIT.unusable;
  }
}

function createProgram(io: Io, setExitCode: (code: number) => void): Command {
  const program = new Command('karpenter-constructs')
    .description('Predicts what Karpenter does with NodePools, EC2NodeClasses and workloads, before they are applied.')
    .version(packageVersion())
    .addHelpText('after', EXAMPLES)
    .showHelpAfterError('(run with --help for usage)')
    .exitOverride()
    .configureHelp(HELP_OF_ANY_WIDTH)
    .configureOutput({ writeOut: io.writeOut, writeErr: io.writeError, getOutHasColors: () => io.color, getErrHasColors: () => false });
  addCheckCommand(program, io, setExitCode);
  addDiffCommand(program, io, setExitCode);
  addExplainCommand(program, io, setExitCode);
  addInstanceTypesCommand(program, io, setExitCode);
  addConvertCommand(program, io, setExitCode);
  addRulesCommand(program, io);
  return program;
}

function internalError(error: unknown): string {
  const detail = error instanceof Error ? error.stack ?? error.message : String(error);
  return `error: internal error of karpenter-constructs; please report it with the input that causes it\n${detail}\n`;
}
