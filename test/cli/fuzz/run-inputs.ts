import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Result } from './worker';

/** A machine that does other work needs several times the CPU time. */
const LONGEST_WAIT_SECONDS = 30;
const MOST_SECONDS = 5;
const MOST_BYTES = 1024 ** 3;
/** V8's heap. The rest is the program itself, and the memory of the kernel. */
const HEAP_MIB = 800;
/** A process that has run many inputs has a large heap, whatever the next input needs. */
const INPUTS_PER_PROCESS = 1000;

export interface Summary {
  readonly inputs: number;
  readonly failures: ReadonlyArray<{ readonly index: number; readonly failure: string }>;
  readonly slowestSeconds: number;
  readonly mostBytes: number;
  readonly cpuSeconds: number;
}

/** Runs inputs in processes that end if an input takes too much time or memory. */
export async function runInputs(
  worker: string,
  folder: string,
  { seed, first, count }: { readonly seed: number; readonly first: number; readonly count: number },
  onProgress: (inputs: number, failures: number) => void,
): Promise<Summary> {
  const results: Result[] = [];
  const failures: Array<{ index: number; failure: string }> = [];
  for (let next = first; next < first + count; ) {
    const end = Math.min(next + INPUTS_PER_PROCESS, first + count);
    const { finished, stopped } = await runProcess(worker, [folder, seed, next, end].map(String));
    for (const result of finished) {
      results.push(result);
      const failure = result.failure ?? excessOf(result);
      if (failure !== undefined) failures.push({ index: result.index, failure });
    }
    if (stopped) failures.push(stopped);
    next = stopped ? stopped.index + 1 : end;
    onProgress(next - first, failures.length);
  }
  const most = (numbers: readonly number[]) => numbers.reduce((left, right) => Math.max(left, right), 0);
  return {
    inputs: count,
    failures,
    slowestSeconds: most(results.map(({ seconds }) => seconds)),
    mostBytes: most(results.map(({ bytes }) => bytes)),
    cpuSeconds: results.reduce((sum, { seconds }) => sum + seconds, 0),
  };
}

function excessOf({ seconds, bytes }: Result): string | undefined {
  if (seconds > MOST_SECONDS) return `took ${seconds.toFixed(1)} s of CPU time`;
  return bytes > MOST_BYTES ? `used ${Math.round(bytes / 1024 ** 2)} MiB of memory` : undefined;
}

interface ProcessResult {
  readonly finished: readonly Result[];
  /** The input that has ended the process. */
  readonly stopped?: { readonly index: number; readonly failure: string };
}

async function runProcess(worker: string, args: readonly string[]): Promise<ProcessResult> {
  const child = spawn(process.execPath, [`--max-old-space-size=${HEAP_MIB}`, worker, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    // `convert` runs the program that it writes.
    env: { ...process.env, NODE_PATH: join(__dirname, '../../../node_modules') },
  });
  const finished: Result[] = [];
  let [running, isTooSlow, errors]: [number | undefined, boolean, string] = [undefined, false, ''];
  const wait = () =>
    setTimeout(() => {
      isTooSlow = true;
      child.kill('SIGKILL');
    }, LONGEST_WAIT_SECONDS * 1000);
  let timer = wait();
  child.stderr.on('data', (text: Buffer) => {
    errors = (errors + text.toString()).slice(-2000);
  });
  createInterface({ input: child.stdout }).on('line', (line) => {
    clearTimeout(timer);
    timer = wait();
    const message = JSON.parse(line) as Result;
    if ('seconds' in message) finished.push(message);
    else running = (message as Result).index;
  });
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  clearTimeout(timer);
  if (code === 0) return { finished };
  if (running === undefined) throw new Error(`the worker does not start: ${errors}`);
  const failure = isTooSlow ? `took more than ${LONGEST_WAIT_SECONDS} s` : `ended the process: ${errors}`;
  return { finished, stopped: { index: running, failure } };
}
