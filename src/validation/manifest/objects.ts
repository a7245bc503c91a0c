import { normalize } from 'path';
import { readDocuments } from './documents';
import { KustomizePart, partsOfKustomizations } from './kustomize';
import { FieldPath, ManifestObject, SourceFile, SourceLocation } from './model';
import { SourceDocument } from './placed-document';
import { ProblemLog } from './problem-log';
import { reportPrototypeKeys } from './prototype-keys';
import { findUnreadable, SourceText } from './source-text';
import { isKustomization, KUSTOMIZATION, sourceRemedy } from './template-text';
import { asRecord, formatFieldPath, isClusterWide } from '../../contract';

/** Takes a document that is no Kubernetes object, where it knows what it is. */
export type DocumentTaker = (document: Readonly<Record<string, unknown>>, place: ObjectPlace, file: SourceFile) => boolean;

/** Where an object begins: the root of a document, or something in it. */
export interface ObjectPlace {
  inside(...steps: FieldPath): ObjectPlace;
  locate(path: FieldPath): SourceLocation;
  /** Of what is no Kubernetes object. */
  report(path: FieldPath, message: string, remedy: string, severity?: 'error' | 'info'): void;
}

/** All Kubernetes objects of the files, in order, those inside lists included. */
export function readObjects(sources: readonly SourceFile[], log: ProblemLog, taker: DocumentTaker = () => false): ManifestObject[] {
  const parts = partsOfKustomizations(sources);
  return sources.flatMap((file) => {
    const part = parts.get(normalize(file.path));
    if (!part) return readFile(file, log, taker);
    reportPart(file, part, log);
    return [];
  });
}

function reportPart(file: SourceFile, { what, of }: KustomizePart, log: ProblemLog): void {
  const source = new SourceText(file);
  const location = { file: source.path, ...source.position(0), path: '' };
  log.addUnreadableAt(location, { message: `is ${what} of ${of}, and no object of its own: it is left out`, remedy: KUSTOMIZATION }, 'info');
}

function readFile(file: SourceFile, log: ProblemLog, taker: DocumentTaker): ManifestObject[] {
  const source = new SourceText(file);
  const unreadable = findUnreadable(file);
  if (unreadable) {
    log.addUnreadable(source, unreadable);
    return [];
  }
  const { documents, problems } = readDocuments(source);
  for (const problem of problems) log.addDocumentProblem(source, problem);
  return documents.flatMap((document) => {
    const place = new Place(source, document, [], log);
    return objectsOf(place, document.value, log, (value) => taker(value, place, file));
  });
}

class Place implements ObjectPlace {
  public constructor(
    private readonly source: SourceText,
    private readonly document: SourceDocument,
    private readonly prefix: FieldPath,
    private readonly log: ProblemLog,
  ) {}

  public inside(...steps: FieldPath): Place {
    return new Place(this.source, this.document, [...this.prefix, ...steps], this.log);
  }

  public locate(path: FieldPath): SourceLocation {
    const position = this.source.position(this.document.offsetOf([...this.prefix, ...path]));
    return { file: this.source.path, ...position, path: formatFieldPath(path) };
  }

  public report(path: FieldPath, message: string, remedy: string, severity: 'error' | 'info' = 'error'): void {
    this.log.addUnreadableAt({ ...this.locate(path), path: '' }, { message, remedy }, severity);
  }
}

/** The Kubernetes objects that a value is or holds. */
export function objectsOf(
  place: ObjectPlace, value: unknown, log: ProblemLog, taker: (document: Readonly<Record<string, unknown>>) => boolean = () => false,
): ManifestObject[] {
  const raw = asRecord(value);
  if (!raw) {
    place.report([], `not a Kubernetes object, but ${describe(value)}`, 'write an object with apiVersion, kind and metadata');
    return [];
  }
  const isUntyped = raw.apiVersion === undefined && raw.kind === undefined;
  if (isUntyped && (taker(raw) || isVerdict(raw))) return [];
  // A Chart.yaml has an apiVersion of its own, and values of charts may have a kind.
  const source = sourceRemedy(place.locate([]).file);
  if (isUntyped || (source !== undefined && (raw.apiVersion === undefined || raw.kind === undefined))) {
    const lacks = isUntyped ? 'neither apiVersion nor kind' : `no ${raw.kind === undefined ? 'kind' : 'apiVersion'}`;
    place.report([], `not a Kubernetes object: it has ${lacks}, and is left out`, source ?? 'leave the file out, or add both', 'info');
    return [];
  }
  for (const field of ['apiVersion', 'kind'] as const) {
    if (typeof raw[field] === 'string' && raw[field] !== '') continue;
    place.report([field], `${field} is missing or no text: what kind of object this is cannot be known`, `write ${field}: and its value, as a text`);
    return [];
  }
  const kind = raw.kind as string;
  if (kind === 'List' || (kind.endsWith('List') && Array.isArray(raw.items))) {
    const { items = [] } = raw;
    if (!Array.isArray(items)) {
      place.report(['items'], `items must be a list, got ${describe(items)}`, 'write each object as an item, behind a dash');
      return [];
    }
    return items.flatMap((item, i) => objectsOf(place.inside('items', i), withTypeOf(raw, item), log, taker));
  }
  const object = objectAt(place, raw);
  if (isKustomization(object.apiVersion)) {
    place.report([], 'a kustomization is not built here: the resources that it names are judged as they are written, without its patches', KUSTOMIZATION, 'info');
  }
  reportPrototypeKeys(object, log);
  return [object];
}

/** A verdict of an earlier run: `KarpenterVerdict` writes it beside the manifests, and whoever checks that folder means these. */
function isVerdict({ schemaVersion, summary, nodePools, nodeClaims, findings }: Readonly<Record<string, unknown>>): boolean {
  return typeof schemaVersion === 'string' && asRecord(summary) !== undefined && [nodePools, nodeClaims, findings].every(Array.isArray);
}

/** Items of a typed list, such as an apps/v1 DeploymentList, may leave their own type out. */
function withTypeOf(list: Readonly<Record<string, unknown>>, value: unknown): unknown {
  const item = asRecord(value);
  const kind = (list.kind as string).slice(0, -'List'.length);
  if (!item || kind === '' || item.apiVersion !== undefined || item.kind !== undefined) return value;
  const typed: Record<string, unknown> = Object.create(null);
  typed.apiVersion = list.apiVersion;
  typed.kind = kind;
  return Object.assign(typed, item);
}

function objectAt(place: ObjectPlace, raw: Readonly<Record<string, unknown>>): ManifestObject {
  const metadata = asRecord(raw.metadata);
  const apiVersion = raw.apiVersion as string;
  return {
    apiVersion,
    kind: raw.kind as string,
    namespace: isClusterWide(apiVersion) ? undefined : text(metadata?.namespace),
    name: text(metadata?.name) ?? '',
    raw,
    locate: (path) => place.locate(path),
  };
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function describe(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'a mapping';
  return typeof value === 'string' ? 'a text' : `a ${typeof value}`;
}
