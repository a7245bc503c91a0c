import { Argument, Command } from 'commander';
import { bashCompletion, completedCommands, fishCompletion, zshCompletion } from '../completion';
import { Io, UsageError } from '../io';
import { quoted, suggestion } from '../options/choice-option';

const SHELLS = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion } as const;
type Shell = keyof typeof SHELLS;
const NAMES = Object.keys(SHELLS);

const HELP = `
The script has the commands, options, rules and regions of this version. Load
it when the shell starts, so that an update of this package takes effect.

Examples:
  source <(karpenter-constructs completion bash)
  source <(karpenter-constructs completion zsh)
  karpenter-constructs completion fish | source`;

export function addCompletionCommand(program: Command, io: Io): void {
  program
    .command('completion')
    .description('Prints a script with which a shell completes commands, options and their values.')
    .addArgument(new Argument('<shell>', 'bash, zsh or fish').choices(NAMES).argParser(parseShell))
    .addHelpText('after', HELP)
    .action((shell: Shell) => io.writeOut(SHELLS[shell](program.name(), completedCommands(program))));
}

function parseShell(text: string): Shell {
  if (NAMES.includes(text)) return text as Shell;
  throw new UsageError(`completion: unknown shell ${quoted(text)}; ${suggestion(text, NAMES)}`);
}
