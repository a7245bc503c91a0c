/**
 * What every object's `metadata` has to be, whatever its kind.
 *
 * Source: ObjectMeta of k8s.io/apimachinery v0.37.0 (pkg/apis/meta/v1/types.go), and ValidateObjectMeta of its
 * pkg/api/validation.
 */
import { FieldPath } from '../field-problem';
import { isLabelValue, isQualifiedName, LABEL_KEY_REMEDY, LABEL_VALUE_REMEDY } from '../label-rule';
import { asRecord } from '../value-rule';
import { prepare, UnknownField } from './prepare';
import { KindSchema, Schema } from './schema';
import { validate } from './validate';
import { refusal, schemaPath, Violation } from './violation';

const TEXT: Schema = { type: 'string', nullable: true };
const COUNT: Schema = { type: 'integer', format: 'int64', nullable: true };
const FLAG: Schema = { type: 'boolean', nullable: true };
const TIME: Schema = { type: 'string', format: 'date-time', nullable: true };
const TEXTS: Schema = { type: 'object', nullable: true, additionalProperties: TEXT };
const FREE: Schema = { 'type': 'object', 'nullable': true, 'x-kubernetes-preserve-unknown-fields': true };

const listOf = (items: Schema): Schema => ({ type: 'array', nullable: true, items });

const METADATA: Schema = {
  type: 'object',
  nullable: true,
  properties: {
    name: TEXT,
    generateName: TEXT,
    namespace: TEXT,
    selfLink: TEXT,
    uid: TEXT,
    resourceVersion: TEXT,
    generation: COUNT,
    creationTimestamp: TIME,
    deletionTimestamp: TIME,
    deletionGracePeriodSeconds: COUNT,
    labels: TEXTS,
    annotations: TEXTS,
    finalizers: listOf(TEXT),
    ownerReferences: listOf({
      type: 'object',
      properties: { apiVersion: TEXT, kind: TEXT, name: TEXT, uid: TEXT, controller: FLAG, blockOwnerDeletion: FLAG },
    }),
    managedFields: listOf({
      type: 'object',
      properties: { manager: TEXT, operation: TEXT, apiVersion: TEXT, time: TIME, fieldsType: TEXT, fieldsV1: FREE, subresource: TEXT },
    }),
  },
};

const AT: FieldPath = ['metadata'];
const LONGEST_NAME = 253;
const LONGEST_GENERATED_NAME = 63;
const LARGEST_ANNOTATIONS = 256 * 1024;
const SUBDOMAIN_PART = /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?$/;
export const NAME_REMEDY = 'write lower-case letters, digits, "-" and ".", with a letter or digit at both ends, at most 253 characters';

export interface MetadataJudgement {
  readonly violations: readonly Violation[];
  readonly unknown: readonly UnknownField[];
}

export function judgeMetadata(raw: unknown, scope: KindSchema['scope']): MetadataJudgement {
  if (raw !== undefined && raw !== null && !asRecord(raw)) {
    return { violations: validate(AT, raw, METADATA), unknown: [] };
  }
  const { value, unknown } = prepare(asRecord(raw) ?? {}, METADATA, AT);
  const mistyped = validate(AT, value, METADATA);
  return { violations: mistyped.length > 0 ? mistyped : checkValues(asRecord(value)!, scope), unknown };
}

function checkValues(metadata: Readonly<Record<string, unknown>>, scope: KindSchema['scope']): Violation[] {
  return [
    ...checkName(metadata),
    ...(scope === 'Namespaced' ? checkNamespace(metadata.namespace) : []),
    ...checkLabels(asRecord(metadata.labels) ?? {}),
    ...checkAnnotations(asRecord(metadata.annotations) ?? {}),
    ...checkOwners(metadata.ownerReferences),
    ...checkFinalizers(metadata.finalizers),
  ];
}

function checkName({ name, generateName }: Readonly<Record<string, unknown>>): Violation[] {
  const prefix = typeof generateName === 'string' && generateName !== '' ? generateName : undefined;
  const given = typeof name === 'string' && name !== '' ? name : undefined;
  if (given === undefined && prefix === undefined) return [found(['name'], 'must be the name of the object', name, 'give the object a name, in quotes if it is a number')];
  return [
    ...(given !== undefined && !isSubdomain(given) ? [found(['name'], 'must be a DNS name', given, NAME_REMEDY)] : []),
    ...(prefix !== undefined && !(isSubdomain(withoutDash(prefix)) && (given !== undefined || isSubdomain(generatedName(prefix)))) ? [found(['generateName'], 'must be the beginning of a DNS name', prefix, NAME_REMEDY)] : []),
  ];
}

/** The API server looks at `a-` as if it were a name, and takes the letter before the dash off with it. */
function withoutDash(prefix: string): string {
  return prefix.length > 1 && prefix.endsWith('-') ? `${prefix.slice(0, -2)}a` : prefix;
}

/** What is added are five letters and digits, and the whole has at most the length of a label. */
function generatedName(prefix: string): string {
  return `${prefix.slice(0, LONGEST_GENERATED_NAME - 5)}00000`;
}

function checkNamespace(namespace: unknown): Violation[] {
  if (typeof namespace !== 'string' || namespace === '' || (namespace.length <= 63 && SUBDOMAIN_PART.test(namespace))) return [];
  return [found(['namespace'], 'must be a DNS label', namespace, 'write at most 63 lower-case letters, digits and "-"')];
}

function checkLabels(labels: Readonly<Record<string, unknown>>): Violation[] {
  return Object.entries(labels).flatMap(([key, value]) => [
    ...(isQualifiedName(key) ? [] : [found(['labels', key], 'must be a label key', key, LABEL_KEY_REMEDY)]),
    ...(isLabelValue(String(value ?? '')) ? [] :
      [found(['labels', key], 'must be a label value', value, LABEL_VALUE_REMEDY)]),
  ]);
}

function checkAnnotations(annotations: Readonly<Record<string, unknown>>): Violation[] {
  const entries = Object.entries(annotations);
  const size = entries.reduce((sum, [key, value]) => sum + Buffer.byteLength(key) + Buffer.byteLength(String(value ?? '')), 0);
  return [
    ...entries.filter(([key]) => !isQualifiedName(key.toLowerCase()))
      .map(([key]) => found(['annotations', key], 'must be an annotation key', key, LABEL_KEY_REMEDY)),
    ...(size > LARGEST_ANNOTATIONS ? [found(['annotations'], `must be at most ${LARGEST_ANNOTATIONS} bytes together`, size, 'remove some')] : []),
  ];
}

function checkOwners(raw: unknown): Violation[] {
  const owners = (Array.isArray(raw) ? raw : []).map((owner) => asRecord(owner) ?? {});
  const controllers = owners.filter(({ controller }) => controller === true);
  return [
    ...owners.flatMap((owner, i) => ['apiVersion', 'kind', 'name', 'uid'].filter((field) => (owner[field] ?? '') === '')
      .map((field) => found(['ownerReferences', i, field], 'must be set', owner[field], 'write it as the owner has it'))),
    ...(controllers.length > 1 ? [found(['ownerReferences'], 'must have at most one controller', controllers.length, 'set controller on one of them only')] : []),
  ];
}

function checkFinalizers(raw: unknown): Violation[] {
  return (Array.isArray(raw) ? raw : []).flatMap((finalizer, i) => isQualifiedName(String(finalizer ?? '')) ? [] :
    [found(['finalizers', i], 'must be a qualified name', finalizer, 'write <dns domain>/<name>')]);
}

export function isSubdomain(text: string): boolean {
  return text.length <= LONGEST_NAME && text.split('.').every((part) => SUBDOMAIN_PART.test(part));
}

function found(path: FieldPath, problem: string, got: unknown, remedy: string): Violation {
  const at = [...AT, ...path];
  return refusal('metadata', at, problem, got, remedy, `${schemaPath(at)}: Invalid value: ${JSON.stringify(got) ?? 'null'}`);
}
