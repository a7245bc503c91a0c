import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const ROOT = join(__dirname, '../..');

/** What is made of the package for other languages, and with it: more than 1 GB. `removeBuild` is for the end. */
export const BUILD = mkdtempSync(join(tmpdir(), 'languages-'));

export function removeBuild(): void {
  rmSync(BUILD, { recursive: true, force: true });
}

/** The programs that are run. */
export const PROGRAMS = join(ROOT, 'examples/languages');

/** Runs a tool, and returns what it prints. Where it fails, so does this, with all that it printed. */
export function run(
  command: string,
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  const quiet = { JSII_SILENCE_WARNING_END_OF_LIFE_NODE_VERSION: '1' };
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd,
      env: { ...process.env, ...quiet, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (text) => (stdout += text));
    child.stderr.on('data', (text) => (stderr += text));
    child.on('error', reject);
    child.on('close', (code) =>
      code === 0
        ? resolve(stdout)
        : reject(new Error(`${command} ${args.join(' ')}: ended with ${code}\n${stdout}${stderr}`)),
    );
  });
}

/** A new folder to run a program in. */
export function newFolder(...names: string[]): string {
  const folder = join(BUILD, 'run', ...names);
  mkdirSync(folder, { recursive: true });
  return folder;
}
