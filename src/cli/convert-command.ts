import { Command, Option } from 'commander';
import type { ConversionNote } from '../conversion';
import { printable } from '../model';
import { describeProblem } from './input-problem';
import { EXIT, Io } from './io';
import { lazy } from './lazy';
import { writeResult } from './output';
import { readSourceFiles } from './source-files';

interface ConvertFlags {
  readonly to: 'yaml' | 'typescript';
  readonly role?: string;
  readonly failOn: 'todo' | 'never';
  readonly output?: string;
}

const HELP = `
Provisioner, Machine, AWSNodeTemplate, and what is written in
karpenter.sh/v1beta1 or karpenter.k8s.aws/v1beta1, are written in v1. All
other objects stay as they are, but for labels, annotations and taints of
Karpenter that are called otherwise now.

With --to typescript, the result is a cdk8s app that imports this package:
NodePool, EC2NodeClass, NodeOverlay and CapacityBuffer by their constructs,
all other objects as they are.

What was changed is said on standard error, with a word before it:
  todo       does not work, or not as before, until you have done something
  kept       has no successor, and stands in the result as a comment
  changed    reads differently, and means the same

Examples:
  karpenter-constructs convert provisioners.yaml node-templates.yaml --output karpenter.yaml
  karpenter-constructs convert manifests/ --role KarpenterNodeRole-main | karpenter-constructs check -
  karpenter-constructs convert nodepools.yaml --to typescript --output main.ts
  kubectl get provisioners,awsnodetemplates -o yaml | karpenter-constructs convert - --output karpenter.yaml`;

export function addConvertCommand(program: Command, io: Io, setExitCode: (code: number) => void): void {
  program.command('convert')
    .description('Writes manifests in the v1 API, or as a TypeScript program of constructs that makes the same objects.')
    .argument('<path...>', 'manifests: files, folders, or - for standard input')
    .addOption(new Option('--to <format>', 'what to write').choices(['yaml', 'typescript']).default('yaml'))
    .option('--role <name>', 'IAM role of nodes, for classes that name neither a role nor an instance profile')
    .addOption(new Option('--fail-on <kind>', 'what makes the exit code 1').choices(['todo', 'never']).default('never'))
    .option('-o, --output <file>', 'write the result to a file')
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
  for (const { file, line, column } of program?.left ?? []) {
    io.writeError(`todo: ${file}:${line}:${column}: is no Kubernetes object that a program can make\n`);
  }
  if (unreadable.length > 0) return EXIT.unusable;
  const isTodo = notes.some(({ kind }) => kind === 'todo') || (program?.left.length ?? 0) > 0;
  return flags.failOn === 'todo' && isTodo ? EXIT.findings : EXIT.ok;
}

function describeNote({ kind, location: { file, line, column }, subject, message }: ConversionNote): string {
  return printable(`${kind}: ${file}:${line}:${column}: ${subject === '' ? '' : `${subject}: `}${message}\n`);
}
