import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ownBindings } from './bindings';
import { BUILD, newFolder, PROGRAMS, run } from './run';

const ENVIRONMENT = join(BUILD, 'python');
const PIP = join(ENVIRONMENT, 'bin/pip');

/** Builds the wheel, and installs it in a fresh environment. Everything that it needs comes from PyPI. */
export async function buildPython(): Promise<void> {
  await run('python3', ['-m', 'venv', ENVIRONMENT], BUILD);
  const wheels = newFolder('wheels');
  await run(
    PIP,
    ['wheel', '--quiet', '--disable-pip-version-check', '--no-deps', '--wheel-dir', wheels, ownBindings('python')],
    BUILD,
  );
  await run(
    PIP,
    ['install', '--quiet', '--disable-pip-version-check', ...readdirSync(wheels).map((name) => join(wheels, name))],
    BUILD,
  );
  // Fails if a requirement of an installed package is missing or has another version.
  await run(PIP, ['check'], BUILD);
}

export function runPython(program: string, cwd: string): Promise<string> {
  return run(join(ENVIRONMENT, 'bin/python'), [join(PROGRAMS, 'python', `${program}.py`)], cwd);
}
