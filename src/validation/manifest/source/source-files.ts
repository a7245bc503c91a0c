import { readdirSync, realpathSync, Stats, statSync } from 'fs';
import { dirname, extname, join } from 'path';
import { CloudAssemblies } from './cloud-assembly';
import { embeddedManifests, EMBEDDING_EXTENSIONS, kindOfFile, manifestsOfPipeline } from './embedded-manifests';
import { karpenterTrace, TRACE_EXTENSIONS } from './karpenter-trace';
import { isProgramFile, LARGEST_PROGRAM_BYTES, ObjectProgram, programFiles, programIn } from './program-files';
import { LARGEST_FILE_BYTES, looksLikeManifest, tooLargeProblem } from './source-text';
import { writtenKubernetes } from './terraform/repository-kubernetes';
import { filledTemplates } from './terraform/template-values';
import { TerraformFolders } from './terraform/terraform-folders';
import {
  isPipeOfShell,
  leadsInto,
  readNamedFile,
  readRegularFile,
  readStartOfFile,
  repositoryRoot,
  UnusableFileError,
} from '../../../model';
import { SourceFile } from '../model';
import { Scope } from './terraform/hcl/evaluate';
import { providerRegion } from './terraform/repository-region';
import { writtenNodeGroups } from './terraform/written-node-groups';
import { writtenReleases } from './terraform/written-releases';
import { writtenResources } from './terraform/written-resources';

const MANIFEST_EXTENSIONS = ['.yaml', '.yml', '.json'];
const OTHER_EXTENSIONS: ReadonlySet<string> = new Set([...EMBEDDING_EXTENSIONS, ...TRACE_EXTENSIONS]);
/** A helmfile may be a template with literal releases. */
const OTHER_NAMES = /^([Kk]ustomization|helmfile\.ya?ml\.gotmpl)$/;
/** The only hidden folder that is looked into: what its scripts apply is deployed. */
const WORKFLOWS = ['.github', 'workflows'] as const;
/** Folders whose YAML is not deployed: dependencies, and the data of tests. */
const SKIPPED_FOLDERS = ['node_modules', 'testdata'];
/** Marks a folder that CDK has written. Only the templates in it are manifests. */
const CLOUD_ASSEMBLY_MARKER = 'cdk.out';
const TEMPLATE_EXTENSION = '.template.json';

/** Enough to see whether a file that is too large has Kubernetes objects. */
const START_BYTES = 64 * 1024;

/** All files of an input together. More would take gigabytes of memory. */
const LARGEST_INPUT_BYTES = 64 * 1024 * 1024;
const TOO_MUCH = {
  message: 'with this file, the input is larger than 64 MiB: it and the files after it are not read',
  remedy: 'pass one of the folders with manifests, or name large files without manifests in .gitignore',
};

/**
 * Collects the files of paths: each file once, and folders sorted by name. A file that cannot be read has a reason
 * instead of a text. Links are followed only inside the repository, because a stranger may have written them.
 */
export class SourceFileReader {
  public readonly files: SourceFile[] = [];
  /** What was found in folders and is not read. */
  public readonly skipped = { folders: 0, ignored: 0 };
  private bytes = 0;
  private readonly seen = new Set<string>();
  private readonly assemblies = new CloudAssemblies();
  /** The repository of the path that is read. */
  private root = '';
  private terraform = new TerraformFolders('', '');

  /**
   * @param isIgnored whether a file or folder that is found in a folder is left out; folders end with a slash
   * @param onFile called before each file, with the number of files read so far
   */
  public constructor(
    private readonly isIgnored: (path: string) => boolean = () => false,
    private readonly onFile?: (finished: number) => void,
  ) {}

  public read(path: string): void {
    const stats = this.stat(path);
    if (!stats) return;
    this.root = repositoryRoot(path);
    this.terraform = new TerraformFolders(stats.isDirectory() ? path : dirname(path), this.root);
    if (this.leadsOut(path)) return;
    if (!stats.isDirectory()) return this.readFile(path, stats, false);
    const before = this.files.length;
    const isNew = this.readFolder(path);
    if (isNew && this.files.slice(before).every(({ trace }) => trace !== undefined)) {
      this.files.push(
        unreadableSource(
          path,
          `the folder has no ${MANIFEST_EXTENSIONS.join(', ')} file`,
          'pass a folder or file with manifests',
        ),
      );
    }
  }

  /**
   * Skips hidden folders, node_modules and testdata: their YAML files are not the user's manifests. Returns false if
   * the folder was read before.
   */
  private readFolder(folder: string, around?: ObjectProgram): boolean {
    if (!this.markSeen(folder)) return false;
    const names = this.namesIn(folder);
    const program = programIn(names, around);
    // The folder of a CDK app has a folder of this name, and may have manifests of its own.
    const isAssembly =
      names.includes(CLOUD_ASSEMBLY_MARKER) && this.stat(join(folder, CLOUD_ASSEMBLY_MARKER), false)?.isFile() === true;
    for (const name of names) {
      const path = join(folder, name);
      const isManifest = isAssembly
        ? name.endsWith(TEMPLATE_EXTENSION)
        : MANIFEST_EXTENSIONS.includes(extname(name).toLowerCase()) || OTHER_NAMES.test(name);
      if (isAssembly && name.startsWith('asset.')) continue;
      const stats = this.stat(path, isManifest);
      const mayEmbed = !isAssembly && !isManifest && OTHER_EXTENSIONS.has(kindOfFile(name));
      const isProgram = program !== undefined && isProgramFile(name);
      if (!stats || !(isManifest || mayEmbed || isProgram || stats.isDirectory())) continue;
      if (stats.isDirectory() && name === WORKFLOWS[0]) this.readWorkflows(join(path, WORKFLOWS[1]));
      if (stats.isDirectory() && (name.startsWith('.') || SKIPPED_FOLDERS.includes(name))) this.skipped.folders++;
      else if (this.isIgnored(stats.isDirectory() ? `${path}/` : path)) this.skipped.ignored++;
      else if (isProgram && !stats.isDirectory()) this.readProgram(path, stats, program);
      else if (mayEmbed && !stats.isDirectory()) this.readEmbedding(path, stats);
      else if (this.leadsOut(path)) continue;
      else if (stats.isDirectory()) this.readFolder(path, program);
      else this.readFile(path, stats, !isAssembly);
    }
    return true;
  }

  /** Reads a file that may have manifests, or install Karpenter. Nothing is said about other or unreadable files. */
  private readEmbedding(path: string, stats: Stats): void {
    if (!stats.isFile() || stats.size > LARGEST_FILE_BYTES || !leadsInto(path, this.root)) return;
    const before = this.files.length;
    this.readFile(path, stats, true);
    const read = this.files.splice(before);
    const extension = kindOfFile(path);
    this.files.push(
      ...read.flatMap((file) => {
        const scope = this.scopeOf(file, extension);
        return [
          ...embeddedManifests(file, extension, scope),
          ...karpenterTrace(
            file,
            extension,
            scope && {
              region: providerRegion(file, scope),
              kubernetes: writtenKubernetes(file.text),
              nodeGroups: writtenNodeGroups(file, scope),
              resources: writtenResources(file, scope),
              releases: writtenReleases(file, scope, (named) => this.terraform.textOf(named)),
            },
          ),
        ];
      }),
    );
  }

  /** Looks for Karpenter in a program. The text is not kept, so that it does not count for the size of the input. */
  private readProgram(path: string, stats: Stats, program: ObjectProgram): void {
    if (!stats.isFile() || stats.size > LARGEST_PROGRAM_BYTES || !leadsInto(path, this.root)) return;
    const before = this.files.length;
    this.readFile(path, stats, true);
    this.bytes -= stats.size;
    this.files.push(...this.files.splice(before).flatMap((file) => programFiles(file, program)));
  }

  /** Reads only the workflows whose scripts apply manifests: the others have no objects. */
  private readWorkflows(folder: string): void {
    if (!this.stat(folder, false)?.isDirectory() || !leadsInto(folder, this.root)) return;
    for (const name of this.namesIn(folder)) {
      const path = join(folder, name);
      const stats = this.stat(path, false);
      if (!/\.ya?ml$/i.test(name) || !stats?.isFile() || stats.size > LARGEST_FILE_BYTES) continue;
      if (this.isIgnored(path) || !leadsInto(path, this.root)) continue;
      const before = this.files.length;
      this.readFile(path, stats, true);
      this.files.push(...this.files.splice(before).filter(({ written }) => written !== undefined));
    }
  }

  private readFile(path: string, stats: Stats, isFound: boolean): void {
    if (!this.markSeen(path)) return;
    this.onFile?.(this.files.length);
    // A pipe that a shell has made, as in `<(helm template …)`, ends. A device, or a pipe of the repository, may not.
    if (!stats.isFile() && (isFound || !isPipeOfShell(path))) {
      this.files.push(unreadableSource(path, 'not a file or folder', 'pass a file, a folder, or - for standard input'));
      return;
    }
    if (stats.size > LARGEST_FILE_BYTES) {
      const file = this.attempt(path, () => tooLargeSource(path, stats.size, isFound));
      if (file) this.files.push(file);
      return;
    }
    this.bytes += stats.size;
    if (this.bytes > LARGEST_INPUT_BYTES) {
      // One finding is enough for this file and all that come after it.
      if (this.bytes - stats.size <= LARGEST_INPUT_BYTES)
        this.files.push(unreadableSource(path, TOO_MUCH.message, TOO_MUCH.remedy));
      return;
    }
    const file = this.attempt(path, () =>
      decodeSource(path, (isFound ? readRegularFile : readNamedFile)(path, LARGEST_FILE_BYTES)),
    );
    const stack = path.endsWith(TEMPLATE_EXTENSION) ? this.assemblies.stackOf(path) : undefined;
    if (!file) return;
    const source = { ...file, ...(stack ? { stack } : {}), ...(isFound ? { isFound } : {}) };
    const extension = kindOfFile(path);
    const isNamedProgram = !isFound && TRACE_EXTENSIONS.includes(extension);
    this.files.push(
      ...(isNamedProgram
        ? embeddedManifests(source, extension, this.scopeOf(source, extension))
        : [...this.filledTemplates(source), ...(isFound && isYaml(extension) ? manifestsOfPipeline(source) : [])]),
    );
  }

  private scopeOf({ path }: SourceFile, extension: string): Scope | undefined {
    return extension === '.tf' ? this.terraform.folderOf(path) : undefined;
  }

  /** A template with the values that each call of `templatefile` gives to its names. */
  private filledTemplates(file: SourceFile): SourceFile[] {
    if (file.unreadable || !file.isFound || !file.text.includes('${')) return [file];
    return filledTemplates(file, this.terraform.templateArguments(file.path));
  }

  private namesIn(folder: string): string[] {
    return (this.attempt(folder, () => readdirSync(folder)) ?? []).sort();
  }

  private stat(path: string, report = true): Stats | undefined {
    return this.attempt(path, () => statSync(path), report);
  }

  private leadsOut(path: string): boolean {
    if (leadsInto(path, this.root)) return false;
    const message = 'not read: it is a link, or in a linked folder, and leads out of the repository';
    this.files.push(unreadableSource(path, message, 'name what it links to on the command line, or remove the link'));
    return true;
  }

  private markSeen(path: string): boolean {
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
      if (code === undefined && !(error instanceof UnusableFileError)) throw error;
      if (report)
        this.files.push(
          unreadableSource(
            path,
            code === 'ENOENT' ? 'no such file or folder' : `cannot be read: ${message}`,
            'check the path and its permissions',
          ),
        );
      return undefined;
    }
  }
}

function isYaml(extension: string): boolean {
  return extension === '.yaml' || extension === '.yml';
}

export function decodeSource(path: string, bytes: Uint8Array): SourceFile {
  try {
    return { path, text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch {
    // Decodes again with replacement characters, which show where the text is invalid.
    const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
    const reason = {
      message: 'the file is not valid UTF-8 from here on',
      remedy: 'save it as UTF-8',
      offset: text.indexOf('\ufffd'),
    };
    return { path, text, unreadable: reason };
  }
}

/** A file that was found is reported as if it was named, if it begins like a manifest. */
function tooLargeSource(path: string, size: number, isFound: boolean): SourceFile {
  const isOther = isFound && !looksLikeManifest(readStartOfFile(path, START_BYTES).toString('utf8'));
  const problem = tooLargeProblem(size);
  return isOther
    ? { path, text: '', isFound, unreadable: { ...problem, severity: 'info' } }
    : { path, text: '', unreadable: problem };
}

export function unreadableSource(path: string, message: string, remedy: string): SourceFile {
  return { path, text: '', unreadable: { message, remedy } };
}
