import { isMarked, Markers, overlayOf } from './markers';
import { MergedValues, yamlDocuments, Scalar, ValuesLeaf } from './merged-values';
import { documentKey, kindOf, RenderedDocuments, RenderedField } from './rendered-documents';
import { MarkedLine, markedLines, startOfLine, withMarkers } from './template-lines';
import { FieldPath } from '../../../contract';
import { memoizeByIdentity } from '../../../model';
import { ChartRendering } from '../../manifest';
import { valueAt } from '../../manifest/edit/edited-value';
import { SourceText } from '../../manifest/source/source-text';
import { SourceDocument } from '../../manifest/yaml/source-document';

/** More values than these are not marked. */
const MOST_LEAVES = 300;
/** A shorter text may be a part of another one by chance. */
const SHORTEST_PART = 4;

/** A field whose origin is looked for. */
export interface WantedField extends RenderedField {
  /** The scalars that it has. */
  readonly scalars: readonly Scalar[];
  /** The scalars beside it. A value has to give them as a whole. */
  readonly beside: readonly Scalar[];
  /** Whether it is worth another rendering if the first one does not show its origin. */
  readonly isImportant: boolean;
}

/** What helm has made of a chart with markers in place of values, and at lines of templates. */
interface Attempt {
  readonly leaves: ReadonlyMap<ValuesLeaf, Scalar>;
  readonly lines: readonly MarkedLine[];
  readonly documents: ReadonlyMap<string, readonly MarkedDocument[]>;
}

interface MarkedDocument {
  readonly document: SourceDocument;
  /** The name of the document with the values in place of their markers. */
  readonly key: string;
  readonly lines: readonly string[];
}

/** The marked renderings of a chart, which all roots with its files share. */
export const markedRenderingOf = memoizeByIdentity((rendering: ChartRendering) => new MarkedRendering(rendering));

/**
 * Where the fields that helm has made come from. The chart is rendered again with a marker in place of each value and
 * at each line of a template that may have given one of the fields: where a marker appears, its origin is certain.
 */
export class MarkedRendering {
  public readonly values: MergedValues;
  private readonly attempts: Attempt[] = [];
  private readonly known = new Set<string>();
  private leaves?: readonly ValuesLeaf[];

  /** Use `markedRenderingOf`. */
  public constructor(private readonly rendering: ChartRendering) {
    this.values = new MergedValues(rendering);
  }

  /** Renders the chart with markers for the fields, unless that was done for another root. */
  public look(original: RenderedDocuments, fields: readonly WantedField[]): void {
    const wanted = fields.filter((field) => this.isNew(original, field));
    if (wanted.length === 0) return;
    const markers = new Markers(original.texts.values());
    const lines = this.linesFor(original, wanted, markers);
    const leaves = this.leavesFor(wanted, markers, true);
    this.attempt(leaves, lines);
    if (leaves.size === 0) return;
    // A template may use a value in a condition or a function.
    const unread = wanted.filter(
      ({ scalars, ...field }) => scalars.length > 0 && !this.hasMarkedValues(original, field),
    );
    if (unread.some(isImportant)) this.attempt(this.leavesFor(unread, markers, false), []);
    const left = wanted.filter((field) => !this.isFound(original, field));
    if (left.some(isImportant)) this.attempt(new Map(), this.linesFor(original, left, markers));
  }

  /** The value that a scalar is made of, alone or as a part of its text. Undefined if it is not exactly one. */
  public leafOf(
    original: RenderedDocuments,
    { file, document }: Pick<RenderedField, 'file' | 'document'>,
    path: FieldPath,
  ): ValuesLeaf | undefined {
    const before = valueAt(original.documentsIn(file)[document]?.value, path);
    for (const { documents, leaves } of this.attempts) {
      const after = valueAt(sameDocument(original, file, document, documents)?.document.value, path);
      const found = [...leaves].filter(([leaf, marker]) => isMarked(before, after, leaf.value, marker));
      if (found.length === 1) return found[0][0];
    }
    return undefined;
  }

  /** The line of a template that writes the line of a field. */
  public lineOf(original: RenderedDocuments, field: RenderedField): MarkedLine | undefined {
    const { file, document: index, line } = field;
    const document = original.documentsIn(file)[index];
    if (document === undefined) return undefined;
    const text = original.texts.get(file) ?? '';
    const first = new SourceText({ path: file, text }).position(document.range[0]).line;
    const { length } = linesOf(text, document);
    const start = startOfLine(original.lineAt(field));
    for (const { documents, lines } of this.attempts) {
      const marked = sameDocument(original, file, index, documents);
      if (marked?.lines.length !== length) continue;
      const shown = marked.lines[line - first];
      const found = lines.find(({ marker, start: own }) => own === start && shown.includes(`#${marker}`));
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** Whether the object of a field is there with markers in place of values. */
  private hasMarkedValues(original: RenderedDocuments, { file, document }: RenderedField): boolean {
    return this.attempts.some(
      ({ leaves, documents }) => leaves.size > 0 && sameDocument(original, file, document, documents) !== undefined,
    );
  }

  private isFound(original: RenderedDocuments, field: WantedField): boolean {
    return this.lineOf(original, field) !== undefined || this.leafOf(original, field, field.path) !== undefined;
  }

  private isNew(original: RenderedDocuments, { scalars, beside, ...field }: WantedField): boolean {
    const key = JSON.stringify([field.file, documentKey(original.documentsIn(field.file)[field.document]), field.path]);
    const before = this.known.size;
    return before < this.known.add(key).size;
  }

  private linesFor(original: RenderedDocuments, fields: readonly WantedField[], markers: Markers): MarkedLine[] {
    const starts = new Set(fields.flatMap((field) => startOfLine(original.lineAt(field)) ?? []));
    return starts.size === 0 ? [] : markedLines(this.rendering.files(), starts, markers);
  }

  private leavesFor(fields: readonly WantedField[], markers: Markers, withParts: boolean): Map<ValuesLeaf, Scalar> {
    const own = [...new Set(fields.flatMap(({ scalars }) => scalars.map(String)))];
    const exact = new Set([...own, ...(withParts ? fields.flatMap(({ beside }) => beside.map(String)) : [])]);
    const marked = new Map<ValuesLeaf, Scalar>();
    if (exact.size === 0) return marked;
    const isCandidate = ({ value }: ValuesLeaf) => {
      const text = String(value);
      const isPart = withParts && text.length >= SHORTEST_PART && own.some((scalar) => scalar.includes(text));
      return exact.has(text) || isPart;
    };
    this.leaves ??= this.values.leaves();
    for (const leaf of this.leaves.filter(isCandidate).slice(0, MOST_LEAVES)) {
      const marker = markers.markerFor(leaf.value);
      if (marker !== undefined) marked.set(leaf, marker);
    }
    return marked;
  }

  /** Without a result if helm does not render the chart with the markers. */
  private attempt(leaves: ReadonlyMap<ValuesLeaf, Scalar>, lines: readonly MarkedLine[]): void {
    if (leaves.size === 0 && lines.length === 0) return;
    const ofParameters = [...leaves].flatMap(
      ([{ parameter }, marker]): Array<[number, string]> =>
        parameter === undefined ? [] : [[parameter, String(marker)]],
    );
    const inFiles = new Map([...leaves].filter(([{ parameter }]) => parameter === undefined));
    const texts = this.rendering.render({
      ...(inFiles.size === 0 ? {} : { overlay: overlayOf(this.values.merged, inFiles) }),
      ...(ofParameters.length === 0 ? {} : { parameters: new Map(ofParameters) }),
      ...(lines.length === 0 ? {} : { files: withMarkers(lines) }),
    });
    if (texts === undefined) return;
    const written = (text: string) =>
      [...leaves].reduce((all, [{ value }, marker]) => all.replaceAll(String(marker), String(value)), text);
    const documents = new Map(
      [...texts].map(([file, text]) => [
        file,
        markedDocuments(file, text).map((marked) => ({ ...marked, key: written(documentKey(marked.document)) })),
      ]),
    );
    this.attempts.push({ leaves, lines, documents });
  }
}

function isImportant(field: WantedField): boolean {
  return field.isImportant;
}

/** The document of that name, or that of the same kind at the same place if its name depends on a marker. */
function sameDocument(
  original: RenderedDocuments,
  file: string,
  index: number,
  documents: ReadonlyMap<string, readonly MarkedDocument[]>,
): MarkedDocument | undefined {
  const before = original.documentsIn(file);
  const after = documents.get(file) ?? [];
  const wanted = documentKey(before[index]);
  const named = after.filter(({ key }) => key === wanted);
  const position = before.slice(0, index).filter((other) => documentKey(other) === wanted).length;
  if (named[position] !== undefined) return named[position];
  const isOfKind = (document: SourceDocument) => kindOf(document) === kindOf(before[index]);
  const ofKind = after.filter(({ document }) => isOfKind(document));
  const place = before.slice(0, index).filter(isOfKind).length;
  return ofKind.length === before.filter(isOfKind).length ? ofKind[place] : undefined;
}

function markedDocuments(path: string, text: string): Array<Omit<MarkedDocument, 'key'>> {
  return yamlDocuments({ path, text }).map((document) => ({ document, lines: linesOf(text, document) }));
}

function linesOf(text: string, { range }: SourceDocument): string[] {
  return text
    .slice(...range)
    .trimEnd()
    .split('\n');
}
