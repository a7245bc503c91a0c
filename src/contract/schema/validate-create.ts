import { asRecord, FieldPath } from '../field-problem';
import { checkCelRules } from './cel-rules';
import { validateMetadata } from './metadata';
import { pruneAndDefault } from './prune-and-default';
import { KindSchema, Schema } from './schema';
import { unknownFieldViolation } from './unknown-field';
import { validate } from './validate';
import { createViolation, invalidValueText, skipsCelRules, Violation } from './violation';

/** The API server rejects larger requests without reading them. */
const MAX_OBJECT_BYTES = 3 * 1024 * 1024;
const MAX_REPLICAS = 2 ** 31 - 1;

/** The result of creating an object: the stored form, and the violations that prevent it. */
export interface CreateValidation {
  /** The object with defaults, and without fields that are not in the schema. */
  readonly stored: Readonly<Record<string, unknown>>;
  readonly violations: readonly Violation[];
}

/**
 * Validates the creation of an object as the API server does, with the strict field validation of `kubectl apply`.
 *
 * The API server rejects unknown fields before it checks anything else, and wrong types before it evaluates CEL rules.
 * This function reports all problems at once, as far as they can be evaluated.
 */
export function validateCreate(raw: Readonly<Record<string, unknown>>, kind: KindSchema): CreateValidation {
  const size = Buffer.byteLength(JSON.stringify(raw));
  if (size > MAX_OBJECT_BYTES) {
    const problem = `must be at most ${MAX_OBJECT_BYTES} bytes as JSON`;
    return {
      stored: raw,
      violations: [
        createViolation(
          'size',
          [],
          problem,
          size,
          'split the object, or shorten its strings',
          'Request entity too large',
        ),
      ],
    };
  }
  // Every kind has these three fields, even if its CRD does not declare them.
  const { apiVersion, kind: name, metadata, ...fields } = raw;
  const pruned = pruneAndDefault(fields, kind.schema);
  const metadataResult = validateMetadata(metadata, kind.scope);
  const stored = withoutStatus({ apiVersion, kind: name, ...asRecord(pruned.value) }, kind);
  const structural = [
    ...metadataResult.violations,
    ...validate([], stored, kind.schema),
    ...checkReplicas(stored, kind),
  ];
  return {
    stored: { ...stored, metadata },
    violations: [
      ...[...metadataResult.unknown, ...pruned.unknown].map((field) => unknownFieldViolation(field, kind, raw)),
      ...structural,
      ...checkCelRules(
        stored,
        kind.schema,
        structural.filter(skipsCelRules).map(({ path }) => path),
      ),
    ],
  };
}

/** Validates a single value, including its CEL rules. */
export function checkValue(value: unknown, schema: Schema): Violation[] {
  const defaulted = pruneAndDefault(value, schema).value;
  const structural = validate([], defaulted, schema);
  return [
    ...structural,
    ...checkCelRules(
      defaulted,
      schema,
      structural.filter(skipsCelRules).map(({ path }) => path),
    ),
  ];
}

/** The API server drops a `status` that is a subresource from a created object. */
function withoutStatus(
  object: Readonly<Record<string, unknown>>,
  { statusSubresource }: KindSchema,
): Readonly<Record<string, unknown>> {
  const { status, ...rest } = object;
  return statusSubresource ? rest : object;
}

/** The API server checks the replica count of the scale subresource independently of the schema. */
function checkReplicas(object: Readonly<Record<string, unknown>>, { specReplicasPath }: KindSchema): Violation[] {
  if (specReplicasPath === undefined) return [];
  const path: FieldPath = specReplicasPath.split('.').filter((step) => step !== '');
  const value = path.reduce<unknown>((parent, step) => asRecord(parent)?.[step], object);
  if (typeof value !== 'number' || value <= MAX_REPLICAS) return [];
  const detail = `should be less than or equal to ${MAX_REPLICAS}`;
  return [
    createViolation(
      'scale',
      path,
      `must be an integer of at most ${MAX_REPLICAS}`,
      value,
      'write a smaller number',
      invalidValueText(path, value, detail),
    ),
  ];
}
