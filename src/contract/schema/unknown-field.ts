import { nearestName } from '../../model';
import { FieldPath, formatFieldPath } from '../field-problem';
import { NEWEST_KARPENTER_VERSION } from '../karpenter-version';
import { kindsOf, releaseWithField } from './known-kinds';
import { UnknownField } from './prepare';
import { KindSchema, Schema } from './schema';
import { refusal, schemaPath, Violation } from './violation';

/** More names than this are no help to read. */
const MOST_NAMES = 12;
const DEEPEST = 8;

/** A field that the API does not have: `kubectl apply` refuses it, and other clients drop it without a word. */
export function unknownFieldViolation({ path, value, known }: UnknownField, kind: KindSchema): Violation {
  const problem = 'is no field of the API, and is dropped by clients that do not refuse it';
  return refusal('unknown-field', path, problem, value, remedyFor(path, known, kind), `unknown field "${schemaPath(path)}"`);
}

function remedyFor(path: FieldPath, known: readonly string[], kind: KindSchema): string {
  const name = String(path[path.length - 1]);
  const meant = likelyName(name, known);
  if (meant !== undefined) return `write ${meant}`;
  const release = releaseWithField(kind, path);
  if (release !== undefined) return `remove it, or use another version of Karpenter: ${release} has it`;
  const elsewhere = placesOf(name, kind.schema).slice(0, 2);
  if (elsewhere.length > 0) return `move it to ${elsewhere.join(' or ')}`;
  const other = kindWith(name);
  if (other !== undefined) return `move it to spec.${name} of the ${other}`;
  if (known.length === 0) return 'remove it';
  const more = known.length > MOST_NAMES ? `, … (${known.length} in all)` : '';
  return `remove it; the fields here are ${[...known].sort().slice(0, MOST_NAMES).join(', ')}${more}`;
}

/** A known name that differs in case, is a part of the other, or is a few edits away. */
export function likelyName(name: string, known: readonly string[]): string | undefined {
  const lower = plain(name);
  if (lower.length === 0 || name.length > 64) return undefined;
  const same = known.find((field) => plain(field) === lower);
  if (same !== undefined) return same;
  const alike = nearestName(lower, known.map(plain));
  if (alike !== undefined) return known.find((field) => plain(field) === alike);
  return lower.length < 3 ? undefined : known.find((field) => plain(field).startsWith(lower) || lower.startsWith(plain(field)));
}

/** `consolidation_policy` and `consolidation-policy` are meant as `consolidationPolicy`. */
function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[-_]/g, '');
}

/** Another kind that has the field right in its spec: the kubelet's settings were the NodePool's in v1beta1. */
function kindWith(name: string): string | undefined {
  return kindsOf(NEWEST_KARPENTER_VERSION).find(({ schema }) => Object.hasOwn(schema.properties?.spec?.properties ?? {}, name))?.kind;
}

/** Where in the spec there is a field of that name. */
function placesOf(name: string, root: Schema): string[] {
  const found: string[] = [];
  const visit = (schema: Schema, path: FieldPath): void => {
    if (path.length > DEEPEST) return;
    for (const [field, child] of Object.entries(schema.properties ?? {})) {
      if (path.length === 0 && field !== 'spec') continue;
      const at = [...path, field];
      if (field === name) found.push(formatFieldPath(at));
      visit(child, at);
    }
    if (schema.items) visit(schema.items, path);
  };
  visit(root, []);
  return found;
}
