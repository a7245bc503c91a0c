/**
 * From an empty folder to the first verdict, with the commands and files of the starting pages: `npm run
 * first-verdict`, after `npm run compile`, `npm run package:js` and `npm run package:python`. Each page begins with an
 * empty cache of its package manager. Prints a table in Markdown, and fails if a command prints something else than its
 * page shows. Arguments are names of pages, such as `yaml cdk8s cdk`.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { matchesOutput } from '../tools/docs/shown-output';
import { Step, stepsOf } from '../tools/site/walkthrough';

const ROOT = join(__dirname, '..');
const START = join(ROOT, 'docs/start');
/** The starting pages, with the folder of the package that they install. */
const READERS = [
  { reader: 'YAML only', page: 'yaml.md', packages: 'dist/js' },
  { reader: 'cdk8s', page: 'cdk8s.md', packages: 'dist/js' },
  { reader: 'AWS CDK', page: 'cdk.md', packages: 'dist/js' },
  { reader: 'Python', page: 'languages.md', packages: 'dist/python' },
] as const;

interface Time {
  readonly commands: number;
  readonly installSeconds: number;
  readonly verdictSeconds: number;
  readonly againSeconds: number;
}

function main(): void {
  const names = process.argv.slice(2);
  const rows = READERS.filter(({ page }) => names.length === 0 || names.includes(page.replace('.md', ''))).map(
    ({ reader, page, packages }) => {
      const { commands, installSeconds, verdictSeconds, againSeconds } = follow(
        stepsOf(readFileSync(join(START, page), 'utf8')),
        packageIn(packages),
      );
      console.error(`${reader}: done`);
      return `| [${reader}](${page}) | ${commands} | ${seconds(installSeconds)} | ${seconds(verdictSeconds)} | ${seconds(installSeconds + verdictSeconds)} | ${seconds(againSeconds)} |`;
    },
  );
  const table = [
    '| reader | commands | install | first verdict | together | next verdict |',
    '|---|---|---|---|---|---|',
    ...rows,
  ].join('\n');
  console.log(
    `${table}\n\n${cpus().length} cores of ${cpus()[0].model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node.js ${process.versions.node}`,
  );
}

/** Does all steps of a page in an empty folder. */
function follow(steps: readonly Step[], packageFile: string): Time {
  const folder = mkdtempSync(join(tmpdir(), 'first-verdict-'));
  const cache = mkdtempSync(join(tmpdir(), 'first-verdict-cache-'));
  const env = {
    ...process.env,
    JSII_SILENCE_WARNING_END_OF_LIFE_NODE_VERSION: '20',
    npm_config_cache: cache,
    npm_config_update_notifier: 'false',
    PIP_CACHE_DIR: cache,
  };
  let commands = 0;
  let installSeconds = 0;
  const verdicts: number[] = [];
  try {
    for (const step of steps) {
      if (step.kind === 'file') writeFileSync(join(folder, step.path), step.text);
      if (step.kind === 'edit') edit(join(folder, step.path), step.from, step.to);
      if (step.kind !== 'command') continue;
      const elapsed = timed(step, folder, env, packageFile);
      if (verdicts.length === 0) commands++;
      if (step.output === undefined) installSeconds += elapsed;
      else verdicts.push(elapsed);
    }
  } finally {
    for (const each of [folder, cache]) rmSync(each, { recursive: true, force: true });
  }
  return { commands, installSeconds, verdictSeconds: verdicts[0], againSeconds: verdicts[1] };
}

/** Runs a command with the packed file instead of the name of the package. Returns its seconds. */
function timed(step: Step & { kind: 'command' }, folder: string, env: NodeJS.ProcessEnv, packageFile: string): number {
  const command = withFile(step.command, packageFile);
  const start = performance.now();
  const { stdout, status } = spawnSync('sh', ['-c', `( ${command} ) 2>&1`], {
    cwd: folder,
    env,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  });
  const elapsed = (performance.now() - start) / 1000;
  if (step.output === undefined && status !== 0) throw new Error(`${command} ended with ${status}:\n${stdout}`);
  if (step.output !== undefined && !matchesOutput(step.output, stdout))
    throw new Error(`${command} should print:\n${step.output}\nbut prints:\n${stdout}`);
  return elapsed;
}

function withFile(command: string, packageFile: string): string {
  return command.replace(/(?<= install )karpenter-constructs/, `'${packageFile}'`);
}

function edit(file: string, from: string, to: string): void {
  const text = readFileSync(file, 'utf8');
  if (text.split(from).length !== 2) throw new Error(`${file} does not have "${from}" once`);
  writeFileSync(file, text.replace(from, to));
}

function packageIn(folder: string): string {
  const path = join(ROOT, folder);
  const file = existsSync(path) ? readdirSync(path).find((name) => /\.(tgz|whl)$/.test(name)) : undefined;
  if (file === undefined)
    throw new Error(`${folder} has no package: run npm run compile, package:js and package:python`);
  return join(path, file);
}

function seconds(value: number): string {
  return `${value < 9.95 ? value.toFixed(1) : Math.round(value)} s`;
}

main();
