import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ownBindings } from './bindings';
import { BUILD, newFolder, PROGRAMS, run } from './run';

const ENVIRONMENT = join(BUILD, 'python');
const PIP = join(ENVIRONMENT, 'bin/pip');
/** What a project of `cdk8s init` and one of `cdk init` also install. Newer than what our wheel requires. */
const OF_PROJECTS = ['cdk8s-plus-33', 'aws-cdk.lambda-layer-kubectl-v34'];

let built: Promise<void> | undefined;

/** Builds the wheel, and installs it in a fresh environment. Everything that it needs comes from PyPI. */
export function buildPython(): Promise<void> {
  built ??= build();
  return built;
}

async function build(): Promise<void> {
  await run('python3', ['-m', 'venv', ENVIRONMENT], BUILD);
  const wheels = newFolder('wheels');
  await run(
    PIP,
    ['wheel', '--quiet', '--disable-pip-version-check', '--no-deps', '--wheel-dir', wheels, ownBindings('python')],
    BUILD,
  );
  await run(
    PIP,
    [
      'install',
      '--quiet',
      '--disable-pip-version-check',
      ...readdirSync(wheels).map((name) => join(wheels, name)),
      ...OF_PROJECTS,
    ],
    BUILD,
  );
  // Fails if a requirement of an installed package is missing or has another version.
  await run(PIP, ['check'], BUILD);
}

export function runPython(program: string, cwd: string): Promise<string> {
  return run(join(ENVIRONMENT, 'bin/python'), [join(PROGRAMS, 'python', `${program}.py`)], cwd);
}

/** Runs a program of `test/languages/python`. */
export function runPythonProject(program: string, cwd: string): Promise<string> {
  return run(join(ENVIRONMENT, 'bin/python'), [join(__dirname, 'python', `${program}.py`)], cwd);
}
