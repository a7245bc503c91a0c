import { readdirSync, readFileSync, realpathSync, Stats, statSync } from 'fs';
import { extname, join } from 'path';
import { CloudAssemblies } from './cloud-assembly';
import { SourceFile } from './model';
import { LARGEST_FILE_BYTES, tooLarge } from './source-text';

const MANIFEST_EXTENSIONS = ['.yaml', '.yml', '.json'];
const NOT_MANIFESTS = ['node_modules'];
/** Marks a folder that CDK has written: of all that is in it, templates are for anyone else. */
const CLOUD_ASSEMBLY = 'cdk.out';
const TEMPLATE_EXTENSION = '.template.json';

/** The files of the paths, each once, folders in the order of their names. What cannot be read says why. */
export class SourceFileReader {
  public readonly files: SourceFile[] = [];
  private readonly seen = new Set<string>();
  private readonly assemblies = new CloudAssemblies();

  public read(path: string): void {
    const stats = this.stat(path);
    if (!stats) return;
    if (!stats.isDirectory()) return this.readFile(path, stats);
    const before = this.files.length;
    const isNew = this.readFolder(path);
    if (isNew && this.files.length === before) {
      this.files.push(unreadableSource(path, `the folder holds no file that ends in ${MANIFEST_EXTENSIONS.join(', ')}`, 'name a folder or file with manifests'));
    }
  }

  /** Hidden folders and node_modules hold no manifests of the user's, but plenty of YAML. */
  private readFolder(folder: string): boolean {
    if (!this.isFirst(folder)) return false;
    const names = this.namesIn(folder);
    const isAssembly = names.includes(CLOUD_ASSEMBLY);
    for (const name of names) {
      const path = join(folder, name);
      const isManifest = isAssembly ? name.endsWith(TEMPLATE_EXTENSION) : MANIFEST_EXTENSIONS.includes(extname(name).toLowerCase());
      if (isAssembly && name.startsWith('asset.')) continue;
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
      this.files.push(unreadableSource(path, 'is neither a file nor a folder', 'name a file, a folder, or - for standard input'));
      return;
    }
    if (stats.size > LARGEST_FILE_BYTES) {
      const { message, remedy } = tooLarge(stats.size);
      this.files.push(unreadableSource(path, message, remedy));
      return;
    }
    const file = this.attempt(path, () => decodeSource(path, readFileSync(path)));
    const stack = path.endsWith(TEMPLATE_EXTENSION) ? this.assemblies.stackOf(path) : undefined;
    if (file) this.files.push(stack ? { ...file, stack } : file);
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
      if (report) this.files.push(unreadableSource(path, code === 'ENOENT' ? 'there is no such file or folder' : `cannot be read: ${message}`, 'check the path and its permissions'));
      return undefined;
    }
  }
}

export function decodeSource(path: string, bytes: Uint8Array): SourceFile {
  try {
    return { path, text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch {
    // With replacement characters, so that the place can be named.
    const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
    const reason = { message: 'the file is not UTF-8 text from here on', remedy: 'save it as UTF-8', offset: text.indexOf('\ufffd') };
    return { path, text, unreadable: reason };
  }
}

export function unreadableSource(path: string, message: string, remedy: string): SourceFile {
  return { path, text: '', unreadable: { message, remedy } };
}
