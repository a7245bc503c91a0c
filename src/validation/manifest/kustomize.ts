import { basename, dirname, join, normalize } from 'path';
import { readDocuments } from './documents';
import { SourceFile } from './model';
import { PlainRecord, recordsOf } from './records';
import { findUnreadable, SourceText } from './source-text';
import { asRecord } from '../../contract';

/** What a kustomization names and is no object of its own, however much a patch looks like one. */
export interface KustomizePart {
  readonly what: 'a patch' | 'a replacement' | 'a configuration' | 'a file of a generator';
  /** The path of the kustomization. */
  readonly of: string;
}

const NAMES = ['kustomization.yaml', 'kustomization.yml'];

/**
 * By the path of the file. What some kustomization names as a resource as well is one.
 *
 * @see https://github.com/kubernetes-sigs/kustomize/blob/master/api/types/kustomization.go
 */
export function partsOfKustomizations(files: readonly SourceFile[]): ReadonlyMap<string, KustomizePart> {
  const kustomizations = files.filter((file) => NAMES.includes(basename(file.path)) && !findUnreadable(file)).map((file) => ({
    values: readDocuments(new SourceText(file)).documents.map(({ value }) => asRecord(value) ?? {}),
    of: file.path,
    pathTo: (name: string) => normalize(join(dirname(file.path), name)),
  }));
  const resources = new Set(kustomizations.flatMap(({ values, pathTo }) => values.flatMap(({ resources: names }) => textsOf(names).map(pathTo))));
  const parts = kustomizations.flatMap(({ values, of, pathTo }) =>
    values.flatMap(partsOf).map(([name, what]) => [pathTo(name), { what, of }] as const));
  return new Map(parts.filter(([path]) => !resources.has(path)));
}

function partsOf(kustomization: PlainRecord): Array<readonly [name: string, what: KustomizePart['what']]> {
  const { patches, patchesJson6902, patchesStrategicMerge, replacements, configurations, configMapGenerator, secretGenerator } = kustomization;
  const generated = [...recordsOf(configMapGenerator), ...recordsOf(secretGenerator)];
  const named: ReadonlyArray<readonly [KustomizePart['what'], unknown[]]> = [
    // What is no path, but a patch itself, is the path of no file.
    ['a patch', [...recordsOf(patches), ...recordsOf(patchesJson6902)].map(({ path }) => path).concat(patchesStrategicMerge)],
    ['a replacement', recordsOf(replacements).map(({ path }) => path)],
    ['a configuration', [configurations]],
    ['a file of a generator', generated.flatMap(({ files }) => textsOf(files).map(withoutKey))],
  ];
  return named.flatMap(([what, names]) => textsOf(names.flat()).map((name) => [name, what] as const));
}

/** `key=path`, or the path alone. */
function withoutKey(file: string): string {
  return file.slice(file.indexOf('=') + 1);
}

function textsOf(values: unknown): string[] {
  return Array.isArray(values) ? values.filter((value) => typeof value === 'string' && value !== '') : [];
}
