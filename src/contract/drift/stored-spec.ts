import { amiFamilyOfClass } from '../ami-family';
import { KIND_APIS } from '../karpenter-api';
import { NEWEST_KARPENTER_VERSION } from '../karpenter-version';
import { findKind, kindsOf, prepare } from '../schema';
import { asRecord } from '../value-rule';

type Spec = Readonly<Record<string, unknown>>;

/** The spec as the API server stores it: with defaults, and without what the schema does not have. */
export function storedSpec(manifest: unknown, kind: 'NodePool' | 'EC2NodeClass'): unknown {
  const { schema } = findKind(kindsOf(NEWEST_KARPENTER_VERSION), KIND_APIS[kind].apiVersion, kind)!;
  return asRecord(prepare(manifest, schema).value)?.spec;
}

export function familyOf(spec: Spec): string {
  return amiFamilyOfClass(spec) ?? 'Custom';
}

/** The kubelet's settings as Go writes them: keys in order, no spaces, and nothing that HTML would mind. */
export function kubeletText({ kubelet }: Spec): string {
  if (Object.keys(asRecord(kubelet) ?? {}).length === 0) return 'null';
  const text = JSON.stringify(kubelet, (_, each: unknown) => {
    const record = asRecord(each);
    return record ? Object.fromEntries(Object.entries(record).sort(([left], [right]) => left < right ? -1 : 1)) : each;
  });
  return text.replace(/[<>&\u2028\u2029]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
