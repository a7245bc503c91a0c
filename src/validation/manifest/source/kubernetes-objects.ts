import { normalize } from 'path';
import { KustomizationPart, kustomizationParts } from './kustomize';
import { patchedPlace, pathIn, replacedPlace, writtenPlace } from './patched-places';
import { reportPrototypeKeys } from './prototype-keys';
import { isGeneratedFile, isKustomization, RENDER_KUSTOMIZATION, unrenderedFileRemedy } from './skipped-files';
import { findUnreadable, isManifestText, looksLikeManifest, SourceText } from './source-text';
import { pulumiObjects, wrappedObjects } from './wrapped-objects';
import { asRecord, formatFieldPath, isClusterScoped } from '../../../contract';
import { valueText } from '../../../model';
import { FieldPath, ManifestObject, ObjectSource, SourceFile, SourceLocation } from '../model';
import { ProblemLog } from '../problem-log';
import { PlainRecord } from '../records';
import { readDocuments } from '../yaml/documents';
import { PositionCache, SourceDocument } from '../yaml/source-document';

/** Reads a document that is not a Kubernetes object. Returns false if it does not recognise the document. */
export type DocumentHandler = (
  document: Readonly<Record<string, unknown>>,
  position: ObjectPosition,
  file: SourceFile,
) => boolean;

/** Where an object begins: the root of a document, or a value in it. */
export interface ObjectPosition {
  /** @default - the object is not written in a file of its own */
  readonly source?: ObjectSource;
  /** @default - helm has not made the object */
  readonly rendered?: ObjectSource;
  inside(...steps: FieldPath): ObjectPosition;
  locate(path: FieldPath): SourceLocation;
  /** Reports a value that is not a Kubernetes object. */
  report(path: FieldPath, message: string, remedy: string, severity?: 'error' | 'info'): void;
}

/** All Kubernetes objects of the files, in order, including those in lists. */
export function readObjects(
  sources: readonly SourceFile[],
  log: ProblemLog,
  handler: DocumentHandler = () => false,
): ManifestObject[] {
  const parts = kustomizationParts(sources);
  const cache = new PositionCache();
  const objects = sources.flatMap((file) => {
    const part = parts.get(normalize(file.path));
    if (!part) return readFile(file, log, handler, cache);
    reportPart(file, part, log);
    return [];
  });
  log.mergeTemplates();
  return objects;
}

function reportPart(file: SourceFile, { role, kustomization }: KustomizationPart, log: ProblemLog): void {
  const source = new SourceText(file);
  const location = { file: source.path, ...source.position(0), path: '' };
  log.addUnreadableAt(
    location,
    { message: `ignored: the file is ${role} of ${kustomization}`, remedy: RENDER_KUSTOMIZATION },
    'info',
  );
}

function readFile(file: SourceFile, log: ProblemLog, handler: DocumentHandler, cache: PositionCache): ManifestObject[] {
  const source = new SourceText(file);
  const unreadable = findUnreadable(file);
  const isOther = file.isFound === true && !looksLikeManifest(file.text);
  if (unreadable) {
    if (!isOther || unreadable.severity !== undefined) log.addUnreadable(source, unreadable);
    return [];
  }
  const { documents, problems } = readDocuments(source, cache);
  const isEmbedding = file.isFound === true && !isManifestText(file.text);
  if (!isOther) for (const problem of problems) log.addDocumentProblem(source, problem, isEmbedding);
  const origin: Origin = file.chart ? 'helm' : isGeneratedFile(file) ? 'other tool' : 'user';
  return documents.flatMap((document) => {
    const position = new DocumentPosition(source, document, [], log, origin);
    const programmed = pulumiObjects(document.value);
    if (programmed.length > 0) return programmed.map(({ path, raw }) => objectAt(position.inside(...path), raw));
    if (file.isFound && !isTyped(document.value)) {
      // A template of CloudFormation has no type, but it is read.
      handler(asRecord(document.value) ?? {}, position, file);
      return [];
    }
    return objectsOf(position, document.value, log, (value) => handler(value, position, file))
      .flatMap((object) => edited(object, file))
      .flatMap((object) => [
        object,
        ...wrappedObjects(object.raw).map(({ path, raw }) => innerObject(object, path, raw)),
      ]);
  });
}

/** The object as its kustomization changes it. Places are those of the file, or of the patch that writes the value. */
function edited(
  object: ManifestObject,
  { edit, patches = [], replacedLists = [], patchedFields = [] }: SourceFile,
): ManifestObject[] {
  if (!edit) return [object];
  const raw = edit(object.raw);
  if (!raw) return [];
  const locate: ManifestObject['locate'] = (path) =>
    writtenPlace(object, raw, path, patchedFields) ??
    replacedPlace(object, raw, path, replacedLists) ??
    patchedPlace(object, raw, path, patches) ?? {
      ...object.locate(pathIn(object.raw, raw, path)),
      path: formatFieldPath(path),
    };
  const names = [object.raw, raw].map(({ metadata }) => asRecord(metadata)?.name);
  const own = patchedFields.filter(({ kind, name }) => kind === raw.kind && names.includes(name));
  const isElsewhere = [patches, replacedLists, own].some(({ length }) => length > 0);
  const file = isElsewhere ? undefined : object.file;
  const emptied = edit.emptied?.(object.raw) ?? [];
  const { source, rendered } = object;
  return [
    {
      ...typedObject(raw),
      locate,
      source,
      ...(rendered ? { rendered } : {}),
      file,
      ...(emptied.length === 0 ? {} : { emptied }),
    },
  ];
}

/** The object in a field of another one, with its own paths. */
function innerObject({ locate, source }: ManifestObject, prefix: FieldPath, raw: PlainRecord): ManifestObject {
  return {
    ...typedObject(raw),
    locate: (path) => ({ ...locate([...prefix, ...path]), path: formatFieldPath(path) }),
    source: source && { ...source, path: [...source.path, ...prefix] },
  };
}

/** A document of a file that was found in a folder may be anything. Only one with a type is meant as an object. */
function isTyped(value: unknown): boolean {
  const { apiVersion, kind } = asRecord(value) ?? {};
  return typeof apiVersion === 'string' && typeof kind === 'string';
}

/** Who has written a file. */
type Origin = 'user' | 'helm' | 'other tool';

class DocumentPosition implements ObjectPosition {
  public constructor(
    private readonly file: SourceText,
    private readonly document: SourceDocument,
    private readonly prefix: FieldPath,
    private readonly log: ProblemLog,
    private readonly origin: Origin,
  ) {}

  public get source(): ObjectSource | undefined {
    return this.origin === 'user' ? this.text : undefined;
  }

  public get rendered(): ObjectSource | undefined {
    return this.origin === 'helm' ? this.text : undefined;
  }

  private get text(): ObjectSource | undefined {
    const { file, document, prefix } = this;
    return document.isMasked ? undefined : { file, range: document.range, path: prefix };
  }

  public inside(...steps: FieldPath): DocumentPosition {
    return new DocumentPosition(this.file, this.document, [...this.prefix, ...steps], this.log, this.origin);
  }

  public locate(path: FieldPath): SourceLocation {
    const position = this.file.position(this.document.offsetOf([...this.prefix, ...path]));
    return { file: this.file.path, ...position, path: formatFieldPath(path) };
  }

  public report(path: FieldPath, message: string, remedy: string, severity: 'error' | 'info' = 'error'): void {
    this.log.addUnreadableAt({ ...this.locate(path), path: '' }, { message, remedy }, severity);
  }
}

/** The Kubernetes objects that a value is or contains. */
export function objectsOf(
  position: ObjectPosition,
  value: unknown,
  log: ProblemLog,
  handler: (document: Readonly<Record<string, unknown>>) => boolean = () => false,
): ManifestObject[] {
  const raw = asRecord(value);
  if (!raw) {
    position.report(
      [],
      `not a Kubernetes object, but ${typeName(value)}`,
      'write an object with apiVersion, kind and metadata',
    );
    return [];
  }
  const isUntyped = raw.apiVersion === undefined && raw.kind === undefined;
  if (isUntyped && (handler(raw) || isVerdict(raw))) return [];
  // A Chart.yaml has an apiVersion, and the values of a chart may have a kind.
  const unrenderedRemedy = unrenderedFileRemedy(position.locate([]).file);
  if (isUntyped || (unrenderedRemedy !== undefined && (raw.apiVersion === undefined || raw.kind === undefined))) {
    const missing = isUntyped ? 'neither apiVersion nor kind' : `no ${raw.kind === undefined ? 'kind' : 'apiVersion'}`;
    position.report(
      [],
      `ignored: not a Kubernetes object, it has ${missing}`,
      unrenderedRemedy ?? (isStateFile(raw) ? SHOW_STATE : 'add both, or leave the file out'),
      'info',
    );
    return [];
  }
  for (const field of ['apiVersion', 'kind'] as const) {
    if (typeof raw[field] === 'string' && raw[field] !== '') continue;
    position.report(
      [field],
      `${field} is missing or not a string: the kind of the object is unknown`,
      `write ${field} with a string value`,
    );
    return [];
  }
  const kind = raw.kind as string;
  if (kind === 'List' || (kind.endsWith('List') && Array.isArray(raw.items))) {
    const { items = [] } = raw;
    if (!Array.isArray(items)) {
      position.report(
        ['items'],
        `items must be a list, got ${typeName(items)}`,
        'write each object as a list item that begins with "-"',
      );
      return [];
    }
    return items.flatMap((item, i) => objectsOf(position.inside('items', i), withTypeOf(raw, item), log, handler));
  }
  const object = objectAt(position, raw);
  if (isKustomization(object.apiVersion)) {
    position.report(
      [],
      'kustomizations are not built: their resources are checked without patches',
      RENDER_KUSTOMIZATION,
      'info',
    );
  }
  reportPrototypeKeys(object, log);
  return [object];
}

const SHOW_STATE = 'pass what Terraform prints of it: `terraform show -json > state.json`';

/** The file of a Terraform state, whose format is internal. */
function isStateFile({ terraform_version: version, lineage }: Readonly<Record<string, unknown>>): boolean {
  return typeof version === 'string' && typeof lineage === 'string';
}

/**
 * A verdict of an earlier run. `KarpenterVerdict` writes it into the manifest folder, which is often checked as a
 * whole.
 */
function isVerdict({
  schemaVersion,
  summary,
  nodePools,
  nodeClaims,
  findings,
}: Readonly<Record<string, unknown>>): boolean {
  return (
    typeof schemaVersion === 'string' &&
    asRecord(summary) !== undefined &&
    [nodePools, nodeClaims, findings].every(Array.isArray)
  );
}

/** Items of a typed list, such as an apps/v1 DeploymentList, may omit their apiVersion and kind. */
function withTypeOf(list: Readonly<Record<string, unknown>>, value: unknown): unknown {
  const item = asRecord(value);
  const kind = (list.kind as string).slice(0, -'List'.length);
  if (!item || kind === '' || item.apiVersion !== undefined || item.kind !== undefined) return value;
  const typed: Record<string, unknown> = Object.create(null);
  typed.apiVersion = list.apiVersion;
  typed.kind = kind;
  return Object.assign(typed, item);
}

function objectAt(position: ObjectPosition, raw: Readonly<Record<string, unknown>>): ManifestObject {
  const { file } = position.locate([]);
  const { source, rendered } = position;
  return {
    ...typedObject(raw),
    locate: (path) => ({ ...position.locate(path), ...writtenValue(raw, file, path) }),
    source,
    ...(rendered ? { rendered } : {}),
    file,
  };
}

/** Where a Terraform file has a value of a chart, or the nearest field around it. */
function writtenValue({ places }: PlainRecord, file: string, [field, ...steps]: FieldPath): Partial<SourceLocation> {
  if (field !== 'values' || !file.endsWith('.tf') || !Array.isArray(places)) return {};
  for (let { length } = steps; length > 0; length--) {
    const wanted = formatFieldPath(steps.slice(0, length));
    // Of several places, Helm takes the last one.
    const [, line, column] = [...places].reverse().find((place) => Array.isArray(place) && place[0] === wanted) ?? [];
    if (typeof line === 'number' && typeof column === 'number') return { line, column };
  }
  return {};
}

function typedObject(raw: Readonly<Record<string, unknown>>): Omit<ManifestObject, 'locate'> {
  const metadata = asRecord(raw.metadata);
  // A patch may have replaced the text by anything.
  const apiVersion = valueText(raw.apiVersion);
  return {
    apiVersion,
    kind: valueText(raw.kind),
    namespace: isClusterScoped(apiVersion) ? undefined : nonEmptyString(metadata?.namespace),
    name: nonEmptyString(metadata?.name) ?? '',
    raw,
  };
}

function nonEmptyString(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function typeName(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'a mapping' : `a ${typeof value}`;
}
