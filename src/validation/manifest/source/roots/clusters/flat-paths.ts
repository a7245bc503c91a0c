import { basename, dirname, normalize } from 'path';
import { WrittenPath } from './deployed-path';
import { isBelow } from './folder-content';
import { cleanPath, isLiteral, isUnnamed, offsetOf, pathsIn, RepositoryOnDisk } from './missing-paths';
import { RepositoryFolders } from './repository-folders';
import { SourceFile } from '../../../model';
import { deployerOf } from '../inline-build';
import { KUSTOMIZATION_NAMES } from '../kustomize/kustomization-file';
import { identitiesIn } from '../root-objects';

/** Files that no tool of Argo CD makes objects from. */
const NO_MANIFEST = /^(?:\.git\w+|.*\.(?:md|txt))$/i;
const BUILT = ['Chart.yaml', ...KUSTOMIZATION_NAMES];

/**
 * Unreadable files for the folders that Argo CD deploys without their subfolders, and whose manifests are all in
 * subfolders: such an Application is healthy and deploys nothing.
 *
 * @see https://argo-cd.readthedocs.io/en/stable/user-guide/directory/#enabling-recursive-resource-detection
 */
export function flatPathFiles(
  written: readonly WrittenPath[],
  files: readonly SourceFile[],
  repository: RepositoryOnDisk | undefined,
  folders: RepositoryFolders,
): SourceFile[] {
  const own = isUnnamed(repository) ? written.filter(isLiteral) : pathsIn(repository, written);
  const flat = own.filter(({ isFlat }) => isFlat === true);
  return flat.flatMap((one): SourceFile[] => {
    const { file, object } = one.definition;
    const path = cleanPath(one.path);
    const folder = folders.find(file.path, path);
    const inFolder =
      repository?.filesIn(file.path, path) ?? (folder === undefined ? undefined : repository?.filesOf?.(folder));
    if (inFolder === undefined || inFolder.some((name) => !NO_MANIFEST.test(name))) return [];
    // Another Application may deploy the subfolders.
    if (written.some((other) => cleanPath(other.path).startsWith(`${path}/`))) return [];
    const below = files.filter(({ path: inner }) => folder !== undefined && isBelow(dirname(normalize(inner)), folder));
    if (below.some(({ path: inner }) => BUILT.includes(basename(inner)))) return [];
    if (!below.some((inner) => identitiesIn(inner).length > 0)) return [];
    return [
      {
        path: file.path,
        text: file.text,
        isFound: true,
        unreadable: {
          message: `${deployerOf({ file, object })} deploys ${path} without its subfolders, and all manifests are in these: it deploys nothing, and deletes what it has deployed if it prunes`,
          remedy: 'add directory: { recurse: true } next to path',
          offset: offsetOf(one),
          severity: 'warning',
        },
      },
    ];
  });
}
