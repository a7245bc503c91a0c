/**
 * Writes data/kubernetes-fields.json: the fields of the Kubernetes objects that `check` reads, with their types and the
 * values of enumerations, from the Go types of the API. A field or value that only an older release has is listed too.
 * The modules must be in Go's module cache: run `go mod download` for `k8s.io/api` and `k8s.io/apimachinery` at each of
 * the versions.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { json } from './generate-json';

const VERSIONS = ['v0.37.0', 'v0.35.0', 'v0.33.3', 'v0.31.3', 'v0.29.0'];
const META = 'meta/v1';

/** The kinds, by the package of their Go type. */
const KINDS: Readonly<Record<string, readonly string[]>> = {
  'core/v1': ['Pod', 'PersistentVolumeClaim', 'PersistentVolume', 'LimitRange', 'ResourceQuota'],
  'apps/v1': ['Deployment', 'ReplicaSet', 'StatefulSet', 'DaemonSet'],
  'batch/v1': ['Job', 'CronJob'],
  'policy/v1': ['PodDisruptionBudget'],
  'autoscaling/v2': ['HorizontalPodAutoscaler'],
  'storage/v1': ['StorageClass'],
  'scheduling/v1': ['PriorityClass'],
  'node/v1': ['RuntimeClass'],
};

/** The API groups of packages that have another name. */
const GROUPS: Readonly<Record<string, string>> = {
  'core/v1': 'v1',
  'storage/v1': 'storage.k8s.io/v1',
  'scheduling/v1': 'scheduling.k8s.io/v1',
  'node/v1': 'node.k8s.io/v1',
};

/** Letters for the Go types of scalars. */
const SCALARS: Readonly<Record<string, string>> = { string: 's', bool: 'b', int32: 'i', int64: 'i', IntOrString: 'is' };

/** The packages that the files import under these names. */
const IMPORTS: Readonly<Record<string, string>> = {
  metav1: META,
  v1: 'core/v1',
  corev1: 'core/v1',
  core: 'core/v1',
  apiv1: 'core/v1',
};

interface Field {
  readonly name: string;
  readonly type: string;
  readonly inline: boolean;
}

const cache = execFileSync('go', ['env', 'GOMODCACHE'], { encoding: 'utf8' }).trim();
const structs = new Map<string, readonly Field[]>();
/** Named scalars, such as `type PullPolicy string`. */
const aliases = new Map<string, string>();
/** The constants of the types that are marked as closed, by the name of the type. */
const closed = new Map<string, Set<string>>();
for (const version of VERSIONS) for (const folder of [META, ...Object.keys(KINDS)]) readTypes(version, folder);
const types: Record<string, Record<string, string>> = {};
const enums: Record<string, readonly string[]> = {};
const kinds = Object.fromEntries(
  Object.entries(KINDS).flatMap(([folder, names]) =>
    names.map((name) => [`${GROUPS[folder] ?? folder} ${name}`, addType(`${folder}.${name}`)]),
  ),
);
const file = join(__dirname, 'kubernetes-fields.json');
writeFileSync(file, json({ source: `k8s.io/api@${VERSIONS.join(', @')}`, kinds, enums, types }));

function readTypes(version: string, folder: string): void {
  const module = folder === META ? `apimachinery@${version}/pkg/apis/${META}` : `api@${version}/${folder}`;
  const text = readFileSync(join(cache, 'k8s.io', module, 'types.go'), 'utf8').replace(/\/\*[\s\S]*?\*\//g, '');
  for (const [, name, body] of text.matchAll(/^type (\w+) struct \{\n([\s\S]*?)^\}/gm))
    structs.set(`${folder}.${name}`, [...(structs.get(`${folder}.${name}`) ?? []), ...fieldsOf(body, name)]);
  for (const [, name, type] of text.matchAll(/^type (\w+) (string|bool|int32|int64)$/gm))
    aliases.set(`${folder}.${name}`, type);
  for (const [, name] of text.matchAll(/^\/\/ \+enum\n(?:\/\/.*\n)*type (\w+) string$/gm))
    closed.set(`${folder}.${name}`, closed.get(`${folder}.${name}`) ?? new Set());
  for (const [, name, value] of text.matchAll(/^\t\w+ +(\w+) += +"([^"]*)"/gm))
    closed.get(`${folder}.${name}`)?.add(value);
}

function fieldsOf(body: string, struct: string): Field[] {
  const declarations = body.split('\n').filter((line) => /^\t\w|^\t\*/.test(line));
  return declarations.flatMap((line) => {
    const [, field, type, tag] = /^\t(?:(\w+) +)?(\S+) +`(?:json:"([^"]*)")?/.exec(line) ?? [];
    if (type === undefined) throw new Error(`${struct}: cannot read the field in ${line}`);
    // A field without a tag has the name of the Go field.
    if (tag === undefined) return [{ name: field, type, inline: false }];
    const [name, ...options] = tag.split(',');
    if (name === '-') return [];
    return [{ name, type, inline: options.includes('inline') || (field === undefined && name === '') }];
  });
}

/** Adds the type with all types that it refers to, and returns its name. */
function addType(name: string): string {
  const [folder] = name.split('.');
  const short = `${folder.split('/')[0]}.${name.split('.')[1]}`;
  if (types[short] !== undefined) return short;
  const fields: Record<string, string> = (types[short] = {});
  const add = (struct: string): void => {
    for (const field of structs.get(struct) ?? []) {
      const inner = structOf(field.type, struct.split('.')[0]);
      if (field.inline) {
        if (inner === undefined) throw new Error(`${struct}: unknown inline type ${field.type}`);
        add(inner);
      } else if (fields[field.name] === undefined) {
        // Controllers write the status, and the API server the managed fields.
        const isOpaque = field.name === 'status' || field.name === 'managedFields';
        const scalar = () => scalarOf(field.type, struct.split('.')[0]);
        const element = isOpaque ? '' : inner === undefined ? scalar() : addType(inner);
        const container = /^(?:\[\]|map\[string\])?/.exec(field.type)![0].replace('map[string]', '{}');
        fields[field.name] = element === '' ? '' : `${container}${element}`;
      }
    }
  };
  add(name);
  return short;
}

/** The letter of a scalar, or the name of its enumeration; empty for other types. */
function scalarOf(type: string, folder: string): string {
  const [, prefix, name] = /^(?:\[\]|map\[string\])?\*?(?:(\w+)\.)?(\w+)$/.exec(type) ?? [];
  if (name === undefined) return '';
  if (prefix === 'intstr' || prefix === undefined) {
    const letter = SCALARS[name];
    if (letter !== undefined) return letter;
  }
  const home = `${prefix === undefined ? folder : IMPORTS[prefix]}.${name}`;
  const values = closed.get(home);
  const letter = SCALARS[aliases.get(home) ?? ''] ?? '';
  if (values === undefined) return letter;
  const short = `${home.split('/')[0]}.${name}`;
  enums[short] = [...values].sort();
  return short;
}

/** The struct of a type; undefined for scalars, maps and types with a serialization of their own. */
function structOf(type: string, folder: string): string | undefined {
  const [, prefix, name] = /^(?:\[\])?\*?(?:(\w+)\.)?(\w+)$/.exec(type) ?? [];
  if (name === undefined || ['Time', 'MicroTime', 'Duration', 'FieldsV1'].includes(name)) return undefined;
  const home = prefix === undefined ? folder : IMPORTS[prefix];
  return home !== undefined && structs.has(`${home}.${name}`) ? `${home}.${name}` : undefined;
}
