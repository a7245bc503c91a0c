import type { SourceFile } from '../validation';
import { Io } from './io';
import { lazy } from './lazy';
import { expectWorkOn } from './optimising';

export const STDIN = '-';

/** The files that the arguments name, each once, folders in the order of their names. What cannot be read says why. */
export async function readSourceFiles(paths: readonly string[], io: Io): Promise<SourceFile[]> {
  const reader = new lazy.validation.SourceFileReader();
  for (const path of paths) {
    if (path === STDIN) reader.files.push(await readStdin(io)); else reader.read(path);
  }
  expectWorkOn(reader.files);
  return reader.files;
}

/** The files of a folder, or the one file of that name. */
export function readFilesIn(path: string): SourceFile[] {
  const reader = new lazy.validation.SourceFileReader();
  reader.read(path);
  expectWorkOn(reader.files);
  return reader.files;
}

async function readStdin(io: Io): Promise<SourceFile> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of io.stdin) {
    size += chunk.length;
    if (size > lazy.validation.LARGEST_FILE_BYTES) {
      const { remedy } = lazy.validation.tooLarge(size);
      return lazy.validation.unreadableSource(STDIN, `standard input has more than ${lazy.validation.LARGEST_FILE_BYTES / 1024 / 1024} MiB`, remedy);
    }
    chunks.push(chunk);
  }
  return lazy.validation.decodeSource(STDIN, Buffer.concat(chunks));
}
