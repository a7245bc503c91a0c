import { FieldPath } from '../field-problem';
import { asRecord } from '../value-rule';
import { checkCelRules } from './cel-rules';
import { judgeMetadata } from './metadata';
import { prepare } from './prepare';
import { KindSchema, Schema } from './schema';
import { unknownFieldViolation } from './unknown-field';
import { validate } from './validate';
import { invalid, isBlocking, refusal, Violation } from './violation';

/** What the API server reads of one request; larger ones it does not look at. */
const LARGEST_OBJECT_BYTES = 3 * 1024 * 1024;
const LARGEST_REPLICAS = 2 ** 31 - 1;

/** An object as the API server stores it, and what it says to one that it does not. */
export interface SchemaJudgement {
  /** Defaults are filled in, and what the schema does not have is gone. */
  readonly stored: Readonly<Record<string, unknown>>;
  readonly violations: readonly Violation[];
}

/**
 * What the API server answers to the creation of an object, with strict field validation as `kubectl apply` asks for.
 *
 * It refuses an object with unknown fields before it looks at anything else, and one whose fields are of wrong types
 * before it evaluates any CEL rule. Here all problems are reported at once, as far as they can be evaluated.
 */
export function judgeBySchema(raw: Readonly<Record<string, unknown>>, kind: KindSchema): SchemaJudgement {
  const size = Buffer.byteLength(JSON.stringify(raw));
  if (size > LARGEST_OBJECT_BYTES) {
    const problem = `must be at most ${LARGEST_OBJECT_BYTES} bytes as JSON`;
    return { stored: raw, violations: [refusal('size', [], problem, size, 'split the object, or shorten its texts', 'Request entity too large')] };
  }
  // These three every kind has, whether its CRD tells or not.
  const { apiVersion, kind: name, metadata, ...fields } = raw;
  const prepared = prepare(fields, kind.schema);
  const described = judgeMetadata(metadata, kind.scope);
  const stored = withoutStatus({ apiVersion, kind: name, ...asRecord(prepared.value) }, kind);
  const structural = [...described.violations, ...validate([], stored, kind.schema), ...checkReplicas(stored, kind)];
  return {
    stored: { ...stored, metadata },
    violations: [
      ...[...described.unknown, ...prepared.unknown].map((field) => unknownFieldViolation(field, kind)),
      ...structural,
      ...checkCelRules(stored, kind.schema, structural.filter(isBlocking).map(({ path }) => path)),
    ],
  };
}

/** What the API server has against a value by itself, wherever it is. */
export function checkValue(value: unknown, schema: Schema): Violation[] {
  const prepared = prepare(value, schema).value;
  const structural = validate([], prepared, schema);
  return [...structural, ...checkCelRules(prepared, schema, structural.filter(isBlocking).map(({ path }) => path))];
}

/** A status that has a subresource of its own is dropped from what is created. */
function withoutStatus(object: Readonly<Record<string, unknown>>, { statusSubresource }: KindSchema): Readonly<Record<string, unknown>> {
  const { status, ...rest } = object;
  return statusSubresource ? rest : object;
}

/** The count of replicas is looked at for the sake of `kubectl scale`, whatever the schema says of it. */
function checkReplicas(object: Readonly<Record<string, unknown>>, { specReplicasPath }: KindSchema): Violation[] {
  if (specReplicasPath === undefined) return [];
  const path: FieldPath = specReplicasPath.split('.').filter((step) => step !== '');
  const value = path.reduce<unknown>((at, step) => asRecord(at)?.[step], object);
  if (typeof value !== 'number' || value <= LARGEST_REPLICAS) return [];
  const detail = `should be less than or equal to ${LARGEST_REPLICAS}`;
  return [refusal('scale', path, `must be an integer of at most ${LARGEST_REPLICAS}`, value, 'write a smaller one', invalid(path, value, detail))];
}
