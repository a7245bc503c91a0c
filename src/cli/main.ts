import { Command, CommanderError } from 'commander';
import { addCheckCommand } from './check-command';
import { addConvertCommand } from './convert-command';
import { addDiffCommand } from './diff-command';
import { addExplainCommand } from './explain-command';
import { HELP_OF_ANY_WIDTH } from './help';
import { addInstanceTypesCommand } from './instance-types-command';
import { EXIT, Io, UsageError } from './io';
import { addRulesCommand } from './rules-command';
import { packageVersion } from './version';
import { printable } from '../model';

const EXAMPLES = `
Examples:
  karpenter-constructs check manifests/
  helm template my-chart | karpenter-constructs check -
  karpenter-constructs check pool.yaml web.yaml --region eu-west-1 --format json --output verdict.json
  karpenter-constructs diff before/ after/
  karpenter-constructs explain manifests/ --pod shop/web-3
  karpenter-constructs instance-types pool.yaml --nodepool default
  karpenter-constructs convert provisioners.yaml --output nodepools.yaml

Exit codes:
  0  no finding at or above --fail-on
  1  findings at or above --fail-on
  2  input or arguments that cannot be used`;

/** Runs one command line and returns its exit code. Never throws, and never shows a stack for a mistake of the caller. */
export async function main(argv: readonly string[], io: Io): Promise<number> {
  let exitCode: number = EXIT.ok;
  const program = createProgram(io, (code) => { exitCode = code; });
  try {
    await program.parseAsync([...argv], { from: 'user' });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.unusable;
    io.writeError(error instanceof UsageError ? printable(`error: ${error.message}\n`) : internalError(error));
    return EXIT.unusable;
  }
}

function createProgram(io: Io, setExitCode: (code: number) => void): Command {
  const program = new Command('karpenter-constructs')
    .description('Says what Karpenter will do with NodePools, EC2NodeClasses and workloads before they are applied.')
    .version(packageVersion())
    .addHelpText('after', EXAMPLES)
    .showHelpAfterError('(add --help for what can be written here)')
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
  return `error: this is a defect of karpenter-constructs, please report it with the input that shows it\n${detail}\n`;
}
