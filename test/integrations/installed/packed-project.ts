import { spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { newFolder } from '../../cli/run';

export const ROOT = join(__dirname, '../../..');

/** A project with the package as it is published, and with these modules of this repository. */
export function newPackedProject(files: Readonly<Record<string, string>>, names: readonly string[]): string {
  const folder = newFolder(files);
  const modules = join(folder, 'node_modules');
  for (const name of ['cdk8s', 'constructs', '@types/node', 'undici-types', ...names]) {
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules', name), join(modules, name));
  }
  const [{ filename }] = JSON.parse(
    run(ROOT, 'npm', 'pack', '--json', '--ignore-scripts', '--pack-destination', folder),
  );
  mkdirSync(join(modules, 'karpenter-constructs'));
  run(folder, 'tar', 'xzf', filename, '--strip-components=1', '-C', 'node_modules/karpenter-constructs');
  return folder;
}

/** Compiles the project with the TypeScript of this repository. */
export function compile(folder: string): void {
  run(folder, process.execPath, join(ROOT, 'node_modules/typescript/bin/tsc'));
}

/** The standard output of a command that must succeed. */
export function run(cwd: string, command: string, ...args: string[]): string {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8' });
  expect({ command, status, text: status === 0 ? '' : stdout + stderr }).toEqual({ command, status: 0, text: '' });
  return stdout;
}
