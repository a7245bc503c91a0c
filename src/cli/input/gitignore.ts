import { lstatSync } from 'fs';
import { dirname, join, relative, resolve, sep } from 'path';
import ignore, { Ignore } from 'ignore';
import { readRegularText, workTreeOf } from '../../model';

/** A longer file is no list of patterns. */
const MOST_BYTES = 1024 * 1024;

/**
 * Whether git ignores a path, by the .gitignore files of its folder and of the folders above, up to the root of the
 * repository. Like git, it follows no link to a .gitignore.
 */
export class GitIgnore {
  private readonly rulesByFolder = new Map<string, { readonly folder: string; readonly rules: Ignore } | undefined>();
  private readonly workTrees = new Map<string, string | undefined>();
  private readonly given: ReadonlySet<string>;
  /** Ignored folders that are named on the command line, such as `dist/`: the rules above them do not matter. */
  private readonly ignoredRoots: ReadonlySet<string>;

  /** @param paths those of the command line; outside of a repository, no rule of a folder above them is read */
  public constructor(paths: readonly string[]) {
    this.given = new Set(paths.map((path) => resolve(path)));
    this.ignoredRoots = new Set();
    this.ignoredRoots = new Set([...this.given].filter((path) => this.isIgnored(`${path}/`)));
  }

  /** @param path ends with a slash if it is a folder */
  public isIgnored(path: string): boolean {
    const full = resolve(path);
    const workTree = this.workTreeAround(dirname(full));
    for (let folder = dirname(full); ; folder = dirname(folder)) {
      const found = this.rulesIn(folder);
      if (found) {
        const inside = relative(folder, full).split(sep).join('/');
        const { ignored, unignored } = found.rules.test(path.endsWith('/') ? `${inside}/` : inside);
        if (ignored) return true;
        if (unignored) return false;
      }
      if (this.ignoredRoots.has(folder)) return false;
      if (folder === workTree || (workTree === undefined && this.given.has(folder))) return false;
      if (dirname(folder) === folder) return false;
    }
  }

  private rulesIn(folder: string): { readonly folder: string; readonly rules: Ignore } | undefined {
    if (!this.rulesByFolder.has(folder)) {
      const text = textOf(join(folder, '.gitignore'));
      this.rulesByFolder.set(folder, text === undefined ? undefined : { folder, rules: ignore().add(text) });
    }
    return this.rulesByFolder.get(folder);
  }

  private workTreeAround(folder: string): string | undefined {
    if (!this.workTrees.has(folder)) this.workTrees.set(folder, workTreeOf(folder));
    return this.workTrees.get(folder);
  }
}

/** Undefined for a file that cannot be read: git ignores it, too. */
function textOf(file: string): string | undefined {
  try {
    return lstatSync(file).isFile() ? readRegularText(file, MOST_BYTES) : undefined;
  } catch {
    return undefined;
  }
}
