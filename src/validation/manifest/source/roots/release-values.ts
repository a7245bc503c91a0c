import { CollectedValues, filesByPath, pathsFromRoots } from './charts/chart-release';
import { addReferredValues, Deployed } from './charts/referred-values';
import { RepositoryFolders } from './clusters/repository-folders';
import { parseDocuments } from './kustomization';
import { chained } from './kustomization-edits';
import { withNulls } from './kustomize/resources/read-resources';
import { Root } from './root';
import { editedObjectsIn } from './root-objects';
import { asRecord } from '../../../../contract';
import { valueText } from '../../../../model';
import { mergedValues } from '../../helm-values';
import { SourceFile } from '../../model';
import { PlainRecord, recordsOf, stringsOf } from '../../records';

const REFERENCE = /^\$([\w-]+)\/(.+)$/;

/**
 * Writes the values of charts of other repositories into the objects that install them, if the input has all of them:
 * value files of this repository in Applications of Argo CD, and ConfigMaps in HelmReleases of Flux. So the values of
 * Karpenter's chart are known.
 */
export function withReleaseValues(
  roots: readonly Root[],
  files: readonly SourceFile[],
  folders: RepositoryFolders,
): Root[] {
  const byPath = filesByPath(files);
  const all = roots.flatMap(deployedBy);
  return roots.map((root) => {
    if (!root.sources.some(mayHaveReferences)) return root;
    const near = [deployedBy(root), all];
    const sources = root.sources.map((source): SourceFile => {
      if (!mayHaveReferences(source)) return source;
      const edit = (object: PlainRecord) => withArgoValues(withFluxValues(object, near), source.path, byPath, folders);
      return { ...source, edit: chained([...(source.edit ? [source.edit] : []), edit]) };
    });
    return { ...root, sources };
  });
}

function deployedBy({ sources }: Root): Deployed {
  return sources.flatMap((source) => editedObjectsIn(source).map((object) => ({ source, object })));
}

function mayHaveReferences({ text }: SourceFile): boolean {
  return /^\s*(- )?kind: *["']?(Application|HelmRelease)\b/m.test(text) && /\b(valueFiles|valuesFrom)\b/.test(text);
}

function withFluxValues(object: PlainRecord, near: readonly Deployed[]): PlainRecord {
  const { valuesFrom, ...spec } = asRecord(object.spec) ?? {};
  const references = recordsOf(valuesFrom);
  if (object.kind !== 'HelmRelease' || references.length === 0) return object;
  const collected = new CollectedValues(new Map());
  for (const reference of references)
    addReferredValues(collected, reference, asRecord(object.metadata)?.namespace, near);
  const values = collected.missing.length === 0 ? mergedTexts(collected, spec.values) : undefined;
  return values ? { ...object, spec: { ...spec, values } } : object;
}

function withArgoValues(
  object: PlainRecord,
  file: string,
  files: ReadonlyMap<string, SourceFile>,
  folders: RepositoryFolders,
): PlainRecord {
  const spec = asRecord(object.spec);
  if (object.kind !== 'Application' || !Array.isArray(spec?.sources)) return object;
  const own = recordsOf(spec.sources)
    .filter(({ ref, repoURL }) => ref !== undefined && folders.isOwn(repoURL))
    .map(({ ref }) => valueText(ref));
  const sources = spec.sources.map((source: unknown) => {
    const { valueFiles, valuesObject, values, ...helm } = asRecord(asRecord(source)?.helm) ?? {};
    const paths = stringsOf(valueFiles);
    if (asRecord(source)?.chart === undefined || paths.length === 0) return source;
    const collected = new CollectedValues(files);
    for (const path of paths) {
      const [, reference = '', referred = ''] = REFERENCE.exec(path) ?? [];
      const isOptional = helm.ignoreMissingValueFiles === true && own.includes(reference);
      collected.addFile(own.includes(reference) ? pathsFromRoots(file, referred) : [], path, isOptional);
    }
    if (typeof values === 'string' && valuesObject === undefined) collected.addText(values, file);
    const merged = collected.missing.length === 0 ? mergedTexts(collected, valuesObject) : undefined;
    return merged ? { ...asRecord(source), helm: { ...helm, valuesObject: merged } } : source;
  });
  return { ...object, spec: { ...spec, sources } };
}

/** Undefined if a text is no mapping. */
function mergedTexts({ values }: CollectedValues, last: unknown): PlainRecord | undefined {
  const records = values.map(({ text }) => {
    const documents = parseDocuments(text);
    return documents.length === 0 ? {} : asRecord(withNulls(documents[0]));
  });
  if (records.some((record) => record === undefined)) return undefined;
  return [...records, asRecord(withNulls(last)) ?? {}].reduce<PlainRecord>(
    (merged, record) => mergedValues(merged, record!),
    {},
  );
}
