/** An object whose `metadata` and `spec` are checked when the construct is made, and again with the values of synth. */
import { ApiObject, ApiObjectMetadata, Lazy } from 'cdk8s';
import { CheckedSpec, throwOnMisuse, validateAtSynth } from './misuse';

export interface ApiIdentity {
  readonly apiVersion: string;
  readonly kind: string;
}

/**
 * @throws Error if the API server or Karpenter would not accept the object
 */
export function newCheckedObject({ apiVersion, kind }: ApiIdentity, metadata: ApiObjectMetadata | undefined, checked: CheckedSpec): ApiObject {
  throwOnMisuse({ ...checked, toMetadata: () => ({ ...metadata }) });
  const apiObject = new ApiObject(checked.construct, 'Resource', { apiVersion, kind, metadata, spec: Lazy.any({ produce: () => checked.toSpec() }) });
  validateAtSynth({ ...checked, toMetadata: () => apiObject.metadata.toJson() });
  return apiObject;
}
