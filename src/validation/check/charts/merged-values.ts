import { basename, dirname } from 'path';
import { asRecord, FieldPath } from '../../../contract';
import { ChartRendering, SourceFile } from '../../manifest';
import { valueAt } from '../../manifest/edit/edited-value';
import { mergedValues, withHelmParameter } from '../../manifest/helm-values';
import { PlainRecord, recordsOf } from '../../manifest/records';
import { withNulls } from '../../manifest/source/roots/kustomize/resources/read-resources';
import { SourceText } from '../../manifest/source/source-text';
import { readDocuments } from '../../manifest/yaml/documents';
import { SourceDocument } from '../../manifest/yaml/source-document';

/** Where values of a chart are written: a file of values, or an object that deploys the chart. */
export interface ValuesLayer {
  readonly file: Pick<SourceFile, 'path' | 'text'>;
  readonly document: SourceDocument;
  /** The values in the document. */
  readonly prefix: FieldPath;
  readonly values: PlainRecord;
  /** The key of a subchart whose default values these are. Empty for the chart itself. */
  readonly mount: readonly string[];
  /** The path of a file of the chart. @default - the values are those of the release */
  readonly inside?: string;
  /** The index of values of the release. @default - the values are those of the chart */
  readonly index?: number;
}

/** A value that is no mapping and no list. */
export type Scalar = string | number | boolean;

/** A scalar of the values that helm renders with, by its path from those of the outermost chart. */
export interface ValuesLeaf {
  readonly path: FieldPath;
  readonly value: Scalar;
  /** The last layer that sets it, or the index of a parameter. Undefined if no file is known to write it. */
  readonly layer?: ValuesLayer;
  readonly parameter?: number;
}

const MOST_LEAVES = 20_000;

/** All values that a chart is rendered with, and where each is written. */
export class MergedValues {
  public readonly merged: PlainRecord;
  /** Whether the files of the values are known, so that none is missing from those above. */
  private readonly layers: ReadonlyArray<ValuesLayer | PlainRecord>;

  public constructor(public readonly rendering: ChartRendering) {
    this.layers = [...defaultLayers(rendering), ...releaseLayers(rendering)];
    const merged = this.layers.reduce<PlainRecord>((all, layer) => mergedValues(all, mountedValues(layer)), {});
    this.merged = rendering.parameters.reduce(
      (all, { key, value, isText }) => withHelmParameter(all, key, value, isText),
      merged,
    );
  }

  public leaves(): ValuesLeaf[] {
    const leaves: ValuesLeaf[] = [];
    const visit = (value: unknown, path: FieldPath) => {
      if (leaves.length >= MOST_LEAVES || path.length > 40) return;
      if (Array.isArray(value)) value.forEach((item, index) => visit(item, [...path, index]));
      else if (asRecord(value)) for (const [key, item] of Object.entries(value as object)) visit(item, [...path, key]);
      else if (isLeafValue(value)) leaves.push({ path, value, ...this.writtenAt(path) });
    };
    visit(this.merged, []);
    return leaves;
  }

  /** What sets a value last. */
  public writtenAt(path: FieldPath): Pick<ValuesLeaf, 'layer' | 'parameter'> {
    const isSet = this.rendering.parameters.map(
      ({ key }) => valueAt(withHelmParameter({}, key, 'x', true), path) !== undefined,
    );
    if (isSet.includes(true)) return { parameter: isSet.lastIndexOf(true) };
    const last = [...this.layers].reverse().find((layer) => valueAt(mountedValues(layer), path) !== undefined);
    return last !== undefined && isLayer(last) ? { layer: last } : {};
  }
}

export function isLeafValue(value: unknown): value is Scalar {
  return ['string', 'number', 'boolean'].includes(typeof value);
}

/** The path of a value in the document of its layer. */
export function pathInDocument({ prefix, mount }: ValuesLayer, path: FieldPath): FieldPath {
  return [...prefix, ...path.slice(mount.length)];
}

function isLayer(layer: ValuesLayer | PlainRecord): layer is ValuesLayer {
  return 'document' in layer && 'mount' in layer;
}

function mountedValues(layer: ValuesLayer | PlainRecord): PlainRecord {
  if (!isLayer(layer)) return layer;
  return layer.mount.reduceRight<PlainRecord>((inner, key) => ({ [key]: inner }), layer.values);
}

/** The default values of the subcharts, the innermost first, then those of the chart. */
function defaultLayers(rendering: ChartRendering): ValuesLayer[] {
  const files = rendering.files();
  const texts = new Map(files.map(({ inside, text }) => [inside, text]));
  return files
    .filter(({ inside }) => basename(inside) === 'values.yaml' && !inside.includes('templates/'))
    .sort((left, right) => right.inside.split('/').length - left.inside.split('/').length)
    .flatMap((file): ValuesLayer[] => {
      const mount = mountOf(dirname(file.inside), texts);
      const layer = layerIn(file, [], (value) => asRecord(value) !== undefined);
      return layer === undefined ? [] : [{ ...layer, mount, inside: file.inside }];
    });
}

/** The keys under which the charts around it give values to a subchart: its alias, or its name. */
export function mountOf(folder: string, texts: ReadonlyMap<string, string>): string[] {
  if (folder === '.') return [];
  const parent = dirname(dirname(folder));
  const name = basename(folder);
  const text = texts.get(parent === '.' ? 'Chart.yaml' : `${parent}/Chart.yaml`) ?? '';
  const description = asRecord(yamlDocuments({ path: '', text })[0]?.value);
  const entry = recordsOf(description?.dependencies).find((dependency) => dependency.name === name);
  return [...mountOf(parent, texts), typeof entry?.alias === 'string' ? entry.alias : name];
}

/** The values of the release. Those whose place is unknown are plain records. */
function releaseLayers({ values, textOf, definedIn }: ChartRendering): Array<ValuesLayer | PlainRecord> {
  return values.flatMap(({ text, from }, index): Array<ValuesLayer | PlainRecord> => {
    const record = asRecord(yamlDocuments({ path: from, text })[0]?.value);
    if (record === undefined) return [];
    const wanted = JSON.stringify(record);
    const isWanted = (value: unknown) => JSON.stringify(value) === wanted;
    for (const path of new Set([from, definedIn ?? from])) {
      const written = textOf(path);
      if (written === undefined) continue;
      for (const prefix of PREFIXES) {
        const layer = layerIn({ path, text: written }, prefix, isWanted);
        if (layer !== undefined) return [{ ...layer, mount: [], index }];
      }
    }
    return [asRecord(withNulls(record)) ?? {}];
  });
}

/** Where Flux and Argo CD have the values of a chart as a mapping. */
const PREFIXES: readonly FieldPath[] = [
  [],
  ['spec', 'values'],
  ['spec', 'source', 'helm', 'valuesObject'],
  ...[0, 1, 2, 3].map((index): FieldPath => ['spec', 'sources', index, 'helm', 'valuesObject']),
  ['spec', 'template', 'spec', 'source', 'helm', 'valuesObject'],
];

/** The layer of the first document with such values. */
function layerIn(
  file: Pick<SourceFile, 'path' | 'text'>,
  prefix: FieldPath,
  isWanted: (value: unknown) => boolean,
): Omit<ValuesLayer, 'mount'> | undefined {
  for (const document of yamlDocuments(file)) {
    const values = valueAt(document.value, prefix);
    if (isWanted(values)) return { file, document, prefix, values: asRecord(withNulls(values)) ?? {} };
  }
  return undefined;
}

export function yamlDocuments(file: Pick<SourceFile, 'path' | 'text'>): readonly SourceDocument[] {
  return readDocuments(new SourceText(file)).documents;
}
