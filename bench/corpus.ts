/**
 * `npm run corpus -- <folder>` runs `check` on each repository in a folder, and prints exit codes, times, and the
 * findings of each rule for 100 workloads. The last line is one JSON object. An exit code of 2 is only right for a
 * repository without Kubernetes objects.
 *
 * - `--no-helm` leaves charts out.
 */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { main as runCommand } from '../src/cli';
import { readSourceFiles } from '../src/cli/input/source-files';
import { Io } from '../src/cli/io';
import { countWorkloads, rootsOf, Verdict } from '../src/validation';

interface RepositoryRun {
  readonly repository: string;
  readonly exitCode: number;
  readonly milliseconds: number;
  readonly roots: number;
  readonly workloads: number;
  readonly findings: ReadonlyMap<string, number>;
  readonly problem: string;
}

async function checkRepository(folder: string, repository: string, options: readonly string[]): Promise<RepositoryRun> {
  let [out, err] = ['', ''];
  const io: Io = { stdin: noInput(), color: false, writeOut: (text) => { out += text; }, writeError: (text) => { err += text; } };
  const start = performance.now();
  const exitCode = await runCommand(['check', join(folder, repository), '--format', 'json', ...options], io);
  const milliseconds = Math.round(performance.now() - start);
  const workloads = rootsOf(await readSourceFiles([join(folder, repository)], io)).reduce((sum, root) => sum + countWorkloads(root), 0);
  const verdicts = verdictsOf(out);
  const findings = new Map<string, number>();
  for (const { rule } of verdicts.flatMap((verdict) => verdict.findings)) findings.set(rule, (findings.get(rule) ?? 0) + 1);
  return { repository, exitCode, milliseconds, roots: verdicts.length, workloads, findings, problem: exitCode === 2 ? err.trim() : '' };
}

async function* noInput(): AsyncGenerator<Uint8Array> {}

function verdictsOf(out: string): Verdict[] {
  if (out === '') return [];
  const document = JSON.parse(out) as Verdict | { readonly roots: ReadonlyArray<{ readonly verdict?: Verdict }> };
  return 'roots' in document ? document.roots.flatMap(({ verdict }) => verdict ?? []) : [document];
}

function print(runs: readonly RepositoryRun[]): void {
  const workloads = runs.reduce((sum, run) => sum + run.workloads, 0);
  const rules = [...new Set(runs.flatMap(({ findings }) => [...findings.keys()]))].sort();
  const totals = rules.map((rule) => ({ rule, count: runs.reduce((sum, { findings }) => sum + (findings.get(rule) ?? 0), 0) }));
  const rates = Object.fromEntries(totals.map(({ rule, count }) => [rule, Number((count * 100 / Math.max(1, workloads)).toFixed(2))]));
  console.log('\nrule      findings  for 100 workloads');
  for (const { rule, count } of totals) console.log(`${rule}  ${String(count).padStart(8)}  ${String(rates[rule]).padStart(17)}`);
  const repositories = runs.map(({ findings, ...run }) => ({ ...run, findings: Object.fromEntries([...findings].sort()) }));
  console.log(JSON.stringify({ workloads, findingsFor100Workloads: rates, repositories }));
}

async function main([folder, ...options]: readonly string[]): Promise<void> {
  if (folder === undefined || !statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
    console.error('corpus: pass a folder with one checked-out repository in each folder: npm run corpus -- <folder>');
    process.exitCode = 1;
    return;
  }
  const repositories = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory()).map(({ name }) => name).sort();
  const runs: RepositoryRun[] = [];
  for (const repository of repositories) {
    const run = await checkRepository(folder, repository, options);
    runs.push(run);
    console.log(`exit ${run.exitCode}  ${String(run.milliseconds).padStart(6)} ms  ${String(run.roots).padStart(3)} roots  ${String(run.workloads).padStart(5)} workloads  ${repository}  ${run.problem}`.trimEnd());
  }
  print(runs);
}

main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
