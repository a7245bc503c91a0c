import { dirname, join, resolve } from 'path';
import { leadsInto, readRegularText, workTreeOf } from '../../model';
import type { SourceFile } from '../../validation';
import { lazy } from '../lazy';

const MOST_BYTES = 1024 * 1024;

/** The names of the remotes of the Git repositories that files belong to. */
export function repositoriesOf(files: readonly SourceFile[]): ReadonlySet<string> {
  const folders = new Set(files.map(({ path }) => dirname(resolve(path))));
  const roots = new Set([...folders].flatMap((folder) => workTreeOf(folder) ?? []));
  return new Set([...roots].flatMap(remotesIn).map(lazy.validation.repositoryName));
}

function remotesIn(folder: string): string[] {
  return [...configOf(folder).matchAll(/^\s*url\s*=\s*(\S+)/gm)].map(([, url]) => url);
}

/** Empty for a work tree beside its repository, and for a file that is not one of the repository. */
function configOf(folder: string): string {
  const file = join(folder, '.git', 'config');
  try {
    return leadsInto(file, folder) ? readRegularText(file, MOST_BYTES) : '';
  } catch {
    return '';
  }
}
