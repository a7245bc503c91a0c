import type { FieldPath } from '../../contract';
import type { EmptiedVariable } from '../vocabulary/source-file';

export type { FieldPath };

export interface SourceLocation {
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** From 1. */
  readonly column: number;
  /** Field path in the object, as in `spec.template.spec.requirements[0].key`. */
  readonly path: string;
  /** The logical id, if the object is in a resource of a CloudFormation template. */
  readonly resource?: string;
  /** The path of the construct that made the resource, if the template has it. */
  readonly construct?: string;
}

/** The text of a file, without a byte order mark. */
export interface PositionedText {
  readonly path: string;
  readonly text: string;
  /** Line and column, from 1. */
  position(offset: number): { readonly line: number; readonly column: number };
}

/** The text that an object is written in. */
export interface ObjectSource {
  readonly file: PositionedText;
  /** The document in the text: its first offset, and the offset after it. */
  readonly range: readonly [number, number];
  /** Path of the object in the document; not empty for an item of a list. */
  readonly path: FieldPath;
}

/**
 * Fields as somebody wrote them: nothing has checked them, so the value of a field is unknown. Fields that lead to
 * others have types in which each field is optional. They are read with `?.`, which is safe on any value: a text or a
 * number in place of a mapping has no such field.
 */
export interface WrittenFields {
  readonly [field: string]: unknown;
}

export interface WrittenMetadata extends WrittenFields {
  readonly annotations?: WrittenFields | null;
  readonly labels?: WrittenFields | null;
}

/** The template of pods, Jobs or NodeClaims. */
export interface WrittenTemplate extends WrittenFields {
  readonly metadata?: WrittenMetadata | null;
  readonly spec?: WrittenTemplateSpec | null;
}

export interface WrittenTemplateSpec extends WrittenFields {
  readonly nodeClassRef?: WrittenFields | null;
  /** The pods of a Job. */
  readonly template?: WrittenTemplate | null;
}

/** The fields of the specs of Kubernetes and Karpenter that lead to other fields. */
export interface WrittenSpec extends WrittenTemplateSpec {
  readonly behavior?: { readonly scaleDown?: WrittenFields | null } | null;
  readonly disruption?: WrittenFields | null;
  readonly jobTemplate?: WrittenTemplate | null;
  readonly kubelet?: WrittenFields | null;
}

export interface WrittenObject extends WrittenFields {
  readonly metadata?: WrittenMetadata | null;
  readonly spec?: WrittenSpec | null;
  readonly data?: WrittenFields | null;
  readonly status?: WrittenFields | null;
}

/** One Kubernetes object of the input. */
export interface ManifestObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
  /** Plain JSON. Objects in it have no prototype, so that keys such as `__proto__` have no effect. */
  readonly raw: WrittenObject;
  /** @default - the object is not written by hand: a tool has made the file, or it is in a template */
  readonly source?: ObjectSource;
  /** The text that helm has made of the object, in place of a source. @default - helm has not made it */
  readonly rendered?: ObjectSource;
  /** The file of all its fields, which is known without their places. @default - there may be several */
  readonly file?: string;
  /** The object of the input whose controller makes this one. @default - this one is in the input */
  readonly madeBy?: ManifestObject;
  /** @default - none */
  readonly emptied?: readonly EmptiedVariable[];
  /** Where a field is written. A field that is not written has the location of its nearest existing ancestor. */
  locate(path: FieldPath): SourceLocation;
}
