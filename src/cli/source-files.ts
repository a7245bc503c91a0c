import { readdirSync, readFileSync, realpathSync, Stats, statSync } from 'fs';
import { extname, join } from 'path';
import type { SourceFile } from '../validation';
import { Io } from './io';
import { lazy } from './lazy';

export const STDIN = '-';

const MANIFEST_EXTENSIONS = ['.yaml', '.yml', '.json'];
const NOT_MANIFESTS = ['node_modules'];

/** The files that the arguments name, each once, folders in the order of their names. What cannot be read says why. */
export async function readSourceFiles(paths: readonly string[], io: Io): Promise<SourceFile[]> {
  const reader = new SourceFileReader();
  for (const path of paths) {
    if (path === STDIN) reader.files.push(await readStdin(io)); else reader.read(path);
  }
  return reader.files;
}

/** The files of a folder, or the one file of that name. */
export function readFilesIn(path: string): SourceFile[] {
  const reader = new SourceFileReader();
  reader.read(path);
  return reader.files;
}

class SourceFileReader {
  public readonly files: SourceFile[] = [];
  private readonly seen = new Set<string>();

  public read(path: string): void {
    const stats = this.stat(path);
    if (!stats) return;
    if (!stats.isDirectory()) return this.readFile(path, stats);
    const before = this.files.length;
    const isNew = this.readFolder(path);
    if (isNew && this.files.length === before) {
      this.files.push(unreadable(path, `the folder holds no file that ends in ${MANIFEST_EXTENSIONS.join(', ')}`, 'name a folder or file with manifests'));
    }
  }

  /** Hidden folders and node_modules hold no manifests of the user's, but plenty of YAML. */
  private readFolder(folder: string): boolean {
    if (!this.isFirst(folder)) return false;
    for (const name of this.namesIn(folder)) {
      const path = join(folder, name);
      const isManifest = MANIFEST_EXTENSIONS.includes(extname(name).toLowerCase());
      const stats = this.stat(path, isManifest);
      if (stats?.isDirectory()) {
        if (!name.startsWith('.') && !NOT_MANIFESTS.includes(name)) this.readFolder(path);
      } else if (stats && isManifest) {
        this.readFile(path, stats);
      }
    }
    return true;
  }

  private readFile(path: string, stats: Stats): void {
    if (!this.isFirst(path)) return;
    // A pipe, as `<(helm template …)` makes one, ends; a device need not.
    if (!stats.isFile() && !stats.isFIFO()) {
      this.files.push(unreadable(path, 'is neither a file nor a folder', 'name a file, a folder, or - for standard input'));
      return;
    }
    if (stats.size > lazy.validation.LARGEST_FILE_BYTES) {
      const { message, remedy } = lazy.validation.tooLarge(stats.size);
      this.files.push(unreadable(path, message, remedy));
      return;
    }
    const file = this.attempt(path, () => decode(path, readFileSync(path)));
    if (file) this.files.push(file);
  }

  private namesIn(folder: string): string[] {
    return (this.attempt(folder, () => readdirSync(folder)) ?? []).sort();
  }

  private stat(path: string, report = true): Stats | undefined {
    return this.attempt(path, () => statSync(path), report);
  }

  private isFirst(path: string): boolean {
    const real = realpathSync(path);
    const isNew = !this.seen.has(real);
    this.seen.add(real);
    return isNew;
  }

  private attempt<T>(path: string, action: () => T, report = true): T | undefined {
    try {
      return action();
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      if (code === undefined) throw error;
      if (report) this.files.push(unreadable(path, code === 'ENOENT' ? 'there is no such file or folder' : `cannot be read: ${message}`, 'check the path and its permissions'));
      return undefined;
    }
  }
}

async function readStdin(io: Io): Promise<SourceFile> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of io.stdin) {
    size += chunk.length;
    if (size > lazy.validation.LARGEST_FILE_BYTES) {
      const { remedy } = lazy.validation.tooLarge(size);
      return unreadable(STDIN, `standard input has more than ${lazy.validation.LARGEST_FILE_BYTES / 1024 / 1024} MiB`, remedy);
    }
    chunks.push(chunk);
  }
  return decode(STDIN, Buffer.concat(chunks));
}

function decode(path: string, bytes: Uint8Array): SourceFile {
  try {
    return { path, text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch {
    // With replacement characters, so that the place can be named.
    const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
    const reason = { message: 'the file is not UTF-8 text from here on', remedy: 'save it as UTF-8', offset: text.indexOf('\ufffd') };
    return { path, text, unreadable: reason };
  }
}

function unreadable(path: string, message: string, remedy: string): SourceFile {
  return { path, text: '', unreadable: { message, remedy } };
}
