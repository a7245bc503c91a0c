import { Command } from 'commander';
import type { ConversionNote } from '../../conversion';
import { printableLine } from '../../model';
import { describeProblem } from '../input/input-problem';
import { readSourceFiles } from '../input/source-files';
import { EXIT, Io } from '../io';
import { lazy } from '../lazy';
import { choiceOption } from '../options/choice-option';
import { writeResult } from '../output/output';

interface ConvertFlags {
  readonly to: 'yaml' | 'typescript';
  readonly role?: string;
  readonly failOn: 'todo' | 'never';
  readonly output?: string;
}

const HELP = `
Converts Provisioner, Machine, AWSNodeTemplate and the v1beta1 kinds of
Karpenter to v1. In all other objects, only renamed labels, annotations and
taints of Karpenter change.

With --to typescript, the result is a cdk8s app that uses this package:
NodePool, EC2NodeClass, NodeOverlay and CapacityBuffer become constructs, and
all other objects become ApiObjects.

Each change is reported on standard error, with its kind first:
  todo       does not work, or works differently, until you change something
  kept       has no successor, and stays in the result as a comment
  changed    is written differently, and means the same

Examples:
  karpenter-constructs convert provisioners.yaml node-templates.yaml --output karpenter.yaml
  karpenter-constructs convert manifests/ --role KarpenterNodeRole-main | karpenter-constructs check -
  karpenter-constructs convert nodepools.yaml --to typescript --output main.ts
  kubectl get provisioners,awsnodetemplates -o yaml | karpenter-constructs convert - --output karpenter.yaml`;

export function addConvertCommand(program: Command, io: Io, setExitCode: (code: number) => void): void {
  program
    .command('convert')
    .description(
      'Converts manifests to the v1 API, or to a TypeScript program of constructs that creates the same objects.',
    )
    .argument('<path...>', 'manifests: files, folders, or - for standard input')
    .addOption(choiceOption('--to <format>', 'format of the result', ['yaml', 'typescript']).default('yaml'))
    .option('--role <name>', 'IAM role of nodes, for classes without a role and an instance profile')
    .addOption(
      choiceOption('--fail-on <kind>', 'exit with 1 if there is a change of this kind', ['todo', 'never']).default(
        'never',
      ),
    )
    .option('-o, --output <file>', 'write the result to a file instead of standard output')
    .addHelpText('after', HELP)
    .action(async (paths: string[], flags: ConvertFlags) => setExitCode(await convert(paths, flags, io)));
}

async function convert(paths: readonly string[], flags: ConvertFlags, io: Io): Promise<number> {
  const { conversion } = lazy;
  const { files, notes, unreadable } = conversion.upgrade(await readSourceFiles(paths, io), { role: flags.role });
  const program = flags.to === 'typescript' ? conversion.writeTypeScript(files) : undefined;
  writeResult(io, flags.output, program?.text ?? conversion.joinYaml(files));
  for (const note of notes) io.writeError(describeNote(note));
  for (const problem of unreadable) io.writeError(describeProblem(problem));
  for (const { file, line, column } of program?.omitted ?? []) {
    io.writeError(
      `${printableLine(`todo: ${file}:${line}:${column}: is not a Kubernetes object, so the program cannot create it`)}\n`,
    );
  }
  if (unreadable.length > 0) return EXIT.unusable;
  const isTodo = notes.some(({ kind }) => kind === 'todo') || (program?.omitted.length ?? 0) > 0;
  return flags.failOn === 'todo' && isTodo ? EXIT.findings : EXIT.ok;
}

function describeNote({ kind, location: { file, line, column }, subject, message }: ConversionNote): string {
  return `${printableLine(`${kind}: ${file}:${line}:${column}: ${subject === '' ? '' : `${subject}: `}${message}`)}\n`;
}
