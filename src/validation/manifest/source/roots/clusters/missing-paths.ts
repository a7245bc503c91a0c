import { basename } from 'path';
import { WrittenPath } from './deployed-path';
import { RepositoryFolders, repositoryPath } from './repository-folders';
import { countText, nearestName, shortListText } from '../../../../../model';
import { SourceFile } from '../../../model';
import { readDocuments } from '../../../yaml/documents';
import { findUnreadable, SourceText } from '../../source-text';
import { deployerOf } from '../inline-build';

/** The repository as it is on this machine, with the files that the input leaves out. */
export interface RepositoryOnDisk {
  /** The URLs of its remotes. */
  readonly remotes: ReadonlySet<string>;
  /** The names of the files directly in a folder of the input; undefined if it cannot be read. @default - unknown */
  readonly filesOf?: (folder: string) => readonly string[] | undefined;
  /** Whether it has a path; undefined if the file is in no repository. */
  has(file: string, path: string): boolean | undefined;
  /** The names of the files directly in a folder; undefined if the file is in no repository, or there is no folder. */
  filesIn(file: string, path: string): readonly string[] | undefined;
}

const DEFAULT_BRANCHES: readonly unknown[] = [undefined, '', 'HEAD', 'main', 'master'];
/** Values that are filled in later, patterns, and paths of samples. */
const NOT_LITERAL = /[{}$*<>]|(^|\/)path\/to(\/|$)/;
const MOST_NAMED = 3;

/** The written paths that the repository lacks. One in another repository or on another branch may exist there. */
export function missingPaths(
  written: readonly WrittenPath[],
  repository: RepositoryOnDisk | undefined,
  folders: RepositoryFolders,
): WrittenPath[] {
  const lacking = pathsIn(repository, written).filter(
    ({ definition, path }) => repository?.has(definition.file.path, String(path)) === false,
  );
  return [...lacking, ...misspeltPaths(written, repository, folders)];
}

/** Whether it is not known which repository the files belong to. */
export function isUnnamed(repository: RepositoryOnDisk | undefined): boolean {
  return repository === undefined || repository.remotes.size === 0;
}

/** Without a repository: paths that are almost a folder of the input, if others of the same URL are in the input. */
function misspeltPaths(
  written: readonly WrittenPath[],
  repository: RepositoryOnDisk | undefined,
  folders: RepositoryFolders,
): WrittenPath[] {
  if (!isUnnamed(repository)) return [];
  const literal = written.filter(isLiteral);
  const isFound = ({ definition, path }: WrittenPath) =>
    folders.find(definition.file.path, cleanPath(path)) !== undefined;
  const urls = new Set(literal.filter(isFound).map(({ url }) => url));
  return literal.filter((one) => {
    const { definition, path, url } = one;
    if (isFound(one) || !urls.has(url) || cleanPath(path) === '') return false;
    if (repository?.has(definition.file.path, String(path)) === true) return false;
    const near = nearestName(cleanPath(path), folders.pathsFrom(definition.file.path));
    return near !== undefined && !isNumberedPath(cleanPath(path), near);
  });
}

/** Whether the paths differ only in a number: `pool-1` is no mistake for `pool-2`. */
function isNumberedPath(path: string, other: string): boolean {
  const plain = (text: string) => text.replace(/[-_.]?\d+/g, '');
  return plain(path) === plain(other);
}

/** The literal paths that are surely in this repository. */
export function pathsIn(repository: RepositoryOnDisk | undefined, written: readonly WrittenPath[]): WrittenPath[] {
  if (repository === undefined) return [];
  const own = new Set([...repository.remotes].map(repositoryPath));
  return written.filter((one) => isLiteral(one) && own.has(repositoryPath(String(one.url))));
}

export function isLiteral({ url, revision, path }: WrittenPath): boolean {
  return (
    typeof path === 'string' &&
    typeof url === 'string' &&
    !NOT_LITERAL.test(path) &&
    DEFAULT_BRANCHES.includes(revision)
  );
}

/** One unreadable file for all missing paths, at the first of them; none without a missing path. */
export function missingPathFiles(missing: readonly WrittenPath[], folders: RepositoryFolders): SourceFile[] {
  const [first] = missing;
  if (first === undefined) return [];
  const { file, object } = first.definition;
  const path = cleanPath(first.path);
  const near = nearestPath(path, folders.pathsFrom(file.path));
  const names = missing.map((one) => `${cleanPath(one.path)} (${one.definition.file.path})`);
  return [
    {
      path: file.path,
      text: file.text,
      isFound: true,
      unreadable: {
        message:
          missing.length === 1
            ? `${deployerOf({ file, object })} deploys ${path}, which is not in the repository: it fails, and nothing of it is in the plan`
            : `${countText(missing.length, 'path')} that Argo CD or Flux deploy are not in the repository: ${shortListText(names, MOST_NAMED)}`,
        remedy: near === undefined ? 'write a path that the repository has' : `write ${near}`,
        offset: offsetOf(first),
        severity: 'warning',
      },
    },
  ];
}

/** A folder with a similar path, or the only one of that name. */
function nearestPath(path: string, folders: readonly string[]): string | undefined {
  const near = nearestName(path, folders);
  if (near !== undefined) return near;
  const [moved, ...others] = folders.filter((folder) => basename(folder) === basename(path));
  return others.length === 0 ? moved : undefined;
}

export function cleanPath(path: unknown): string {
  return String(path)
    .replace(/^\.?\/+/, '')
    .replace(/\/+$/, '');
}

export function offsetOf({ definition: { file, object }, field }: WrittenPath): number {
  if (findUnreadable(file)) return 0;
  const text = JSON.stringify(object);
  const document = readDocuments(new SourceText(file)).documents.find(({ value }) => JSON.stringify(value) === text);
  return document?.offsetOf(field) ?? 0;
}
