import { nearestName } from '../../model';
import { FieldFix, removeField, renameField, safeFix, setFirstField, unsafeFix } from '../field-edit';
import { asRecord, FieldPath, formatFieldPath } from '../field-problem';
import { NEWEST_KARPENTER_VERSION } from '../karpenter-version';
import { kindsOf, releaseWithField, schemaAt } from './crd';
import { pruneAndDefault, UnknownField } from './prune-and-default';
import { KindSchema, Schema } from './schema';
import { validate } from './validate';
import { createViolation, schemaPath, Violation } from './violation';

/** A remedy lists at most this many field names. */
const MAX_NAMES = 12;
const MAX_DEPTH = 8;

/** An unknown field. `kubectl apply` rejects the object, but other clients silently drop the field. */
export function unknownFieldViolation(
  { path, value, knownFields }: UnknownField,
  kind: KindSchema,
  raw: Readonly<Record<string, unknown>>,
): Violation {
  const problem = 'is no field of the API, and is dropped by clients that do not refuse it';
  const violation = createViolation(
    'unknown-field',
    path,
    problem,
    value,
    remedyFor(path, knownFields, kind),
    `unknown field "${schemaPath(path)}"`,
  );
  const fix = renameFix(path, knownFields) ?? outwardFix(path, value, kind, raw);
  return fix ? { ...violation, fix } : violation;
}

/**
 * Moves a field that is indented too far to the object around it that has the field, such as `spec.template.limits` of
 * a NodePool to `spec.limits`.
 */
function outwardFix(path: FieldPath, value: unknown, { schema }: KindSchema, raw: unknown): FieldFix | undefined {
  const name = String(path[path.length - 1]);
  if (path.some((step) => typeof step === 'number')) return undefined;
  for (let length = path.length - 2; length > 0; length--) {
    const target = [...path.slice(0, length), name];
    const field = schemaAt(schema, target);
    if (field === undefined) continue;
    const isFree = !Object.hasOwn(asRecord(path.slice(0, length).reduce(childOf, raw)) ?? {}, name);
    return isFree && isValid(value, field, target)
      ? safeFix(setFirstField(target, value), removeField(path))
      : undefined;
  }
  return undefined;
}

function childOf(value: unknown, step: string | number): unknown {
  return asRecord(value)?.[step];
}

/** The rules of the whole object are judged once the field is there. */
function isValid(value: unknown, field: Schema, path: FieldPath): boolean {
  const { value: stored, unknown } = pruneAndDefault(value, field, path);
  return unknown.length === 0 && validate(path, stored, field).length === 0;
}

/** Renames a misspelt field. If one name only begins like the other, the field may mean something else. */
export function renameFix(path: FieldPath, knownFields: readonly string[]): FieldFix | undefined {
  const name = String(path[path.length - 1]);
  const meant = likelyFieldName(name, knownFields);
  if (meant === undefined) return undefined;
  const isTypo = plain(name) === plain(meant) || nearestName(plain(name), [plain(meant)]) !== undefined;
  return isTypo ? safeFix(renameField(path, meant)) : unsafeFix(renameField(path, meant));
}

function remedyFor(path: FieldPath, knownFields: readonly string[], kind: KindSchema): string {
  const name = String(path[path.length - 1]);
  const meant = likelyFieldName(name, knownFields);
  if (meant !== undefined) return `write ${meant}`;
  const release = releaseWithField(kind, path);
  if (release !== undefined) return `remove it, or use another version of Karpenter: ${release} has it`;
  const elsewhere = pathsOf(name, kind.schema)
    .filter((found) => isInSameItem(found, path))
    .slice(0, 2);
  if (elsewhere.length > 0) return `move it to ${elsewhere.join(' or ')}`;
  const otherKind = kindWith(name);
  if (otherKind !== undefined) return `move it to spec.${name} of the ${otherKind}`;
  if (knownFields.length === 0) return 'remove it';
  const more = knownFields.length > MAX_NAMES ? `, … (${knownFields.length} in all)` : '';
  return `remove it; the fields here are ${[...knownFields].sort().slice(0, MAX_NAMES).join(', ')}${more}`;
}

/** The known field that was probably meant: it differs in case or a few edits, or one name is a prefix of the other. */
export function likelyFieldName(name: string, known: readonly string[]): string | undefined {
  const lower = plain(name);
  if (lower.length === 0 || name.length > 64) return undefined;
  const same = known.find((field) => plain(field) === lower);
  if (same !== undefined) return same;
  const alike = nearestName(lower, known.map(plain));
  if (alike !== undefined) return known.find((field) => plain(field) === alike);
  const begun = known.filter((field) => plain(field).startsWith(lower));
  if (lower.length < 3) return lower.length === 2 && begun.length === 1 ? begun[0] : undefined;
  return begun[0] ?? known.find((field) => lower.startsWith(plain(field)));
}

/** Makes `consolidation_policy` and `consolidation-policy` equal to `consolidationPolicy`. */
function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[-_]/g, '');
}

/** Another kind whose spec has the field. In v1beta1, for example, `kubelet` belonged to the NodePool. */
function kindWith(name: string): string | undefined {
  return kindsOf(NEWEST_KARPENTER_VERSION).find(({ schema }) =>
    Object.hasOwn(schema.properties?.spec?.properties ?? {}, name),
  )?.kind;
}

/** A field of a list item, such as the `operator` of a taint, does not belong to another list. */
function isInSameItem(found: string, path: FieldPath): boolean {
  if (typeof path[path.length - 2] !== 'number') return true;
  const list = formatFieldPath(path.filter((step) => typeof step === 'string').slice(0, -1));
  return found.startsWith(`${list}.`);
}

/** Paths in the spec of fields with that name. */
function pathsOf(name: string, root: Schema): string[] {
  const paths: string[] = [];
  const visit = (schema: Schema, path: FieldPath): void => {
    if (path.length > MAX_DEPTH) return;
    for (const [field, child] of Object.entries(schema.properties ?? {})) {
      if (path.length === 0 && field !== 'spec') continue;
      const fieldPath = [...path, field];
      if (field === name) paths.push(formatFieldPath(fieldPath));
      visit(child, fieldPath);
    }
    if (schema.items) visit(schema.items, path);
  };
  visit(root, []);
  return paths;
}
