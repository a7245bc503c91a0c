/** Installs and runs cfn-lint and moto in a Python virtual environment, which git ignores. */
import { spawnSync } from 'child_process';
import { createHash } from 'crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'fs';
import { join } from 'path';

const FOLDER = join(__dirname, '.venv');
const REQUIREMENTS = join(__dirname, 'requirements.txt');
const INSTALLED = join(FOLDER, 'requirements.sha256');

export interface ToolResult {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Path of a tool. */
export function toolPath(name: string): string {
  return join(FOLDER, 'bin', name);
}

export function runTool(name: string, args: readonly string[], input?: string): ToolResult {
  const { status, stdout, stderr, error } = spawnSync(toolPath(name), args, {
    encoding: 'utf8',
    input,
    maxBuffer: 256 * 1024 * 1024,
  });
  if (error) throw error;
  return { status, stdout, stderr };
}

/** Installs the packages of requirements.txt, unless they are installed already. */
export function installTools(): void {
  const checksum = createHash('sha256').update(readFileSync(REQUIREMENTS)).digest('hex');
  if (existsSync(INSTALLED) && readFileSync(INSTALLED, 'utf8') === checksum) return;
  rmSync(FOLDER, { recursive: true, force: true });
  run('python3', ['-m', 'venv', FOLDER]);
  run(toolPath('pip'), ['install', '--quiet', '--disable-pip-version-check', '--requirement', REQUIREMENTS]);
  writeFileSync(INSTALLED, checksum);
}

function run(command: string, args: readonly string[]): void {
  const { status, error } = spawnSync(command, args, { stdio: 'inherit' });
  if (error) throw error;
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ended with ${status}`);
}
