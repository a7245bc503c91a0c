import { yamlDocuments } from './merged-values';
import { asRecord, FieldPath, formatFieldPath } from '../../../contract';
import { valueText } from '../../../model';
import { SourceFile } from '../../manifest';
import { SourceText } from '../../manifest/source/source-text';
import { SourceDocument } from '../../manifest/yaml/source-document';
import { FindingLocation } from '../../vocabulary/verdict';

/** A field of an object that helm has made. */
export interface RenderedField {
  readonly file: string;
  /** The index of the object's document in the file. */
  readonly document: number;
  readonly path: FieldPath;
  readonly line: number;
  readonly column: number;
}

interface ReadFile {
  readonly source: SourceText;
  readonly documents: readonly SourceDocument[];
}

/** The files that helm has made of one release, read when they are needed. */
export class RenderedDocuments {
  private readonly read = new Map<string, ReadFile>();

  public constructor(public readonly texts: ReadonlyMap<string, string>) {}

  public documentsIn(file: string): readonly SourceDocument[] {
    return this.fileAt(file).documents;
  }

  public lineAt({ file, line }: Pick<RenderedField, 'file' | 'line'>): string {
    return (this.texts.get(file) ?? '').split('\n', line)[line - 1] ?? '';
  }

  /** The field that a finding names. Its path may be inside of an object that another one contains. */
  public fieldAt({ file, line, column, path }: FindingLocation): RenderedField | undefined {
    const { source, documents } = this.fileAt(file);
    const place = { line, column };
    const isHere = (offset: number) => {
      const at = source.position(offset);
      return at.line === line && at.column === column;
    };
    for (const [index, document] of documents.entries()) {
      const [start, end] = document.range.map((offset) => source.position(offset).line);
      if (line < start || line > end) continue;
      const paths = [...pathsIn(document.value)].filter((candidate) => isHere(document.offsetOf(candidate)));
      const exact = paths.find((candidate) => formatFieldPath(candidate).endsWith(path) && path !== '');
      // A field that is not written has the place of the field around it.
      const around = paths.filter((candidate) => isPrefix(formatFieldPath(candidate), path)).at(-1);
      const found = exact ?? around ?? paths.at(0);
      return { file, document: index, path: found ?? [], ...place };
    }
    return undefined;
  }

  private fileAt(file: string): ReadFile {
    const known = this.read.get(file);
    if (known) return known;
    const text = { path: file, text: this.texts.get(file) ?? '' };
    const read = { source: new SourceText(text), documents: yamlDocuments(text) };
    this.read.set(file, read);
    return read;
  }
}

/** Names a document of a file, so that it is found again in another rendering. */
export function documentKey({ value }: Pick<SourceDocument, 'value'>): string {
  const { kind, metadata } = asRecord(value) ?? {};
  const { namespace, name } = asRecord(metadata) ?? {};
  return JSON.stringify([kind, namespace, name].map((part) => valueText(part ?? '')));
}

export function kindOf({ value }: Pick<SourceDocument, 'value'>): string {
  return valueText(asRecord(value)?.kind ?? '');
}

/** The texts of the files of one release. */
export function textsOf(sources: readonly SourceFile[]): ReadonlyMap<string, string> {
  return new Map(sources.map(({ path, text }) => [path, text]));
}

const MOST_PATHS = 5000;

function pathsIn(root: unknown): FieldPath[] {
  const paths: FieldPath[] = [];
  const visit = (value: unknown, path: FieldPath) => {
    if (paths.length >= MOST_PATHS) return;
    paths.push(path);
    if (Array.isArray(value)) value.forEach((item, index) => visit(item, [...path, index]));
    else for (const [key, item] of Object.entries(asRecord(value) ?? {})) visit(item, [...path, key]);
  };
  visit(root, []);
  return paths;
}

function isPrefix(outer: string, path: string): boolean {
  return path === outer || path.startsWith(`${outer}.`) || path.startsWith(`${outer}[`);
}
