import { join } from 'node:path';
import { ownBindings } from './bindings';
import { BUILD, PROGRAMS, run } from './run';

const FOLDER = join(BUILD, 'python');

export async function buildPython(): Promise<void> {
  await run('python3', ['-m', 'venv', FOLDER], BUILD);
  await run(join(FOLDER, 'bin/pip'), ['install', '--quiet', '--disable-pip-version-check', '--requirement', join(__dirname, 'requirements.txt')], BUILD);
}

export function runPython(program: string, cwd: string): Promise<string> {
  return run(join(FOLDER, 'bin/python'), [join(PROGRAMS, 'python', `${program}.py`)], cwd, { PYTHONPATH: join(ownBindings('python'), 'src') });
}
