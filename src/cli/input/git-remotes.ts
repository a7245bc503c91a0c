import { existsSync, readFileSync } from 'fs';
import { dirname, join, resolve } from 'path';
import type { SourceFile } from '../../validation';
import { lazy } from '../lazy';

/** The names of the remotes of the Git repositories that files belong to. */
export function repositoriesOf(files: readonly SourceFile[]): ReadonlySet<string> {
  const folders = new Set(files.map(({ path }) => dirname(resolve(path))));
  const roots = new Set([...folders].flatMap((folder) => repositoryRoot(folder) ?? []));
  return new Set([...roots].flatMap(remotesIn).map(lazy.validation.repositoryName));
}

function repositoryRoot(folder: string): string | undefined {
  if (existsSync(join(folder, '.git', 'config'))) return folder;
  return dirname(folder) === folder ? undefined : repositoryRoot(dirname(folder));
}

function remotesIn(folder: string): string[] {
  return [...readFileSync(join(folder, '.git', 'config'), 'utf8').matchAll(/^\s*url\s*=\s*(\S+)/gm)].map(
    ([, url]) => url,
  );
}
