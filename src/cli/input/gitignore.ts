import { existsSync, readFileSync } from 'fs';
import { dirname, join, relative, resolve, sep } from 'path';
import ignore, { Ignore } from 'ignore';

/** Whether git ignores a path, by the .gitignore files of its folder and of the folders above, up to the repository. */
export class GitIgnore {
  private readonly rulesByFolder = new Map<string, { readonly folder: string; readonly rules: Ignore } | undefined>();
  private readonly repositories = new Map<string, boolean>();

  /** @param path ends with a slash if it is a folder */
  public isIgnored(path: string): boolean {
    const full = resolve(path);
    for (let folder = dirname(full); ; folder = dirname(folder)) {
      const found = this.rulesIn(folder);
      if (found) {
        const inside = relative(folder, full).split(sep).join('/');
        const { ignored, unignored } = found.rules.test(path.endsWith('/') ? `${inside}/` : inside);
        if (ignored) return true;
        if (unignored) return false;
      }
      if (this.isRepository(folder) || dirname(folder) === folder) return false;
    }
  }

  private rulesIn(folder: string): { readonly folder: string; readonly rules: Ignore } | undefined {
    if (!this.rulesByFolder.has(folder)) {
      const file = join(folder, '.gitignore');
      this.rulesByFolder.set(
        folder,
        existsSync(file) ? { folder, rules: ignore().add(readFileSync(file, 'utf8')) } : undefined,
      );
    }
    return this.rulesByFolder.get(folder);
  }

  private isRepository(folder: string): boolean {
    const known = this.repositories.get(folder) ?? existsSync(join(folder, '.git'));
    this.repositories.set(folder, known);
    return known;
  }
}
