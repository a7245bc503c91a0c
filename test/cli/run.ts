import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'fs';
import { tmpdir } from 'os';
import { dirname, join } from 'path';
import { main } from '../../src/cli';

export interface Run {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** The terminal of a user. */
export interface Terminal {
  readonly color?: boolean;
  readonly columns?: number;
  readonly ascii?: boolean;
}

/** Runs a command line in this process. */
export async function run(
  args: readonly string[],
  stdin: string | Uint8Array = '',
  { color = false, columns, ascii }: Terminal = {},
): Promise<Run> {
  let out = '';
  let err = '';
  const bytes = typeof stdin === 'string' ? Buffer.from(stdin) : stdin;
  const code = await main(args, {
    stdin: (async function* chunks() {
      yield bytes;
    })(),
    writeOut: (text) => {
      out += text;
    },
    writeError: (text) => {
      err += text;
    },
    color,
    columns,
    ascii,
  });
  return { code, out, err };
}

/** A folder with files, which is deleted after the tests. */
export function folderOf(files: Readonly<Record<string, string | Uint8Array>>): string {
  const folder = newFolder(files);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A folder with files for one test, in the temporary folder of the run. */
export function newFolder(files: Readonly<Record<string, string | Uint8Array>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'cli-'));
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  return folder;
}
