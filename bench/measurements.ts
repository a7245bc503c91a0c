import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import Table from 'cli-table3';
import { DEPLOYMENTS, writeManifests } from './manifests';
import { time, Timing, timingOf } from './statistics';
import { replicas, singlePods, SIZES } from './workload';
import { Catalog } from '../src/catalog';
import { schedule, ScheduleInput } from '../src/scheduling';

const PODS = 10_000;
const SOLVE_ROUNDS = 15;
const PROCESS_ROUNDS = 9;
const ROOT = join(__dirname, '..');

/** What the run computed, so that a speed-up cannot come from skipped work. */
export interface Measurement {
  readonly name: string;
  readonly timing: Timing;
  readonly pods: number;
  readonly scheduledPods: number;
  readonly nodes: number;
}

export function solves(): Measurement[] {
  // The very first call also loads the catalogue, resolves its types, and compiles the kernel.
  return [solve('solve, single pods', singlePods(PODS)), solve(`solve, ${SIZES.length} workloads`, replicas(PODS))];
}

function solve(name: string, input: ScheduleInput): Measurement {
  let catalog: Catalog | undefined;
  let scheduledPods = 0;
  let nodes = 0;
  const timing = time(SOLVE_ROUNDS, () => {
    catalog ??= Catalog.load();
    const plan = schedule(input, catalog);
    nodes = plan.nodeClaims.length;
    scheduledPods = plan.nodeClaims.reduce((sum, claim) => sum + claim.pods.length, 0);
  });
  return { name, timing, pods: PODS, scheduledPods, nodes };
}

/** Each measurement runs in a new process. */
export function firstCall(): Measurement {
  const runs = Array.from(
    { length: PROCESS_ROUNDS },
    () =>
      JSON.parse(run(['--import', 'tsx', join('bench', 'first-call.ts')])) as {
        milliseconds: number;
        scheduledPods: number;
        nodes: number;
      },
  );
  const [{ scheduledPods, nodes }] = runs;
  return {
    name: `first plan of a process, ${DEPLOYMENTS} workloads`,
    timing: timingOf(runs.map(({ milliseconds }) => milliseconds)),
    pods: PODS,
    scheduledPods,
    nodes,
  };
}

function checkProcess(name: string, files: string[]): Measurement {
  let output = '';
  const timing = time(PROCESS_ROUNDS, () => {
    output = runCheck(files);
  });
  const { pods, scheduledPods, nodes } = JSON.parse(output).summary;
  return { name, timing, pods, scheduledPods, nodes };
}

function runCheck(files: string[]): string {
  return run([join('bin', 'karpenter-constructs'), 'check', ...files, '--format', 'json', '--fail-on', 'never']);
}

function run(args: string[]): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: 2 ** 30,
  });
  if (status !== 0) {
    throw new Error(`${args.join(' ')}: ended with ${status}; ${stderr}`);
  }
  return stdout;
}

export function checks(): Measurement[] {
  const { root, folders } = writeManifests(PODS);
  const files = (folder: string): string[] => ['pool', 'workloads'].map((part) => join(root, `${folder}-${part}.yaml`));
  try {
    return [
      checkProcess('check process, two files', files(folders.twoFiles)),
      checkProcess(`check process, ${DEPLOYMENTS} Deployments`, files(folders.deployments)),
      checkProcess('check process, single pods', files(folders.barePods)),
    ];
  } finally {
    rmSync(root, { recursive: true });
  }
}

/** Prints the measurements as a table. */
export function print(measurements: readonly Measurement[]): void {
  const table = new Table({
    head: ['', 'pods', 'placed', 'nodes', 'first ms', 'median ms', 'min ms', 'IQR ms', 'rounds'],
    style: { head: [], border: [] },
  });
  for (const { name, timing, pods, scheduledPods, nodes } of measurements) {
    table.push([name, pods, scheduledPods, nodes, timing.first, timing.median, timing.min, timing.iqr, timing.rounds]);
  }
  console.log(table.toString());
}
