import { MarkedRendering, markedRenderingOf, WantedField } from './marked-rendering';
import { scalarsIn } from './markers';
import { MergedValues, yamlDocuments, isLeafValue, pathInDocument, Scalar, ValuesLayer } from './merged-values';
import { RenderedDocuments, RenderedField, textsOf } from './rendered-documents';
import { asRecord, FieldPath, formatFieldPath } from '../../../contract';
import { valueText } from '../../../model';
import { ChartRendering, SourceFile } from '../../manifest';
import { isSameValue, valueAt } from '../../manifest/edit/edited-value';
import { recordsOf } from '../../manifest/records';
import { SourceText } from '../../manifest/source/source-text';
import { Finding, FindingLocation, Fix, TextEdit } from '../../vocabulary/verdict';

/** A place that a user edits. */
export interface WrittenPlace {
  readonly file: Pick<SourceFile, 'path' | 'text'>;
  readonly line: number;
  readonly column: number;
  /** The key of the value. @default - a template has the line */
  readonly value?: string;
}

/** The most scalars of a field that are looked for in the values. */
const MOST_SCALARS = 60;

/** The origins of fields of one rendered chart. */
export class ChartPlaces {
  public readonly documents: RenderedDocuments;
  private readonly marked: MarkedRendering;
  private readonly fields = new Map<FindingLocation, RenderedField>();

  /** @param findings those with places in the files of the chart, the most severe first */
  public constructor(rendering: ChartRendering, sources: readonly SourceFile[], findings: readonly Finding[]) {
    this.documents = new RenderedDocuments(textsOf(sources));
    const wanted: WantedField[] = [];
    for (const { location, related, severity } of findings)
      for (const place of [location, ...(related ? [related.location] : [])]) {
        const field = this.documents.texts.has(place.file) ? this.documents.fieldAt(place) : undefined;
        if (field === undefined) continue;
        this.fields.set(place, field);
        wanted.push({ ...field, ...this.scalarsAround(field), isImportant: severity !== 'info' });
      }
    this.marked = markedRenderingOf(rendering);
    this.marked.look(this.documents, wanted);
  }

  public get values(): MergedValues {
    return this.marked.values;
  }

  /**
   * Where the field of a finding is written: the value that gives it, otherwise the line of the template. A field that
   * gets another name has it from the template.
   */
  public placeOf(location: FindingLocation, message: string, fix?: Fix): WrittenPlace | undefined {
    const field = this.fields.get(location);
    if (field === undefined) return undefined;
    const value = this.valueOf(field, field.path) ?? this.namedValue(field, message);
    const place = value && this.placeOfValue(value);
    const line = this.marked.lineOf(this.documents, field);
    const isOfTemplate = this.isOtherType(field, value) || isRenamed(location, fix);
    if (place !== undefined && (line === undefined || !isOfTemplate)) return place;
    return line && { file: line.file, line: line.line, column: line.column };
  }

  /** Whether the template makes a number of a text that looks like one, because it puts it in no quotes. */
  private isOtherType({ file, document, path }: RenderedField, value: FieldPath = []): boolean {
    const rendered = valueAt(this.documents.documentsIn(file)[document]?.value, path);
    return (
      typeof valueAt(this.values.merged, value) === 'string' && isLeafValue(rendered) && typeof rendered !== 'string'
    );
  }

  /** Whether a field is written itself, and is not only missing in another one. */
  public isWritten(location: FindingLocation): boolean {
    const field = this.fields.get(location);
    return field !== undefined && location.path !== '' && formatFieldPath(field.path).endsWith(location.path);
  }

  /** The path of the value that a field is made of as a whole. */
  public valueOf(field: Pick<RenderedField, 'file' | 'document'>, path: FieldPath): FieldPath | undefined {
    const rendered = valueAt(this.documents.documentsIn(field.file)[field.document]?.value, path);
    if (isLeafValue(rendered)) return this.marked.leafOf(this.documents, field, path)?.path;
    const scalars = scalarsIn(rendered);
    if (scalars.length === 0 || scalars.length > MOST_SCALARS) return undefined;
    const origins = scalars.map(({ path: rest }) => {
      const leaf = this.marked.leafOf(this.documents, field, [...path, ...rest]);
      const isAlike = leaf !== undefined && isSameValue(leaf.path.slice(-rest.length), rest);
      return isAlike ? leaf.path.slice(0, -rest.length) : undefined;
    });
    const [first] = origins;
    const isWhole = first !== undefined && origins.every((origin) => isSameValue(origin, first));
    return isWhole && isSameValue(plain(valueAt(this.values.merged, first)), plain(rendered)) ? first : undefined;
  }

  /** A value beside the field, in the same item of a list, that the message names. */
  private namedValue(field: RenderedField, message: string): FieldPath | undefined {
    const item = itemOf(field.path);
    if (item === undefined || field.path.length > item.length + 1) return undefined;
    const { value } = this.documents.documentsIn(field.file)[field.document];
    const named = scalarsIn(valueAt(value, item)).flatMap(({ path, value: scalar }) => {
      const leaf = isNamed(scalar, message) ? this.marked.leafOf(this.documents, field, [...item, ...path]) : undefined;
      return leaf === undefined ? [] : [leaf.path];
    });
    const [list] = named.map((path) => path.slice(0, -1));
    const items = list && valueAt(this.values.merged, list);
    const isOfList = Array.isArray(items) && named.every((path) => isSameValue(path.slice(0, -1), list));
    if (isOfList && named.length === items.length) return list;
    return named.length === 1 || isOfList ? named[0] : undefined;
  }

  public placeOfValue(path: FieldPath): WrittenPlace | undefined {
    const { layer, parameter } = this.values.writtenAt(path);
    const value = formatFieldPath(path);
    if (parameter !== undefined) {
      const place = parameterPlace(this.values.rendering, parameter);
      return place && { ...place, value };
    }
    return layer && this.placeIn(layer, path);
  }

  /** A value that a file does not write has the place of the value around it. */
  public placeIn(layer: ValuesLayer, path: FieldPath): WrittenPlace {
    const offset = layer.document.offsetOf(pathInDocument(layer, path));
    return { file: layer.file, ...new SourceText(layer.file).position(offset), value: formatFieldPath(path) };
  }

  private scalarsAround({ file, document, path }: RenderedField): Pick<WantedField, 'scalars' | 'beside'> {
    const value = this.documents.documentsIn(file)[document]?.value;
    const item = itemOf(path);
    const scalarsAt = (at: FieldPath) =>
      scalarsIn(valueAt(value, at))
        .slice(0, MOST_SCALARS)
        .map(({ value: scalar }) => scalar);
    return { scalars: scalarsAt(path), beside: item === undefined ? [] : scalarsAt(item) };
  }
}

/** Whether the fix replaces the key of the field. */
function isRenamed({ file, line, column }: FindingLocation, fix: Fix | undefined): boolean {
  const isOfKey = (edit: TextEdit) => edit.line === line && edit.column === column && edit.text !== '';
  return fix?.file === file && fix.edits.some(isOfKey);
}

/** Where Argo CD has single values for a chart. */
const PARAMETERS: readonly FieldPath[] = [
  ['spec', 'source', 'helm', 'parameters'],
  ...[0, 1, 2, 3].map((index): FieldPath => ['spec', 'sources', index, 'helm', 'parameters']),
];

function parameterPlace({ definedIn, parameters, textOf }: ChartRendering, index: number): WrittenPlace | undefined {
  const text = definedIn === undefined ? undefined : textOf(definedIn);
  if (definedIn === undefined || text === undefined) return undefined;
  const file = { path: definedIn, text };
  const names = JSON.stringify(parameters.map(({ key }) => key));
  for (const document of yamlDocuments(file))
    for (const path of PARAMETERS) {
      const written = recordsOf(valueAt(document.value, path)).map(({ name }) => valueText(name ?? ''));
      if (JSON.stringify(written) === names)
        return { file, ...new SourceText(file).position(document.offsetOf([...path, index, 'value'])) };
    }
  return undefined;
}

/** Lists whose items are one statement each, so that a wrong value is a matter of the whole item. */
const STATEMENTS: readonly unknown[] = [
  ...['requirements', 'matchExpressions', 'taints', 'startupTaints', 'tolerations', 'budgets'],
  ...['amiSelectorTerms', 'subnetSelectorTerms', 'securityGroupSelectorTerms', 'capacityReservationSelectorTerms'],
  'topologySpreadConstraints',
];

/** The innermost item of such a list that a field is in. */
function itemOf(path: FieldPath): FieldPath | undefined {
  const last = path.map((step) => typeof step === 'number').lastIndexOf(true);
  return last < 1 || !STATEMENTS.includes(path[last - 1]) ? undefined : path.slice(0, last + 1);
}

/** Whether a message has a value as a word of its own. */
function isNamed(value: Scalar, message: string): boolean {
  const text = typeof value === 'string' && /[a-zA-Z]/.test(value) ? value : '';
  const word = /[\w.-]/;
  for (let at = message.indexOf(text); at >= 0 && text !== ''; at = message.indexOf(text, at + 1)) {
    const isWord = !word.test(message[at - 1] ?? ' ') && !/[\w-]/.test(message[at + text.length] ?? ' ');
    if (isWord) return true;
  }
  return false;
}

function plain(value: unknown): unknown {
  return Array.isArray(value) || asRecord(value) ? JSON.parse(JSON.stringify(value)) : value;
}
