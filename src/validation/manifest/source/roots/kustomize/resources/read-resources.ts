import { basename } from 'path';
import { KustomizeRefusal, NotFollowed } from '../refusal';
import { Resource } from './resource';
import { SourceFile } from '../../../../model';
import { readDocuments } from '../../../../yaml/documents';
import { nullKeysOf } from '../../../../yaml/mapping-value';
import { findUnreadable, SourceText } from '../../../source-text';
import { PlainFields, isFields, isMissing, newFields, textOf } from '../values';

/**
 * The values of the documents of a file.
 *
 * @param allowsDuplicates whether a key may be written twice: the last one is used then
 * @throws Refusal if the text is no YAML
 * @throws NotFollowed if the file is not read
 */
export function documentsOf(file: SourceFile, allowsDuplicates = false): readonly unknown[] {
  const unreadable = findUnreadable(file);
  // What is not read here, such as a link out of the repository, kustomize may read.
  if (unreadable?.message.startsWith('not read'))
    throw new NotFollowed(`${basename(file.path)}, ${unreadable.message}`);
  if (unreadable) throw new KustomizeRefusal(`MalformedYAMLError: ${unreadable.message}`);
  const { documents, problems } = readDocuments(new SourceText(file));
  const [problem] = problems.filter(({ kind }) => kind !== 'duplicate-key' || !allowsDuplicates);
  if (problem) throw new KustomizeRefusal(`MalformedYAMLError: ${problem.message}`);
  return documents.map(({ value }) => value);
}

/**
 * The objects of documents, with those of lists.
 *
 * @param use identifies the use of the file, @default - the objects are not those of a file
 * @throws Refusal if a document is no object
 * @see https://github.com/kubernetes-sigs/kustomize/blob/master/api/resource/factory.go
 */
export function resourcesOf(documents: readonly unknown[], use?: number): Resource[] {
  const queue: unknown[] = documents.filter((document) => !isMissing(document));
  const resources: Resource[] = [];
  for (let index = 0; index < queue.length; index++) {
    const value = queue[index];
    if (!isFields(value)) throw new KustomizeRefusal('missing Resource metadata');
    if (Object.keys(value).length === 0) continue;
    const items = listItems(value);
    if (items) {
      queue.push(...items);
      continue;
    }
    const resource = new Resource(
      withNulls(value) as PlainFields,
      use === undefined ? undefined : { use, key: JSON.stringify(value) },
    );
    resource.validate();
    resources.push(resource);
  }
  return resources;
}

function listItems(value: PlainFields): readonly unknown[] | undefined {
  const kind = textOf(value.kind);
  const { items } = value;
  if (!kind.endsWith('List') || items === undefined) return undefined;
  if (items === null) return [];
  if (!Array.isArray(items)) throw new KustomizeRefusal(`expected array in ${kind}/items`);
  return items;
}

/** The values of the documents of a text inside of a kustomization. */
export function documentValues(text: string): readonly unknown[] {
  return documentsOf({ path: '', text });
}

/** A copy of a value, with the null values that reading leaves out: a patch removes fields with them. */
export function withNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withNulls);
  if (!isFields(value)) return value;
  const copy = newFields();
  for (const key of Object.keys(value)) copy[key] = withNulls(value[key]);
  for (const key of nullKeysOf(value)) copy[key] = null;
  return copy;
}
