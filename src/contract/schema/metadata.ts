/**
 * Validates the `metadata` of an object of any kind.
 *
 * Source: ObjectMeta of k8s.io/apimachinery v0.37.0 (pkg/apis/meta/v1/types.go), and ValidateObjectMeta of its
 * pkg/api/validation.
 */
import { asRecord, FieldPath } from '../field-problem';
import { isLabelValue, isQualifiedName, LABEL_KEY_REMEDY, LABEL_VALUE_REMEDY } from '../label-syntax';
import { pruneAndDefault, UnknownField } from './prune-and-default';
import { KindSchema, Schema } from './schema';
import { validate } from './validate';
import { createViolation, schemaPath, Violation } from './violation';
import { valueText } from '../../model';

const TEXT: Schema = { type: 'string', nullable: true };
const COUNT: Schema = { type: 'integer', format: 'int64', nullable: true };
const FLAG: Schema = { type: 'boolean', nullable: true };
const TIME: Schema = { type: 'string', format: 'date-time', nullable: true };
const TEXTS: Schema = { type: 'object', nullable: true, additionalProperties: TEXT };
const FREE: Schema = { type: 'object', nullable: true, 'x-kubernetes-preserve-unknown-fields': true };

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
      properties: {
        manager: TEXT,
        operation: TEXT,
        apiVersion: TEXT,
        time: TIME,
        fieldsType: TEXT,
        fieldsV1: FREE,
        subresource: TEXT,
      },
    }),
  },
};

const METADATA_PATH: FieldPath = ['metadata'];
const MAX_NAME = 253;
const MAX_GENERATED_NAME = 63;
const MAX_ANNOTATION_BYTES = 256 * 1024;
const SUBDOMAIN_PART = /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?$/;
export const NAME_REMEDY =
  'write lower-case letters, digits, "-" and ".", with a letter or digit at both ends, at most 253 characters';

export interface MetadataValidation {
  readonly violations: readonly Violation[];
  readonly unknown: readonly UnknownField[];
}

export function validateMetadata(raw: unknown, scope: KindSchema['scope']): MetadataValidation {
  if (raw !== undefined && raw !== null && !asRecord(raw)) {
    return { violations: validate(METADATA_PATH, raw, METADATA), unknown: [] };
  }
  const { value, unknown } = pruneAndDefault(asRecord(raw) ?? {}, METADATA, METADATA_PATH);
  const typeErrors = validate(METADATA_PATH, value, METADATA);
  return { violations: typeErrors.length > 0 ? typeErrors : checkValues(asRecord(value)!, scope), unknown };
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
  const explicitName = typeof name === 'string' && name !== '' ? name : undefined;
  if (explicitName === undefined && prefix === undefined)
    return [
      metadataViolation(
        ['name'],
        'must be the name of the object',
        name,
        'give the object a name, in quotes if it is a number',
      ),
    ];
  return [
    ...(explicitName !== undefined && !isSubdomain(explicitName)
      ? [metadataViolation(['name'], 'must be a DNS name', explicitName, NAME_REMEDY)]
      : []),
    ...(prefix !== undefined &&
    !(isSubdomain(withoutDash(prefix)) && (explicitName !== undefined || isSubdomain(generatedName(prefix))))
      ? [metadataViolation(['generateName'], 'must be the beginning of a DNS name', prefix, NAME_REMEDY)]
      : []),
  ];
}

/** The API server checks `ab-` as a name: it replaces the dash and the character before it with `a`. */
function withoutDash(prefix: string): string {
  return prefix.length > 1 && prefix.endsWith('-') ? `${prefix.slice(0, -2)}a` : prefix;
}

/** The API server appends five letters and digits, and cuts the prefix so that the name has at most 63 characters. */
function generatedName(prefix: string): string {
  return `${prefix.slice(0, MAX_GENERATED_NAME - 5)}00000`;
}

function checkNamespace(namespace: unknown): Violation[] {
  if (typeof namespace !== 'string' || namespace === '' || (namespace.length <= 63 && SUBDOMAIN_PART.test(namespace)))
    return [];
  return [
    metadataViolation(
      ['namespace'],
      'must be a DNS label',
      namespace,
      'write at most 63 lower-case letters, digits and "-"',
    ),
  ];
}

function checkLabels(labels: Readonly<Record<string, unknown>>): Violation[] {
  return Object.entries(labels).flatMap(([key, value]) => [
    ...(isQualifiedName(key) ? [] : [metadataViolation(['labels', key], 'must be a label key', key, LABEL_KEY_REMEDY)]),
    ...(isLabelValue(valueText(value ?? ''))
      ? []
      : [metadataViolation(['labels', key], 'must be a label value', value, LABEL_VALUE_REMEDY)]),
  ]);
}

function checkAnnotations(annotations: Readonly<Record<string, unknown>>): Violation[] {
  const entries = Object.entries(annotations);
  const size = entries.reduce(
    (sum, [key, value]) => sum + Buffer.byteLength(key) + Buffer.byteLength(valueText(value ?? '')),
    0,
  );
  return [
    ...entries
      .filter(([key]) => !isQualifiedName(key.toLowerCase()))
      .map(([key]) => metadataViolation(['annotations', key], 'must be an annotation key', key, LABEL_KEY_REMEDY)),
    ...(size > MAX_ANNOTATION_BYTES
      ? [
          metadataViolation(
            ['annotations'],
            `must have at most ${MAX_ANNOTATION_BYTES} bytes in all`,
            size,
            'remove annotations',
          ),
        ]
      : []),
  ];
}

function checkOwners(raw: unknown): Violation[] {
  const owners = (Array.isArray(raw) ? raw : []).map((owner) => asRecord(owner) ?? {});
  const controllers = owners.filter(({ controller }) => controller === true);
  return [
    ...owners.flatMap((owner, i) =>
      ['apiVersion', 'kind', 'name', 'uid']
        .filter((field) => (owner[field] ?? '') === '')
        .map((field) =>
          metadataViolation(
            ['ownerReferences', i, field],
            'must be set',
            owner[field],
            'copy the value from the owner',
          ),
        ),
    ),
    ...(controllers.length > 1
      ? [
          metadataViolation(
            ['ownerReferences'],
            'must have at most one controller',
            controllers.length,
            'set controller on one of them only',
          ),
        ]
      : []),
  ];
}

function checkFinalizers(raw: unknown): Violation[] {
  return (Array.isArray(raw) ? raw : []).flatMap((finalizer, i) =>
    isQualifiedName(valueText(finalizer ?? ''))
      ? []
      : [metadataViolation(['finalizers', i], 'must be a qualified name', finalizer, 'write <dns domain>/<name>')],
  );
}

export function isSubdomain(text: string): boolean {
  return text.length <= MAX_NAME && text.split('.').every((part) => SUBDOMAIN_PART.test(part));
}

function metadataViolation(path: FieldPath, problem: string, got: unknown, remedy: string): Violation {
  const fullPath = [...METADATA_PATH, ...path];
  return createViolation(
    'metadata',
    fullPath,
    problem,
    got,
    remedy,
    `${schemaPath(fullPath)}: Invalid value: ${JSON.stringify(got) ?? 'null'}`,
  );
}
