import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { main } from '../../src/cli';

/** What `check manifests.yaml` prints if the file has the text of another one. */
export async function checkOutput(file: string, flags: readonly string[]): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'manifests-'));
  const before = process.cwd();
  let output = '';
  try {
    copyFileSync(file, join(folder, 'manifests.yaml'));
    process.chdir(folder);
    const io = {
      stdin: Readable.from([]),
      color: false,
      writeOut: (text: string) => {
        output += text;
      },
      writeError: () => undefined,
    };
    await main(['check', 'manifests.yaml', ...flags], io);
    return output;
  } finally {
    process.chdir(before);
    rmSync(folder, { recursive: true });
  }
}
