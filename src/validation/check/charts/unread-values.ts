import { dirname } from 'path';
import { MergedValues, mountOf, ValuesLayer, yamlDocuments } from './merged-values';
import { ValuesPath } from './template/origin';
import { parseTemplate } from './template/parse';
import { TemplateReads } from './template/reads';
import { TemplateNode, TemplateSyntaxError } from './template/syntax';
import { asRecord } from '../../../contract';
import { memoizeByIdentity, nearestNames } from '../../../model';
import { ChartFile } from '../../manifest';
import { valueAt } from '../../manifest/edit/edited-value';
import { recordsOf, scalarText, stringsOf } from '../../manifest/records';

/** A value that no template of its chart reads, and the value that is meant. */
export interface UnreadChartValue {
  readonly path: readonly string[];
  readonly meant: readonly string[];
  readonly layer: ValuesLayer;
}

/** What the templates of a chart may read. Undefined if that may be anything. */
export const readsOfChart = memoizeByIdentity((values: MergedValues) => readsOf(values));

/**
 * The paths with a name that templates read, and that have no value yet. Keys that templates go through are those of
 * the values.
 */
export function emptyPathsNamed(values: MergedValues, name: string): string[][] {
  const reads = readsOfChart(values);
  const read = reads === undefined ? [] : [...reads.whole.values(), ...reads.tested.values()];
  const named = read.flatMap(prefixesOf).filter((path) => path[path.length - 1] === name);
  const paths = named.flatMap((path) => expanded(path, values.merged));
  const distinct = new Map(paths.map((path) => [JSON.stringify(path), path]));
  return [...distinct.values()].filter((path) => isEmpty(valueAt(values.merged, path)));
}

const MOST_KEYS = 50;

function expanded([step, ...rest]: ValuesPath, value: unknown): string[][] {
  if (step === undefined) return [[]];
  const record = asRecord(value);
  const keys = step === '*' ? Object.keys(record ?? {}).slice(0, MOST_KEYS) : [step];
  return keys.flatMap((key) => expanded(rest, record?.[key]).map((inner) => [key, ...inner]));
}

/**
 * The values that no template reads, if templates read one that is very like: the same key at another level, or a key
 * that is spelt a little differently. That one must have no value yet.
 */
export function unreadChartValues(values: MergedValues): UnreadChartValue[] {
  const reads = readsOfChart(values);
  if (reads === undefined) return [];
  const read = [...reads.whole.values(), ...reads.tested.values()];
  const known = new Map(read.flatMap(prefixesOf).map((path) => [JSON.stringify(path), path]));
  return unreadPaths(values.merged, [...reads.whole.values()], read).flatMap((path): UnreadChartValue[] => {
    const meant = meantPath(path, [...known.values()]);
    const { layer } = values.writtenAt(path);
    if (meant === undefined || layer === undefined || !isEmpty(valueAt(values.merged, meant))) return [];
    return isEmpty(valueAt(values.merged, path)) ? [] : [{ path, meant, layer }];
  });
}

/** What the templates of the chart and its subcharts may read. Undefined if that may be anything. */
function readsOf(values: MergedValues): TemplateReads | undefined {
  const files = values.rendering.files();
  const texts = new Map(files.map(({ inside, text }) => [inside, text]));
  const templates = files.filter(({ inside }) => /(?:^|\/)templates\//.test(inside));
  try {
    const parsed = templates.map((file) => ({
      prefix: mountOf(chartOf(file), texts),
      nodes: parseTemplate(file.text),
    }));
    // A text of the values may be a template that `tpl` fills in.
    const dynamic = values.leaves().flatMap(({ value }) => (String(value).includes('{{') ? [String(value)] : []));
    const inTexts = dynamic.flatMap((text) => {
      const nodes = parseTemplate(text);
      return [...new Set(parsed.map(({ prefix }) => prefix))].map((prefix) => ({ prefix, nodes }));
    });
    const all = [...parsed, ...inTexts];
    const reads = new TemplateReads(new Map(all.flatMap(({ nodes }) => definitionsIn(nodes))));
    for (const { prefix, nodes } of all) reads.readTemplate(nodes, prefix);
    for (const path of [['global'], ...pathsOfDependencies(files, texts)]) reads.whole.set(JSON.stringify(path), path);
    return reads;
  } catch (error) {
    if (error instanceof TemplateSyntaxError) return undefined;
    throw error;
  }
}

function definitionsIn(nodes: readonly TemplateNode[]): Array<[string, readonly TemplateNode[]]> {
  return nodes.flatMap((node): Array<[string, readonly TemplateNode[]]> => {
    if (node.kind === 'define') return [[node.name, node.body], ...definitionsIn(node.body)];
    if ('otherwise' in node) return [...definitionsIn(node.body), ...definitionsIn(node.otherwise)];
    return [];
  });
}

/** The folder of the chart that has a template. */
function chartOf({ inside }: ChartFile): string {
  return inside.slice(0, Math.max(0, inside.lastIndexOf('templates/') - 1)) || '.';
}

/** What helm itself reads: the dependencies in Chart.yaml, and the values of packed charts. */
function pathsOfDependencies(files: readonly ChartFile[], texts: ReadonlyMap<string, string>): ValuesPath[] {
  return files
    .filter(({ inside }) => /(?:^|\/)Chart\.yaml$/.test(inside))
    .flatMap((file): ValuesPath[] => {
      const folder = dirname(file.inside);
      const prefix = mountOf(folder, texts);
      const description = asRecord(yamlDocuments(file)[0]?.value);
      return recordsOf(description?.dependencies).flatMap((dependency) => {
        if (dependency['import-values'] !== undefined) throw new TemplateSyntaxError('values are imported');
        const name = scalarText(dependency.name);
        const inFolder = folder === '.' ? '' : `${folder}/`;
        const isPacked = !texts.has(`${inFolder}charts/${name}/Chart.yaml`);
        const conditions = scalarText(dependency.condition)
          .split(',')
          .filter((condition) => condition !== '');
        return [
          [...prefix, 'tags'],
          ...conditions.map((condition) => [...prefix, ...condition.trim().split('.')]),
          ...(isPacked ? [[...prefix, scalarText(dependency.alias) || name]] : []),
          ...(stringsOf(dependency.tags).length > 0 ? [['tags']] : []),
        ];
      });
    });
}

/** The outermost values that no template reads. Lists count as one value. */
function unreadPaths(merged: unknown, whole: readonly ValuesPath[], read: readonly ValuesPath[]): string[][] {
  const unread: string[][] = [];
  const visit = (value: unknown, path: readonly string[]) => {
    if (whole.some((other) => other.length <= path.length && isAlike(other, path))) return;
    const isReached = read.some((other) => other.length >= path.length && isAlike(other, path));
    if (!isReached) unread.push([...path]);
    else for (const [key, item] of Object.entries(asRecord(value) ?? {})) visit(item, [...path, key]);
  };
  for (const [key, item] of Object.entries(asRecord(merged) ?? {})) visit(item, [key]);
  return unread;
}

/** Whether two paths are equal as far as both go. */
function isAlike(left: readonly string[], right: readonly string[]): boolean {
  return left.every((step, depth) => depth >= right.length || step === right[depth] || step === '*');
}

function prefixesOf(path: ValuesPath): ValuesPath[] {
  return path.map((_, index) => path.slice(0, index + 1));
}

/** The only path that templates read and that is most like the given one. */
function meantPath(path: readonly string[], known: readonly ValuesPath[]): readonly string[] | undefined {
  const name = path[path.length - 1];
  const beside = known.flatMap((other) => {
    if (other.length !== path.length || !isAlike(other.slice(0, -1), path.slice(0, -1))) return [];
    const own = other[other.length - 1];
    return own === '*' ? [] : [own];
  });
  const near = nearestNames(name, [...new Set(beside)]);
  if (near.length === 1 && near[0] !== name) return [...path.slice(0, -1), near[0]];
  const elsewhere = known.flatMap((other) => {
    if (other[other.length - 1] !== name) return [];
    const bound = boundPath(other, path);
    return bound === undefined ? [] : [bound];
  });
  const closest = Math.max(...elsewhere.map(({ common }) => common));
  const best = new Map(
    elsewhere.filter(({ common }) => common === closest).map((found) => [JSON.stringify(found.path), found.path]),
  );
  return best.size === 1 ? [...best.values()][0] : undefined;
}

/** A path of templates with the keys of a value in place of `*`, and how many steps both have in common. */
function boundPath(
  pattern: ValuesPath,
  path: readonly string[],
): { readonly path: readonly string[]; readonly common: number } | undefined {
  let common = 0;
  const most = Math.min(pattern.length, path.length) - 1;
  while (common < most && isAlike([pattern[common]], [path[common]])) common++;
  const rest = pattern.slice(common);
  // A value of another part of the chart is another one.
  const isNear = common > 0 || pattern.length === 1 || path.length === 1;
  return rest.includes('*') || !isNear ? undefined : { path: [...path.slice(0, common), ...rest], common };
}

function isEmpty(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0;
  const record = asRecord(value);
  return record === undefined
    ? value === undefined || value === null || value === ''
    : Object.keys(record).length === 0;
}
