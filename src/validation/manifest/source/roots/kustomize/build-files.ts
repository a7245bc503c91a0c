import { isAbsolute, join, normalize } from 'path';
import { NotFollowed, KustomizeRefusal } from './refusal';
import { documentsOf } from './resources/read-resources';
import { SourceFile } from '../../../model';

export interface FileAccess {
  /** Whether there is a file or a folder that the input leaves out. @default - the input has all there is */
  readonly exists?: (path: string) => boolean;
  /** Whether files above the folder of a kustomization are refused, as kustomize does. @default true */
  readonly isRestricted?: boolean;
}

const REMOTE = /^(?:[a-z][\w+.-]*:\/\/|git::|gh:|github\.com[:/]|[\w.-]+@[\w.-]+[:/])/i;

/** Whether kustomize would load a path from a server. */
export function isRemote(path: string): boolean {
  return REMOTE.test(path);
}

/** The files of the input, as kustomize looks for them. */
export class BuildFiles {
  private readonly folders: ReadonlySet<string>;

  /** @param files by their normal path */
  public constructor(
    private readonly files: ReadonlyMap<string, SourceFile>,
    private readonly access: FileAccess = {},
  ) {
    this.folders = new Set([...files.keys()].flatMap(foldersAround));
  }

  public find(folder: string, path: string): SourceFile | undefined {
    return this.files.get(pathFrom(folder, path));
  }

  public hasFolder(folder: string): boolean {
    return this.folders.has(folder);
  }

  /** Whether there is something that the input leaves out. */
  public isLeftOut(path: string): boolean {
    return this.access.exists?.(path) === true;
  }

  /** @throws Refusal if there is no such file, or it may not be read */
  public documents(folder: string, path: string): readonly unknown[] {
    const file = this.find(folder, path);
    this.check(folder, path);
    if (file) return documentsOf(file);
    if (this.isLeftOut(pathFrom(folder, path))) throw new NotFollowed(`${path}, which is not in the input`);
    throw missingFile(folder, path);
  }

  /**
   * The text of a file of a generator. Undefined if the input leaves it out.
   *
   * @throws Refusal if there is no such file, or it may not be read
   */
  public text(folder: string, path: string): string | undefined {
    if (isRemote(path)) return undefined;
    this.check(folder, path);
    const file = this.find(folder, path);
    if (!file && !this.isLeftOut(pathFrom(folder, path))) throw missingFile(folder, path);
    return file?.unreadable ? undefined : file?.text;
  }

  /** @throws Refusal if the file is not in or below the folder */
  public check(folder: string, path: string): void {
    if (this.access.isRestricted === false) return;
    const target = pathFrom(folder, path);
    const isBelow = folder === '.' ? !target.startsWith('..') && !isAbsolute(target) : target.startsWith(`${folder}/`);
    if (!isBelow) throw new KustomizeRefusal(`security; file '${target}' is not in or below '${folder}'`);
  }
}

export function pathFrom(folder: string, path: string): string {
  const joined = normalize(isAbsolute(path) ? path : join(folder, path));
  return joined.length > 1 && joined.endsWith('/') ? joined.slice(0, -1) : joined;
}

export function missingFile(folder: string, path: string): KustomizeRefusal {
  return new KustomizeRefusal(
    `accumulating resources from '${path}': ${pathFrom(folder, path)}: no such file or directory`,
  );
}

function foldersAround(path: string): string[] {
  const steps = path.split('/').slice(0, -1);
  const folders = steps.map((_, index) => steps.slice(0, index + 1).join('/') || '/');
  return isAbsolute(path) ? folders : ['.', ...folders];
}
