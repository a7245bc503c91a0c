import { KarpenterKind, KIND_APIS } from './karpenter-api';
import { NEWEST_KARPENTER_VERSION } from './karpenter-version';
import { checkValue, findKind, kindsOf, Schema, schemaAt } from './schema';

type Steps = ReadonlyArray<string | number>;

/** The schema of a field of `spec` in the newest release. A number in the path stands for any list item. */
export function specField(kind: KarpenterKind, ...path: Steps): Schema {
  const { schema } = findKind(kindsOf(NEWEST_KARPENTER_VERSION), KIND_APIS[kind].apiVersion, kind)!;
  const field = schemaAt(schema, ['spec', ...path]);
  if (!field) throw new Error(`${kind} has no field spec.${path.join('.')}`);
  return field;
}

/** Whether the API server accepts the value in a field of `spec`. Rules on parent fields are not evaluated. */
export function acceptsField(kind: KarpenterKind, path: Steps, value: unknown): boolean {
  return checkValue(value, specField(kind, ...path)).length === 0;
}

/** Defaults of `metadataOptions` that the API server fills in. */
export interface MetadataDefaults {
  readonly httpEndpoint: string;
  readonly httpProtocolIPv6: string;
  readonly httpPutResponseHopLimit: number;
  readonly httpTokens: string;
}

export function metadataDefaults(): MetadataDefaults {
  return specField('EC2NodeClass', 'metadataOptions').default as MetadataDefaults;
}

export function disruptionDefaults(): { readonly consolidateAfter: string; readonly consolidationPolicy: string } {
  const { consolidateAfter } = specField('NodePool', 'disruption').default as { consolidateAfter: string };
  return {
    consolidateAfter,
    consolidationPolicy: specField('NodePool', 'disruption', 'consolidationPolicy').default as string,
  };
}

export function defaultBudgetNodes(): string {
  return specField('NodePool', 'disruption', 'budgets', 0, 'nodes').default as string;
}

export function defaultProvisioningStrategy(): string {
  return specField('CapacityBuffer', 'provisioningStrategy').default as string;
}
