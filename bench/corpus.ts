/**
 * `npm run corpus -- <folder>` runs `check` on each repository in a folder, and prints exit codes, times, and the
 * findings of each rule for 100 workloads. The last line is one JSON object. An exit code of 2 is only right for a
 * repository without Kubernetes objects.
 *
 * - `--generated` adds the examples of this project, the fleet of the benchmarks, and generated manifests.
 * - `--draw <number>` prints so many warnings about the repositories, drawn with `--seed <number>`, to judge by hand.
 * - `--no-helm` leaves charts out.
 * - `--no-kustomize` leaves out what only kustomize can build, such as remote bases.
 */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fleet } from './fleet-manifests';
import { main as runCommand } from '../src/cli';
import { readSourceFiles } from '../src/cli/input/source-files';
import { Io } from '../src/cli/io';
import { countWorkloads, Finding, findingsOfRoots, rootsOf, RootVerdict, SourceFile, Verdict } from '../src/validation';
import { generate } from '../test/support/schedule-scenario/generate';

const GENERATED = 40;
const GENERATED_SEED = 1;
const FLEET_REPLICAS = 2;
/** The generator of Park and Miller. */
const [MULTIPLIER, MODULUS] = [48_271, 2_147_483_647];

interface Input {
  readonly name: string;
  /** A path, or `-` for the text. */
  readonly path: string;
  readonly text?: string;
  /** Whether it is no public repository. */
  readonly isGenerated?: boolean;
}

interface InputRun {
  readonly repository: string;
  readonly isGenerated: boolean;
  readonly exitCode: number;
  readonly milliseconds: number;
  readonly roots: number;
  readonly workloads: number;
  readonly findings: readonly Finding[];
  readonly problem: string;
}

function inputsIn(folder: string, hasGenerated: boolean): Input[] {
  const repositories = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();
  const given = repositories.map((name): Input => ({ name, path: join(folder, name) }));
  if (!hasGenerated) return given;
  const [{ text }] = fleet(FLEET_REPLICAS);
  const scenarios = Array.from({ length: GENERATED }, (_, number) => generate(GENERATED_SEED, number));
  return [
    ...given,
    { name: 'examples of this project', path: 'examples', isGenerated: true },
    { name: 'fleet of the benchmarks', path: '-', text, isGenerated: true },
    ...scenarios.map(
      ({ name, manifests }): Input => ({ name: `generated ${name}`, path: '-', text: manifests, isGenerated: true }),
    ),
  ];
}

async function checkInput(
  { name, path, text = '', isGenerated = false }: Input,
  options: readonly string[],
): Promise<InputRun> {
  let [out, err] = ['', ''];
  const io: Io = {
    stdin: bytesOf(text),
    color: false,
    writeOut: (part) => {
      out += part;
    },
    writeError: (part) => {
      err += part;
    },
  };
  const start = performance.now();
  const exitCode = await runCommand(['check', path, '--format', 'json', ...options], io);
  const milliseconds = Math.round(performance.now() - start);
  const sources: SourceFile[] = path === '-' ? [{ path, text }] : await readSourceFiles([path], io);
  const workloads = rootsOf(sources).reduce((sum, root) => sum + countWorkloads(root), 0);
  const verdicts = rootVerdictsOf(out);
  // Roots share files, and one finding about missing NodePools stands for all roots.
  const findings = findingsOfRoots(verdicts);
  return {
    repository: name,
    isGenerated,
    exitCode,
    milliseconds,
    roots: verdicts.filter(({ verdict }) => verdict).length,
    workloads,
    findings,
    problem: exitCode === 2 ? err.trim() : '',
  };
}

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

function rootVerdictsOf(out: string): RootVerdict[] {
  if (out === '') return [];
  const document = JSON.parse(out) as Verdict | { readonly roots: RootVerdict[] };
  return 'roots' in document ? document.roots : [{ name: '', kind: 'files', notes: [], verdict: document }];
}

function keyOf({ rule, location: { file, line }, subject: { kind, name } }: Finding): string {
  return [rule, `${file}:${line}`, `${kind} ${name}`].join(' ');
}

function print(runs: readonly InputRun[]): void {
  const workloads = runs.reduce((sum, run) => sum + run.workloads, 0);
  const findings = runs.flatMap((run) => run.findings);
  const rules = [...new Set(findings.map(({ rule }) => rule))].sort();
  const count = (rule: string, severity?: string) =>
    findings.filter((finding) => finding.rule === rule && (severity ?? finding.severity) === finding.severity).length;
  const rateOf = (rule: string) => Number(((count(rule) * 100) / Math.max(1, workloads)).toFixed(2));
  console.log('\nrule      errors  warnings  infos  for 100 workloads');
  for (const rule of rules) {
    const [errors, warnings, infos] = ['error', 'warning', 'info'].map((severity) => count(rule, severity));
    console.log(
      `${rule}  ${String(errors).padStart(6)}  ${String(warnings).padStart(8)}  ${String(infos).padStart(5)}  ${String(rateOf(rule)).padStart(17)}`,
    );
  }
  const rates = Object.fromEntries(rules.map((rule) => [rule, rateOf(rule)]));
  const repositories = runs.map((run) => ({ ...run, findings: run.findings.length }));
  console.log(JSON.stringify({ workloads, findingsFor100Workloads: rates, repositories }));
}

/** Draws without replacement, from the findings in a fixed order. */
function draw(runs: readonly InputRun[], number: number, seed: number): void {
  const findings = runs.filter(({ isGenerated }) => !isGenerated).flatMap((run) => run.findings);
  const left = findings.filter(({ severity }) => severity === 'warning').sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  console.log(`\n${left.length} warnings; drawn with seed ${seed}:`);
  let state = seed;
  for (let drawn = 0; drawn < number && left.length > 0; drawn++) {
    state = (state * MULTIPLIER) % MODULUS;
    const [finding] = left.splice(state % left.length, 1);
    console.log(`- ${keyOf(finding)}: ${finding.message}\n    ${finding.remedy}`);
  }
}

/** The value of an option, which is removed from the options of `check`. */
function numberOption(options: string[], name: string): number | undefined {
  const index = options.indexOf(name);
  return index < 0 ? undefined : Number(options.splice(index, 2)[1]);
}

async function main([folder, ...rest]: readonly string[]): Promise<void> {
  if (folder === undefined || !statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
    console.error('corpus: pass a folder with one checked-out repository in each folder: npm run corpus -- <folder>');
    process.exitCode = 1;
    return;
  }
  const options = [...rest];
  const [drawn, seed = 1] = [numberOption(options, '--draw'), numberOption(options, '--seed')];
  const runs: InputRun[] = [];
  for (const input of inputsIn(folder, options.includes('--generated'))) {
    const run = await checkInput(
      input,
      options.filter((option) => option !== '--generated'),
    );
    runs.push(run);
    console.log(
      `exit ${run.exitCode}  ${String(run.milliseconds).padStart(6)} ms  ${String(run.roots).padStart(3)} roots  ${String(run.workloads).padStart(5)} workloads  ${run.repository}  ${run.problem}`.trimEnd(),
    );
  }
  print(runs);
  if (drawn !== undefined) draw(runs, drawn, seed);
}

main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
