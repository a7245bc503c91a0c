import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bindings } from './bindings';
import { BUILD, PROGRAMS, run } from './run';

const FOLDER = join(BUILD, 'go');

/** Compiles the programs. Modules that are made here replace others; the rest comes from the module proxy. */
export async function buildGo(): Promise<void> {
  const modules = bindings('go')
    .flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)))
    .map((folder) => {
      const [, path] = /^module (.*)$/m.exec(readFileSync(join(folder, 'go.mod'), 'utf8'))!;
      return { folder, path };
    });
  cpSync(join(PROGRAMS, 'go'), FOLDER, { recursive: true });
  writeFileSync(
    join(FOLDER, 'go.mod'),
    [
      'module example.com/shop',
      'go 1.25',
      ...modules.map(({ folder, path }) => `replace ${path} => ${folder}`),
      '',
    ].join('\n'),
  );
  await run('go', ['mod', 'tidy'], FOLDER);
  await run('go', ['build', '-trimpath', '-o', './bin/', './...'], FOLDER);
}

export function runGo(program: string, cwd: string): Promise<string> {
  return run(join(FOLDER, 'bin', program), [], cwd);
}
