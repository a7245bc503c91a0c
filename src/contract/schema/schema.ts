/** What a CRD says of one value: the part of a structural schema that Kubernetes judges objects by. */
export interface Schema {
  readonly 'type'?: 'object' | 'array' | 'string' | 'integer' | 'number' | 'boolean';
  readonly 'format'?: string;
  readonly 'nullable'?: boolean;
  readonly 'default'?: unknown;
  readonly 'enum'?: readonly unknown[];
  readonly 'minimum'?: number;
  readonly 'exclusiveMinimum'?: boolean;
  readonly 'maximum'?: number;
  readonly 'exclusiveMaximum'?: boolean;
  readonly 'multipleOf'?: number;
  readonly 'minLength'?: number;
  readonly 'maxLength'?: number;
  readonly 'pattern'?: string;
  readonly 'items'?: Schema;
  readonly 'minItems'?: number;
  readonly 'maxItems'?: number;
  readonly 'uniqueItems'?: boolean;
  readonly 'properties'?: Readonly<Record<string, Schema>>;
  readonly 'required'?: readonly string[];
  readonly 'additionalProperties'?: Schema | boolean;
  readonly 'minProperties'?: number;
  readonly 'maxProperties'?: number;
  readonly 'allOf'?: readonly Schema[];
  readonly 'anyOf'?: readonly Schema[];
  readonly 'oneOf'?: readonly Schema[];
  readonly 'not'?: Schema;
  readonly 'x-kubernetes-int-or-string'?: boolean;
  readonly 'x-kubernetes-preserve-unknown-fields'?: boolean;
  readonly 'x-kubernetes-embedded-resource'?: boolean;
  readonly 'x-kubernetes-list-type'?: string;
  readonly 'x-kubernetes-list-map-keys'?: readonly string[];
  readonly 'x-kubernetes-map-type'?: string;
  readonly 'x-kubernetes-validations'?: readonly CelRule[];
}

/** A rule over a value and all that is in it. */
export interface CelRule {
  readonly rule: string;
  readonly message?: string;
  readonly messageExpression?: string;
  readonly reason?: string;
  /** Of the field that the error is shown at, from the value on, as in `.spec.name`. */
  readonly fieldPath?: string;
  readonly optionalOldSelf?: boolean;
}

/** One kind at one API version, as a CRD declares it. */
export interface KindSchema {
  readonly apiVersion: string;
  readonly kind: string;
  readonly scope: 'Cluster' | 'Namespaced';
  /** Whether `status` is written through a subresource alone: the API server then drops it from what is applied. */
  readonly statusSubresource: boolean;
  /** Where the scale subresource has its count of replicas, as in `.spec.replicas`. */
  readonly specReplicasPath?: string;
  readonly schema: Schema;
}
