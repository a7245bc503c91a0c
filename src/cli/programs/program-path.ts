import { accessSync, constants, statSync } from 'fs';
import { delimiter, isAbsolute, join } from 'path';
import { leadsInto, workTreeOf } from '../../model';

/** npx puts these folders of the current folder into the PATH, whatever repository that is. */
const PACKAGE_PROGRAMS = /[/\\]node_modules[/\\]\.bin[/\\]?$/;

/** The PATH of this process without the folders that a repository has the programs of. */
export class ProgramPath {
  private readonly folders: readonly string[];
  private readonly leftOut: readonly string[];

  /** @param root the repository that is checked */
  public constructor(root: string) {
    const all = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
    const isRepository = workTreeOf(root) !== undefined;
    const isTrusted = (folder: string) =>
      isAbsolute(folder) && !PACKAGE_PROGRAMS.test(folder) && !(isRepository && leadsInto(folder, root));
    this.folders = all.filter(isTrusted);
    this.leftOut = all.filter((folder) => !isTrusted(folder));
  }

  public get text(): string {
    return this.folders.join(delimiter);
  }

  /** The absolute path of a program. */
  public find(name: string): string | undefined {
    return firstIn(this.folders, name);
  }

  /** Why a program is not found, as the rest of a sentence. */
  public whyMissing(name: string): string {
    return firstIn(this.leftOut, name) === undefined
      ? `${name} is not installed`
      : `the only ${name} in the PATH is one of the repository or of node_modules`;
  }
}

function firstIn(folders: readonly string[], name: string): string | undefined {
  const file = process.platform === 'win32' ? `${name}.exe` : name;
  return folders.map((folder) => join(folder, file)).find(isProgram);
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
