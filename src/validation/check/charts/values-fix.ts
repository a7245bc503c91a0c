import { ChartPlaces, WrittenPlace } from './chart-places';
import { isLeafValue, pathInDocument, ValuesLayer, yamlDocuments } from './merged-values';
import { kindOf } from './rendered-documents';
import { emptyPathsNamed } from './unread-values';
import { asRecord, FieldEdit, FieldPath } from '../../../contract';
import { textWithFix } from '../../fixes/apply-fixes';
import { ChartChanges } from '../../manifest';
import { editedValue, isSameValue, valueAt } from '../../manifest/edit/edited-value';
import { fixOf } from '../../manifest/edit/fix-of';
import { withNulls } from '../../manifest/source/roots/kustomize/resources/read-resources';
import { SourceText } from '../../manifest/source/source-text';
import { Finding, Fix } from '../../vocabulary/verdict';

/** A field of a rendered object with the value that a fix gives it. */
interface RenderedChange {
  readonly file: string;
  readonly document: number;
  readonly path: FieldPath;
  readonly value: unknown;
  /** Whether the field is new. @default false */
  readonly isNew?: boolean;
}

/** An edit of the value that gives a field. */
interface ValueEdit {
  /** The path of the value. */
  readonly origin: FieldPath;
  readonly layer: ValuesLayer;
  readonly edit: FieldEdit;
}

/** A fix as an edit of values, and the place of the first of them. */
export interface ValuesFix {
  readonly fix: Fix;
  readonly place: WrittenPlace;
}

/** An edit of values that may have the effect of a fix. */
interface Candidate {
  readonly finding: Finding;
  readonly layer: ValuesLayer;
  readonly fix: Fix;
  readonly place: WrittenPlace;
  readonly changes: readonly RenderedChange[];
}

/** The most fields that one fix may change. */
const MOST_CHANGES = 4;
/** The most edits that are tried by rendering the chart with them. */
const MOST_TRIED = 8;
/** The most keys that one new field is tried with. */
const MOST_ORIGINS = 3;

/**
 * The fixes of findings as edits of values. helm has to make the same manifests with an edit as the fixes of all
 * findings with this edit, and nothing else may change. Fixes without such an edit are left out.
 */
export function valuesFixes(findings: readonly Finding[], chart: ChartPlaces): ReadonlyMap<Finding, ValuesFix> {
  const byEdit = new Map<string, Candidate[]>();
  for (const candidate of findings.flatMap((finding) => candidatesOf(finding, chart))) {
    const key = JSON.stringify([candidate.fix.file, candidate.fix.edits]);
    byEdit.set(key, [...(byEdit.get(key) ?? []), candidate]);
  }
  const fixes = new Map<Finding, ValuesFix>();
  let tried = 0;
  for (const same of byEdit.values()) {
    if (same.every(({ finding }) => fixes.has(finding)) || tried++ >= MOST_TRIED || !hasSameEffect(same, chart))
      continue;
    for (const { finding, fix, place } of same) if (!fixes.has(finding)) fixes.set(finding, { fix, place });
  }
  return fixes;
}

/** The edits of values that may have the effect of a fix, the most likely first. */
function candidatesOf(finding: Finding, chart: ChartPlaces): Candidate[] {
  const { fix } = finding;
  const text = fix && chart.documents.texts.get(fix.file);
  if (fix === undefined || text === undefined) return [];
  const changes = changesOf(fix, text, chart);
  if (changes === undefined) return [];
  const edits = changes.flatMap((change) => valueEdit(change, chart) ?? []);
  const [only] = changes;
  const isNew = changes.length === 1 && only.isNew === true && finding.severity !== 'info';
  const alternatives = edits.length === changes.length ? [edits] : isNew ? newValueEdits(only, finding, chart) : [];
  return alternatives.flatMap((some): Candidate[] => {
    const written = writtenFix(some, fix.safe, finding.location);
    const [{ origin, layer }] = some;
    return written === undefined
      ? []
      : [{ finding, layer, fix: written, place: chart.placeIn(layer, origin), changes }];
  });
}

function writtenFix(edits: readonly ValueEdit[], safe: boolean, location: Finding['location']): Fix | undefined {
  const [{ layer }] = edits;
  if (edits.some((edit) => edit.layer !== layer)) return undefined;
  const { range, value } = layer.document;
  const object = { raw: asRecord(value) ?? {}, source: { file: new SourceText(layer.file), range, path: [] } };
  return fixOf(
    { ...object, apiVersion: '', kind: '', name: '', locate: () => location },
    { safe, edits: edits.map(({ edit }) => edit) },
  );
}

/** Edits that give a value to a key of that name, which templates read and which has none. */
function newValueEdits({ path, value }: RenderedChange, { subject }: Finding, chart: ChartPlaces): ValueEdit[][] {
  const rank = (steps: readonly string[]) =>
    Math.max(...steps.map((step) => (step === subject.name ? 2 : subject.name.includes(step) ? 1 : 0)));
  const origins = emptyPathsNamed(chart.values, String(path[path.length - 1]))
    .sort((left, right) => rank(right) - rank(left) || left.length - right.length)
    .slice(0, MOST_ORIGINS);
  return origins.flatMap((origin): ValueEdit[][] => {
    const around = origin.map((_, index) => origin.slice(0, origin.length - index));
    const layer = around.map((outer) => chart.values.writtenAt(outer).layer).find((found) => found !== undefined);
    if (layer === undefined || layer.document.isMasked) return [];
    return [[{ origin, layer, edit: { operation: 'set', path: pathInDocument(layer, origin), value } }]];
  });
}

/** The fields that a fix of rendered text changes. Undefined if they are too many. */
function changesOf(fix: Fix, text: string, chart: ChartPlaces): RenderedChange[] | undefined {
  const before = chart.documents.documentsIn(fix.file);
  const after = yamlDocuments({ path: fix.file, text: textWithFix({ path: fix.file, text }, fix) });
  if (before.length !== after.length) return undefined;
  const changes = before.flatMap(({ value }, document) =>
    differences(value, after[document].value).map((change) => ({ file: fix.file, document, ...change })),
  );
  return changes.length === 0 || changes.length > MOST_CHANGES ? undefined : changes;
}

/** The innermost values that differ, with the new ones. */
function differences(
  before: unknown,
  after: unknown,
  path: FieldPath = [],
): Array<Pick<RenderedChange, 'path' | 'value' | 'isNew'>> {
  if (isSameValue(before, after)) return [];
  if (Array.isArray(before) && Array.isArray(after) && before.length === after.length)
    return before.flatMap((item, index) => differences(item, after[index], [...path, index]));
  const [left, right] = [asRecord(before), asRecord(after)];
  if (left && right && Object.keys(left).every((key) => Object.hasOwn(right, key)))
    return Object.keys(right).flatMap((key) =>
      Object.hasOwn(left, key)
        ? differences(left[key], right[key], [...path, key])
        : [{ path: [...path, key], value: right[key], isNew: true }],
    );
  return [{ path, value: after }];
}

/** The edit of the value that gives a field. */
function valueEdit({ file, document, path, value }: RenderedChange, chart: ChartPlaces): ValueEdit | undefined {
  const origin = chart.valueOf({ file, document }, path);
  const layer = origin && chart.values.writtenAt(origin).layer;
  if (origin === undefined || layer === undefined || layer.document.isMasked) return undefined;
  const rendered = valueAt(chart.documents.documentsIn(file)[document].value, path);
  const wanted = wantedValue(rendered, value, valueAt(chart.values.merged, origin));
  if (wanted === undefined) return undefined;
  return { origin, layer, edit: { operation: 'set', path: pathInDocument(layer, origin), value: wanted } };
}

/** The value with which a text that has the old value as a part becomes the new text. */
function wantedValue(rendered: unknown, wanted: unknown, value: unknown): unknown {
  if (!isLeafValue(rendered) || !isLeafValue(value) || String(rendered) === String(value)) return wanted;
  const [before, part] = [String(rendered), String(value)];
  const start = before.slice(0, before.indexOf(part));
  const end = before.slice(start.length + part.length);
  if (typeof wanted !== 'string' || wanted.length < start.length + end.length) return undefined;
  if (!wanted.startsWith(start) || !wanted.endsWith(end)) return undefined;
  return wanted.slice(start.length, wanted.length - end.length);
}

/**
 * Whether helm makes what the fixes would make. Beside that, only the same field of other objects of the kind may
 * change in the same way: one value gives it to all of them.
 */
function hasSameEffect(candidates: readonly Candidate[], chart: ChartPlaces): boolean {
  const [{ layer, fix }] = candidates;
  const { texts } = chart.documents;
  const rendered = chart.values.rendering.render(changedLayer(layer, textWithFix(layer.file, fix)));
  if (rendered === undefined || rendered.size < texts.size) return false;
  const changes = candidates.flatMap((candidate) => candidate.changes);
  return [...texts.keys()].every((file) => {
    const after = yamlDocuments({ path: file, text: rendered.get(file) ?? '' });
    const before = chart.documents.documentsIn(file);
    return (
      before.length === after.length &&
      before.every(({ value }, document) => {
        const own = changes.filter((change) => change.file === file && change.document === document);
        const edits = own.map((change): FieldEdit => ({ operation: 'set', path: change.path, value: change.value }));
        const expected = edits.length === 0 ? value : editedValue(value, edits);
        const others = differences(expected, after[document].value);
        return others.every((other) => changes.some((change) => isSameChange(change, other, value, chart)));
      })
    );
  });
}

function isSameChange(
  change: RenderedChange,
  other: Pick<RenderedChange, 'path' | 'value'>,
  object: unknown,
  chart: ChartPlaces,
): boolean {
  const own = chart.documents.documentsIn(change.file)[change.document];
  return (
    isSameValue(change.path, other.path) &&
    isSameValue(change.value, other.value) &&
    isSameValue(valueAt(own.value, change.path), valueAt(object, other.path)) &&
    kindOf(own) === kindOf({ value: object })
  );
}

/** The change of the chart if the file of a layer has another text. */
export function changedLayer({ inside, index, prefix }: ValuesLayer, text: string): ChartChanges {
  if (inside !== undefined) return { files: new Map([[inside, text]]) };
  if (index === undefined) return {};
  if (prefix.length === 0) return { values: new Map([[index, text]]) };
  const values = yamlDocuments({ path: '', text }).map(({ value }) => valueAt(value, prefix));
  const [found] = values.filter((value) => asRecord(value) !== undefined);
  return { values: new Map([[index, JSON.stringify(withNulls(found ?? {}))]]) };
}
