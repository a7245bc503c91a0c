import { FieldPath, ManifestObject } from './model';
import { ProblemLog, READING_RULES } from './problem-log';
import { isKarpenterKind } from '../../contract';

const KEY = '__proto__';
/** Kinds whose data is anybody's: there the key is no field. */
const FREE_FORM = new Set(['ConfigMap', 'Secret']);

/** Reports keys that no Kubernetes object has, and that tools in JavaScript may take for an object's prototype. */
export function reportPrototypeKeys(object: ManifestObject, log: ProblemLog): void {
  // The custom resources of Karpenter are checked for unknown fields of any name.
  if (FREE_FORM.has(object.kind) || isKarpenterKind(object.apiVersion, object.kind) || !hasKey(object.raw)) return;
  for (const path of pathsOf(object.raw, [])) {
    log.add(
      READING_RULES.rejected, 'error', object, path,
      `unknown field ${JSON.stringify(KEY)}: the API server refuses it where it validates strictly, as it does for kubectl apply`, 'remove it',
    );
  }
}

/** Nearly always false, and found without a path. */
function hasKey(value: unknown): boolean {
  if (value === null || typeof value !== 'object') return false;
  if (Array.isArray(value)) return value.some(hasKey);
  for (const key in value) if (key === KEY || hasKey((value as Record<string, unknown>)[key])) return true;
  return false;
}

function* pathsOf(value: unknown, path: FieldPath): Generator<FieldPath> {
  if (value === null || typeof value !== 'object') return;
  for (const [key, inner] of Object.entries(value)) {
    const here = [...path, Array.isArray(value) ? Number(key) : key];
    if (key === KEY) yield here;
    else yield* pathsOf(inner, here);
  }
}
