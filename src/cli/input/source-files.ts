import { existsSync } from 'fs';
import { GitIgnore } from './gitignore';
import { countText } from '../../model';
import type { SourceFile, SourceFileReader } from '../../validation';
import { Io, UsageError } from '../io';
import { lazy } from '../lazy';
import { expectWorkOn } from '../v8-tuning';

export const STDIN = '-';

/**
 * Reads the files and folders of the arguments, each file once, folders in name order. A file that cannot be read
 * contains its problem.
 *
 * @param isVerbose whether the number of skipped files is printed for each reason
 */
export async function readSourceFiles(paths: readonly string[], io: Io, isVerbose = false): Promise<SourceFile[]> {
  for (const path of paths) requirePath(path);
  const gitIgnore = new GitIgnore(paths);
  const reader = new lazy.validation.SourceFileReader(
    (path) => gitIgnore.isIgnored(path),
    (done) => io.onProgress?.({ task: 'reading files', done }),
  );
  for (const path of paths) {
    if (path === STDIN) reader.files.push(await readStdin(io));
    else reader.read(path);
  }
  expectWorkOn(reader.files);
  if (isVerbose) writeSkipped(reader, io);
  return lazy.validation.unreadOnce(reader.files);
}

function writeSkipped({ files, skipped: { folders, ignored } }: SourceFileReader, io: Io): void {
  const counts: ReadonlyArray<readonly [count: number, one: string, several: string]> = [
    [
      lazy.validation.countFilesWithoutObjects(files),
      'file has no Kubernetes object',
      'files have no Kubernetes object',
    ],
    [ignored, 'file or folder is named by .gitignore', 'files and folders are named by .gitignore'],
    [
      folders,
      'folder is hidden, or called node_modules or testdata',
      'folders are hidden, or called node_modules or testdata',
    ],
  ];
  for (const [count, one, several] of counts)
    if (count > 0) io.writeError(`skipped: ${countText(count, one, several)}\n`);
}

/** @throws UsageError if a path does not exist: a report on the other paths would hide a typo */
function requirePath(path: string): void {
  if (path !== STDIN && !existsSync(path)) throw new UsageError(`${path}: no such file or folder`);
}

/** Reads a file, or all files of a folder. */
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
      const { remedy } = lazy.validation.tooLargeProblem(size);
      return lazy.validation.unreadableSource(
        STDIN,
        `standard input is larger than ${lazy.validation.LARGEST_FILE_BYTES / 1024 / 1024} MiB`,
        remedy,
      );
    }
    chunks.push(chunk);
  }
  return lazy.validation.decodeSource(STDIN, Buffer.concat(chunks));
}
