/** The first step of the action: checks the manifests, compares them with the base branch, and writes the reports. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, posix, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { baseCommit, withFilesOf } from './base-branch.mjs';
import { addToSummary, annotate, eventOf, input, setOutput, splitWords } from './workflow-commands.mjs';

const UNUSABLE = 2;
const workspace = process.env.GITHUB_WORKSPACE ?? process.cwd();
process.chdir(workspace);
const folder = input('WORKING_DIRECTORY') || '.';
// Paths in reports begin in the repository, as GitHub expects.
const paths = splitWords(input('PATHS')).map((path) => posix.normalize(posix.join(folder, path)));
const reports = mkdtempSync(join(process.env.RUNNER_TEMP ?? tmpdir(), 'karpenter-constructs-'));
const options = [
  '--quiet',
  ...input('REGION') === '' ? [] : ['--region', input('REGION')],
  ...input('KARPENTER_VERSION') === '' ? [] : ['--karpenter-version', input('KARPENTER_VERSION')],
  ...splitWords(input('ARGS')),
  // A pull request may come from a stranger, so programs run only if the workflow says so. Last, because the last option wins.
  ...input('PROGRAMS') === 'true' ? [] : ['--no-helm', '--no-kustomize'],
];
let command;

/** The program of this version, or that of the project if the workflow asks for it: a pull request can bring its own. */
function commandOf(version) {
  if (version !== 'project') return installed(version === '' ? ownVersion() : version);
  for (let inside = resolve(workspace, folder); ; inside = dirname(inside)) {
    const file = join(inside, 'node_modules/.bin/karpenter-constructs');
    if (existsSync(file)) return file;
    if (inside === resolve(workspace) || inside === dirname(inside)) throw new Error('version is project, but karpenter-constructs is not in node_modules; run npm ci before this action');
  }
}

function ownVersion() {
  return JSON.parse(readFileSync(join(dirname(fileURLToPath(import.meta.url)), '../../package.json'), 'utf8')).version;
}

/** Installs outside of the checkout, whose .npmrc could name another registry, and runs no script of a package. */
function installed(version) {
  const home = join(reports, 'program');
  mkdirSync(home);
  const args = ['install', '--prefix', home, '--ignore-scripts', '--no-audit', '--no-fund', '--', `karpenter-constructs@${version}`];
  const { status, stdout, stderr, error } = spawnSync('npm', args, { cwd: home, encoding: 'utf8' });
  if (error || status !== 0) throw new Error(`karpenter-constructs ${version} cannot be installed: ${error?.message ?? (stderr || stdout).trim()}; set the input version to one that is on npm`);
  return join(home, 'node_modules/.bin/karpenter-constructs');
}

/** Runs the program in the repository. Options of the action come last, because they must win. */
function run(...args) {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd: workspace, encoding: 'utf8', maxBuffer: 256 * 1024 * 1024 });
  if (error) throw new Error(`karpenter-constructs cannot be run, ${error.message}; set the input version`);
  return { code: status ?? UNUSABLE, out: stdout, err: stderr };
}

/**
 * Writes the manifests that are not in the repository.
 *
 * @returns why this fails, or undefined
 */
function render(root) {
  const script = input('RENDER');
  if (script === '') return undefined;
  const { status } = spawnSync('bash', ['-e', '-o', 'pipefail', '-c', script], { cwd: join(root, folder), stdio: ['ignore', 'inherit', 'inherit'] });
  if (status === 0) return undefined;
  return `the command of the input render fails with exit code ${status}; run it in ${root === workspace ? folder : `${folder} of the base branch`}`;
}

/** @returns the exit code, or undefined if the input cannot be used */
function check() {
  const report = (name, format, failOn = 'never') => {
    const file = join(reports, name);
    return { file, ...run('check', ...paths, ...options, '--format', format, '--output', file, '--fail-on', failOn) };
  };
  const verdict = report('verdict.json', 'json', input('FAIL_ON'));
  if (verdict.code === UNUSABLE) {
    annotate('error', verdict.err);
    return UNUSABLE;
  }
  const markdown = report('report.md', 'markdown');
  const sarif = report('findings.sarif', 'sarif');
  printFindings();
  setOutput('verdict', verdict.file);
  setOutput('report', markdown.file);
  if (sarif.code !== UNUSABLE) setOutput('sarif', sarif.file);
  return verdict.code;
}

/** Findings in the log, and as annotations unless they are uploaded to code scanning. */
function printFindings() {
  const matcher = join(dirname(fileURLToPath(import.meta.url)), 'problem-matcher.json');
  const isAnnotated = input('SARIF') !== 'true';
  if (isAnnotated) console.log(`::add-matcher::${matcher}`);
  process.stdout.write(run('check', ...paths, ...options, '--format', 'unix', '--fail-on', 'never').out);
  if (isAnnotated) console.log('::remove-matcher owner=karpenter-constructs::');
}

/** @returns the exit code for new findings; 0 if there is nothing to compare with */
function diff() {
  const commit = baseCommit(input('BASE'), eventOf());
  if (commit === undefined) return 0;
  const root = join(reports, 'base');
  const file = join(reports, 'diff.md');
  return withFilesOf(commit, root, () => {
    const problem = render(root);
    if (problem !== undefined) return withoutDiff(problem);
    const inside = paths.flatMap((path) => ['--path', path]);
    const { code, err } = run('diff', root, '.', ...inside, ...options, '--format', 'markdown', '--output', file, '--fail-on', input('FAIL_ON_NEW'));
    if (code === UNUSABLE) return withoutDiff(err.replaceAll(`${relative(workspace, root)}/`, '').replaceAll(`${root}/`, ''));
    setOutput('diff', file);
    return code;
  });
}

/** The base branch may be broken, or may not have the command yet. Then only the check counts. */
function withoutDiff(problem) {
  annotate('warning', `There is no diff: ${problem}`);
  return 0;
}

function main() {
  command = commandOf(input('VERSION'));
  const problem = render(workspace);
  if (problem !== undefined) throw new Error(problem);
  const code = check();
  const newCode = code === UNUSABLE || input('DIFF') !== 'true' ? 0 : diff();
  for (const name of ['diff.md', 'report.md']) {
    if (existsSync(join(reports, name))) addToSummary(readFileSync(join(reports, name), 'utf8'));
  }
  setOutput('exit-code', Math.max(code, newCode));
}

try {
  main();
} catch (error) {
  annotate('error', error.message);
  setOutput('exit-code', UNUSABLE);
}
