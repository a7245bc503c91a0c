import { existsSync, lstatSync, mkdirSync, statSync, writeFileSync } from 'fs';
import { dirname, join, resolve } from 'path';
import { Command } from 'commander';
import { leadsInto, repositoryRoot } from '../../model';
import { initFiles, InitFile, verdictLines, projectIn } from '../init/files';
import { Io, UsageError } from '../io';
import { quoted } from '../options/choice-option';
import { packageVersion } from '../version';

interface InitFlags {
  readonly region?: string;
  readonly dryRun?: boolean;
}

const REGION = /^[a-z]{2,4}(?:-[a-z]+)+-\d$/;

const HELP = `
Writes karpenter-constructs.yaml with a reference to its JSON Schema, and a
pipeline for GitHub or GitLab. For an app of cdk8s or the AWS CDK it prints the
lines that make the verdict a part of the synth. Files that exist are kept.

Examples:
  karpenter-constructs init --region eu-west-1
  karpenter-constructs init apps/shop --dry-run`;

export function addInitCommand(program: Command, io: Io): void {
  program
    .command('init')
    .description('Sets up a project: its settings file, its pipeline, and the lines of the verdict in an app.')
    .argument('[folder]', 'folder of the project', '.')
    .option('--region <region>', 'AWS region of the cluster, such as eu-west-1')
    .option('--dry-run', 'print the files instead of writing them')
    .addHelpText('after', HELP)
    .action((folder: string, flags: InitFlags) => init(folder, flags, io));
}

function init(folder: string, { region, dryRun = false }: InitFlags, io: Io): void {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw new UsageError(`init: ${quoted(folder)} is not a folder; name the folder of the project`);
  if (region !== undefined && !REGION.test(region))
    throw new UsageError(`--region: ${quoted(region)} is not a region; write for example eu-west-1`);
  const project = projectIn(folder);
  const files = initFiles(project, region, packageVersion());
  const report = files.map((file) => (dryRun ? shown(folder, file) : written(folder, file)));
  const lines = verdictLines(project, region);
  io.writeOut(
    [
      ...report,
      ...(lines === undefined
        ? ['Next: karpenter-constructs check .']
        : [`Add the verdict to the program, before it synthesises the app:`, lines]),
      '',
    ].join('\n'),
  );
}

function shown(folder: string, { path, text }: InitFile): string {
  if (existsInside(folder, path)) return `would keep ${path}, which exists`;
  const indented = text.trimEnd().split('\n');
  return [`would create ${path}:`, ...indented.map((line) => `  ${line}`.trimEnd())].join('\n');
}

function written(folder: string, { path, text }: InitFile): string {
  if (existsInside(folder, path)) return `kept ${path}, which exists`;
  const file = join(folder, path);
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text, { flag: 'wx' });
  } catch (error) {
    throw new UsageError(`init: ${path} cannot be written, ${(error as Error).message}; make the folder writable`);
  }
  return `created ${path}`;
}

/**
 * Whether there is something at the path, also a link that leads nowhere.
 *
 * @throws UsageError if a link of the repository leads out of it
 */
function existsInside(folder: string, path: string): boolean {
  const file = join(folder, path);
  if (!leadsInto(dirname(file), repositoryRoot(resolve(folder))))
    throw new UsageError(`init: ${path} would be written outside of the repository through a link; remove the link`);
  return existsSync(file) || lstatSync(file, { throwIfNoEntry: false }) !== undefined;
}
