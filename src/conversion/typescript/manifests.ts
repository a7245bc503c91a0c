import { isScalar, Node, YAMLMap, YAMLSeq } from 'yaml';
import { Comment, commentsOf, commentLines } from './comments';
import { Manifest } from './construct';
import { DocumentTree, readTrees, SourceFile, SourceText } from '../../validation';
import { Fields } from '../yaml/fields';
import { jsonOf } from '../yaml/values';
import { YamlNormalizer } from '../yaml/yaml-normalizer';

export interface Manifests {
  readonly manifests: readonly Manifest[];
  /** Locations of documents that are not Kubernetes objects. */
  readonly nonObjects: ReadonlyArray<Manifest['location']>;
  /** Comment lines that belong to no object. */
  readonly comments: readonly string[];
}

/** All objects of the files, with the items of lists, each with its comments. */
export function readManifestObjects(files: readonly SourceFile[]): Manifests {
  const manifests: Manifest[] = [];
  const nonObjects: Array<Manifest['location']> = [];
  const comments: string[] = [];
  for (const file of files) {
    const source = new SourceText(file);
    let end = 0;
    for (const tree of readTrees(source.text, [])) {
      const [from, to] = tree.root?.range ?? tree.range;
      const around = linesOfComments(source.text.slice(end, from) + source.text.slice(to, tree.range[1]));
      end = tree.range[1];
      const location = { file: file.path, ...source.position(from) };
      const documentManifests = manifestsOf(tree, around, location);
      if (documentManifests.length === 0 && !isEmpty(tree.root)) nonObjects.push(location);
      if (documentManifests.length === 0) comments.push(...around);
      manifests.push(...documentManifests);
    }
    comments.push(...linesOfComments(source.text.slice(end)));
  }
  return { manifests, nonObjects, comments };
}

function manifestsOf({ root }: DocumentTree, around: readonly string[], location: Manifest['location']): Manifest[] {
  const copy = new YamlNormalizer().normalize(root);
  if (!(copy instanceof YAMLMap)) return [];
  const first = copy.items[0]?.key as Node | undefined;
  // This comment is above the object, so `around` contains it already.
  if (first) first.commentBefore = undefined;
  const outside = { path: [], lines: around };
  const items = itemsOf(copy);
  if (!items) return isObject(copy) ? [manifestOf(copy, [outside], location)] : [];
  const ofList = commentsOf(copy)
    .filter(({ path }) => path.length < 2 || path[0] !== 'items')
    .map(({ lines }) => ({ path: [], lines }));
  return items.items
    .filter((item) => item instanceof YAMLMap)
    .map((item) => withTypeOf(item, copy))
    .filter(isObject)
    .map((item, i) => manifestOf(item, i === 0 ? [outside, ...ofList] : [], location));
}

function manifestOf(root: YAMLMap, comments: readonly Comment[], location: Manifest['location']): Manifest {
  return { object: jsonOf(root) as Manifest['object'], comments: [...comments, ...commentsOf(root)], location };
}

function itemsOf(root: YAMLMap): YAMLSeq | undefined {
  const fields = new Fields(root);
  const items = fields.find('items')?.value;
  return fields.text('kind')?.endsWith('List') && items instanceof YAMLSeq ? items : undefined;
}

/** Sets apiVersion and kind on an item of a typed list that omits them. */
function withTypeOf(item: YAMLMap, list: YAMLMap): YAMLMap {
  const fields = new Fields(item);
  const kind = new Fields(list).text('kind') ?? '';
  if (!fields.has('apiVersion') && !fields.has('kind') && kind !== 'List') {
    fields.set('apiVersion', new Fields(list).text('apiVersion'));
    fields.set('kind', kind.slice(0, -'List'.length));
  }
  return item;
}

function isObject(root: YAMLMap): boolean {
  const fields = new Fields(root);
  return fields.text('apiVersion') !== undefined && fields.text('kind') !== undefined;
}

function isEmpty(root: Node | null): boolean {
  return root === null || (isScalar(root) && root.value === null);
}

function linesOfComments(text: string): string[] {
  return text
    .split('\n')
    .filter((line) => /^\s*#/.test(line))
    .flatMap((line) => commentLines(line.replace(/^\s*#/, '')));
}
