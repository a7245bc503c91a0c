import { KarpenterKind, KIND_APIS } from './karpenter-api';
import { NEWEST_KARPENTER_VERSION } from './karpenter-version';
import { checkValue, findKind, kindsOf, Schema, schemaAt } from './schema';

type Steps = ReadonlyArray<string | number>;

/** What the newest release says of a field of `spec`; a number stands for any item of a list. */
export function specField(kind: KarpenterKind, ...path: Steps): Schema {
  const { schema } = findKind(kindsOf(NEWEST_KARPENTER_VERSION), KIND_APIS[kind].apiVersion, kind)!;
  const field = schemaAt(schema, ['spec', ...path]);
  if (!field) throw new Error(`${kind} has no field spec.${path.join('.')}`);
  return field;
}

/** Whether the API server takes the value in a field of `spec`, as far as the field by itself decides. */
export function acceptsField(kind: KarpenterKind, path: Steps, value: unknown): boolean {
  return checkValue(value, specField(kind, ...path)).length === 0;
}
