import { basename, dirname, join, normalize } from 'path';
import { KUSTOMIZATION_NAMES } from './roots/kustomize/kustomization-file';
import { findUnreadable, SourceText } from './source-text';
import { asRecord } from '../../../contract';
import { SourceFile } from '../model';
import { PlainRecord, recordsOf } from '../records';
import { readDocuments } from '../yaml/documents';

/** The role of a file that a kustomization uses, and that is not an object by itself even if it looks like one. */
export interface KustomizationPart {
  readonly role: 'a patch' | 'a replacement' | 'a configuration' | 'a file of a generator';
  /** The path of the kustomization. */
  readonly kustomization: string;
}

/**
 * The parts of all kustomizations, by the path of the file. A file that any kustomization names as a resource is not a
 * part.
 *
 * @see https://github.com/kubernetes-sigs/kustomize/blob/master/api/types/kustomization.go
 */
export function kustomizationParts(files: readonly SourceFile[]): ReadonlyMap<string, KustomizationPart> {
  const kustomizations = files
    .filter((file) => KUSTOMIZATION_NAMES.includes(basename(file.path)) && !findUnreadable(file))
    .map((file) => ({
      values: readDocuments(new SourceText(file)).documents.map(({ value }) => asRecord(value) ?? {}),
      kustomization: file.path,
      pathTo: (name: string) => normalize(join(dirname(file.path), name)),
    }));
  const resources = new Set(
    kustomizations.flatMap(({ values, pathTo }) =>
      values.flatMap(({ resources: names }) => nonEmptyStrings(names).map(pathTo)),
    ),
  );
  const parts = kustomizations.flatMap(({ values, kustomization, pathTo }) =>
    values.flatMap(partsOf).map(([name, role]) => [pathTo(name), { role, kustomization }] as const),
  );
  return new Map(parts.filter(([path]) => !resources.has(path)));
}

function partsOf(kustomization: PlainRecord): Array<readonly [name: string, role: KustomizationPart['role']]> {
  const {
    patches,
    patchesJson6902,
    patchesStrategicMerge,
    replacements,
    configurations,
    configMapGenerator,
    secretGenerator,
  } = kustomization;
  const generators = [...recordsOf(configMapGenerator), ...recordsOf(secretGenerator)];
  const namesByRole: ReadonlyArray<readonly [KustomizationPart['role'], unknown[]]> = [
    // patchesStrategicMerge may hold inline patches: these match the path of no file.
    [
      'a patch',
      [...recordsOf(patches), ...recordsOf(patchesJson6902)].map(({ path }) => path).concat(patchesStrategicMerge),
    ],
    ['a replacement', recordsOf(replacements).map(({ path }) => path)],
    ['a configuration', [configurations]],
    ['a file of a generator', generators.flatMap(({ files }) => nonEmptyStrings(files).map(withoutKey))],
  ];
  return namesByRole.flatMap(([role, names]) => nonEmptyStrings(names.flat()).map((name) => [name, role] as const));
}

/** The path in `key=path` or `path`. */
function withoutKey(file: string): string {
  return file.slice(file.indexOf('=') + 1);
}

function nonEmptyStrings(values: unknown): string[] {
  return Array.isArray(values) ? values.filter((value) => typeof value === 'string' && value !== '') : [];
}
