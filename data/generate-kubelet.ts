/**
 * Writes data/kubelet-configuration.json from the Go types of the kubelet's configuration, as a CRD schema. The modules
 * must be in Go's module cache: `go mod download k8s.io/kubelet@v0.37.0 k8s.io/component-base@v0.37.0`. The version is
 * that in go.mod of the newest Karpenter for AWS.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { json } from './generate-json';
import type { Schema } from '../src/contract/schema/schema';

const VERSION = 'v0.37.0';
const SOURCES = ['kubelet', 'component-base/logs/api/v1', 'component-base/tracing/api/v1'];
const FILES: Readonly<Record<string, string>> = {
  kubelet: `kubelet@${VERSION}/config/v1beta1/types.go`,
  'component-base/logs/api/v1': `component-base@${VERSION}/logs/api/v1/types.go`,
  'component-base/tracing/api/v1': `component-base@${VERSION}/tracing/api/v1/types.go`,
};

const DURATION: Schema = { type: 'string', format: 'go-duration' };
const QUANTITY: Schema = { 'x-kubernetes-int-or-string': true, format: 'go-quantity' };
const integer = (format: string): Schema => ({ type: 'integer', format });

/** Go's built-in types, and types of packages that this script does not read. */
const KNOWN: Readonly<Record<string, Schema>> = {
  string: { type: 'string' },
  bool: { type: 'boolean' },
  int32: integer('int32'),
  int64: integer('int64'),
  uint32: { ...integer('int64'), minimum: 0, maximum: 2 ** 32 - 1 },
  float64: { type: 'number' },
  'metav1.Duration': DURATION,
  TimeOrMetaDuration: { 'x-kubernetes-int-or-string': true, format: 'go-duration' },
  'resource.QuantityValue': QUANTITY,
  'v1.ResourceList': { type: 'object', additionalProperties: QUANTITY },
  // Karpenter forbids this field with any value.
  'v1.Taint': { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
};

interface Field {
  readonly name: string;
  readonly type: string;
  readonly inline: boolean;
}

const text = SOURCES.map(read).join('\n');
const structs = new Map(
  [...text.matchAll(/^type (\w+) struct \{\n([\s\S]*?)^\}/gm)].map(([, name, body]) => [name, fieldsOf(body)]),
);
const others = new Map([...text.matchAll(/^type (\w+) (?!struct)(\S+)$/gm)].map(([, name, type]) => [name, type]));

function read(source: string): string {
  const cache = execFileSync('go', ['env', 'GOMODCACHE'], { encoding: 'utf8' }).trim();
  return readFileSync(join(cache, 'k8s.io', FILES[source]), 'utf8');
}

function fieldsOf(body: string): Field[] {
  return [...body.matchAll(/^\t(?:(\w+) +)?(\S+) +`json:"([^",]*)[^`]*`/gm)]
    .map(([, field, type, name]) => ({ name, type, inline: field === undefined || name === '' }))
    .filter(({ name }) => name !== '-');
}

function schemaOf(type: string): Schema {
  if (type.startsWith('*')) return schemaOf(type.slice(1));
  if (type.startsWith('[]')) return { type: 'array', items: { ...schemaOf(type.slice(2)), nullable: true } };
  const map = /^map\[string\](.+)$/.exec(type);
  if (map) return { type: 'object', additionalProperties: schemaOf(map[1]) };
  if (Object.hasOwn(KNOWN, type)) return KNOWN[type];
  const name = type.replace(/^(logsapi|tracingapi)\./, '');
  const fields = structs.get(name);
  if (fields) return { type: 'object', properties: propertiesOf(fields) };
  const other = others.get(name);
  if (other === undefined) throw new Error(`no type ${type}`);
  return schemaOf(other);
}

function propertiesOf(fields: readonly Field[]): Record<string, Schema> {
  return Object.assign(
    {},
    ...fields.map(({ name, type, inline }) => {
      if (!inline) return { [name]: schemaOf(type) };
      return type === 'metav1.TypeMeta'
        ? { apiVersion: schemaOf('string'), kind: schemaOf('string') }
        : propertiesOf(structs.get(type) ?? []);
    }),
  );
}

writeFileSync(
  join(__dirname, 'kubelet-configuration.json'),
  json({ version: VERSION, schema: schemaOf('KubeletConfiguration') }),
);
