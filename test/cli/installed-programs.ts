import { chmodSync, readFileSync, writeFileSync } from 'fs';
import { delimiter, join } from 'path';
import { newFolder } from './run';

const { PATH } = process.env;

/** For `afterEach` of a suite that installs programs. */
export function restorePath(): void {
  process.env.PATH = PATH;
}

/**
 * Puts shell scripts of these names into the path, before all other programs. Each records its arguments and its
 * environment. The suite has to restore the path.
 */
export function install(scripts: Readonly<Record<string, string>>) {
  const folder = newFolder({});
  for (const [name, script] of Object.entries(scripts)) {
    writeFileSync(
      join(folder, name),
      `#!/bin/sh\nfor a; do echo "$a" >> ${folder}/args; done\n/usr/bin/env > ${folder}/env\n/bin/ls -A "$HOME" > ${folder}/home\n${script}\n`,
    );
    chmodSync(join(folder, name), 0o755);
  }
  process.env.PATH = [folder, '/bin'].join(delimiter);
  const read = (name: string) => {
    try {
      return readFileSync(join(folder, name), 'utf8');
    } catch {
      return undefined;
    }
  };
  return { folder, args: () => read('args')?.trim().split('\n'), env: () => read('env'), home: () => read('home') };
}
