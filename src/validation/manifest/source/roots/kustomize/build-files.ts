import { basename, dirname, isAbsolute, join, normalize, relative } from 'path';
import { NotFollowed, KustomizeRefusal } from './refusal';
import { documentsOf } from './resources/read-resources';
import { nearestName } from '../../../../../model';
import { FieldPath, SourceFile } from '../../../model';

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

  /**
   * @param field the field of the path in the entry of the kustomization
   * @throws Refusal if there is no such file, or it may not be read
   */
  public documents(folder: string, path: string, field?: FieldPath): readonly unknown[] {
    const file = this.find(folder, path);
    this.check(folder, path);
    if (file) return documentsOf(file);
    if (this.isLeftOut(pathFrom(folder, path))) throw new NotFollowed(`${path}, which is not in the input`);
    throw this.missing(folder, path, field);
  }

  /** The refusal of a path that leads nowhere, with a path that is meant. */
  public missing(folder: string, path: string, field: FieldPath = []): KustomizeRefusal {
    const target = pathFrom(folder, path);
    const near = this.nearTo(target);
    return new KustomizeRefusal(
      `accumulating resources from '${path}': ${target}: no such file or directory`,
      near === undefined ? undefined : { remedy: `write ${relative(folder, near)}`, field },
    );
  }

  /** A file or folder beside the target whose name is almost the same, else the only one of that name nearby. */
  private nearTo(target: string): string | undefined {
    const [name, parent] = [basename(target), dirname(target)];
    const paths = [...this.files.keys(), ...this.folders].filter((path) => path !== '.');
    const near = nearestName(
      name,
      paths.filter((path) => dirname(path) === parent).map((path) => basename(path)),
    );
    if (near !== undefined) return join(parent, near);
    const around = dirname(parent);
    const [found, ...others] = paths.filter((path) => basename(path) === name && dirname(dirname(path)) === around);
    const [below, ...more] = paths.filter((path) => basename(path) === name && dirname(dirname(path)) === parent);
    const alike = others.length === 0 ? found : undefined;
    return more.length === 0 && below !== undefined ? below : alike;
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
    if (!file && !this.isLeftOut(pathFrom(folder, path))) throw this.missing(folder, path);
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

function foldersAround(path: string): string[] {
  const steps = path.split('/').slice(0, -1);
  const folders = steps.map((_, index) => steps.slice(0, index + 1).join('/') || '/');
  return isAbsolute(path) ? folders : ['.', ...folders];
}
