import { chmodSync, mkdtempSync, symlinkSync, writeFileSync } from 'fs';
import { tmpdir } from 'os';
import { delimiter, join } from 'path';

/**
 * A PATH on which programs are found before those of this machine.
 *
 * @param programs the path of an executable, or a script of sh, by name
 */
export function pathWith(programs: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'programs-'));
  for (const [name, program] of Object.entries(programs)) {
    const file = join(folder, name);
    if (program.startsWith('/')) {
      symlinkSync(program, file);
    } else {
      writeFileSync(file, `#!/bin/sh\n${program}\n`);
      chmodSync(file, 0o755);
    }
  }
  return `${folder}${delimiter}${process.env.PATH}`;
}
