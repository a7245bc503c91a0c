import { isValidatedKind } from '../../../contract';
import { FieldPath, ManifestObject } from '../model';
import { ProblemLog, READING_RULES } from '../problem-log';

const KEY = '__proto__';
/** In these kinds, keys are data and not fields. */
const FREE_FORM_KINDS = new Set(['ConfigMap', 'Secret']);

/**
 * Reports `__proto__` keys: no Kubernetes object has such a field, and JavaScript tools may take it for the object's
 * prototype.
 */
export function reportPrototypeKeys(object: ManifestObject, log: ProblemLog): void {
  // The schemas of Karpenter's custom resources report unknown fields of any name.
  if (FREE_FORM_KINDS.has(object.kind) || isValidatedKind(object.apiVersion, object.kind) || !hasKey(object.raw))
    return;
  for (const path of pathsOf(object.raw, [])) {
    log.add(
      READING_RULES.rejected,
      'error',
      object,
      path,
      `unknown field ${JSON.stringify(KEY)}: kubectl apply rejects it`,
      'remove it',
    );
  }
}

/** Nearly always false: checked first, because it needs no paths. */
function hasKey(value: unknown): boolean {
  if (value === null || typeof value !== 'object') return false;
  if (Array.isArray(value)) return value.some(hasKey);
  for (const key in value) if (key === KEY || hasKey((value as Record<string, unknown>)[key])) return true;
  return false;
}

function* pathsOf(value: unknown, path: FieldPath): Generator<FieldPath> {
  if (value === null || typeof value !== 'object') return;
  for (const [key, inner] of Object.entries(value)) {
    const keyPath = [...path, Array.isArray(value) ? Number(key) : key];
    if (key === KEY) yield keyPath;
    else yield* pathsOf(inner, keyPath);
  }
}
