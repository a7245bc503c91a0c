export interface SourceLocation {
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** From 1. */
  readonly column: number;
  /** Within the object, as in `spec.template.spec.requirements[0].key`. */
  readonly path: string;
  /** The logical id, where it is in a resource of a CloudFormation template. */
  readonly resource?: string;
  /** The path of the construct that made this resource, where the template says it. */
  readonly construct?: string;
}

export type FieldPath = readonly (string | number)[];

/** One Kubernetes object of the input. */
export interface ManifestObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
  /** Plain JSON. Objects in it have no prototype, so that no key means more than the file says. */
  readonly raw: any;
  /** Where a field is written; for a field that is not there, its nearest existing ancestor. */
  locate(path: FieldPath): SourceLocation;
}
