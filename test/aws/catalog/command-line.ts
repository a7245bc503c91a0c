/** Runs `karpenter-constructs` in an own process, so that it can be interrupted. */
import { ChildProcess, spawn } from 'child_process';
import { join } from 'path';

const ROOT = join(__dirname, '../../..');
// With -e, arguments begin where a program has its file.
const RUN = "process.argv.splice(1, 0, 'karpenter-constructs'); require('./src/cli').runAsProcess();";

export type Environment = Readonly<Record<string, string>>;

export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** @param onStart gets the process, for example to interrupt it */
export async function runCli(
  args: readonly string[],
  env: Environment,
  onStart: (child: ChildProcess) => void = () => {},
): Promise<Ended> {
  const child = spawn(process.execPath, ['-r', 'tsx/cjs', '-e', RUN, '--', ...args], {
    cwd: ROOT,
    // No settings of the machine: a profile or proxy of the developer would change the result.
    env: {
      PATH: process.env.PATH,
      HOME: '/nonexistent',
      NODE_NO_WARNINGS: '1',
      AWS_ACCESS_KEY_ID: 'test',
      AWS_SECRET_ACCESS_KEY: 'test',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let out = '';
  let err = '';
  child.stdout.on('data', (chunk) => {
    out += chunk;
  });
  child.stderr.on('data', (chunk) => {
    err += chunk;
  });
  onStart(child);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, out, err }));
  });
}
