import { createHash } from 'crypto';
import { NotFollowed, KustomizeRefusal } from '../refusal';
import { Resource } from '../resources/resource';
import { isFields, newFields, textOf } from '../values';

interface GeneratorOptions {
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly disableNameSuffixHash?: boolean;
  readonly immutable?: boolean;
}

/** An entry of `configMapGenerator` or `secretGenerator`. */
export interface Generator {
  readonly name?: string;
  readonly namespace?: string;
  readonly behavior?: string;
  readonly type?: string;
  readonly literals?: readonly string[];
  readonly files?: readonly string[];
  readonly envs?: readonly string[];
  readonly env?: string;
  readonly options?: GeneratorOptions;
}

/** Reads a file of a generator. Undefined if its content is not in the input. */
export type ReadText = (path: string) => string | undefined;

/**
 * Makes a ConfigMap or a Secret.
 *
 * @throws Refusal if a source is malformed
 * @see https://github.com/kubernetes-sigs/kustomize/tree/master/api/internal/generators
 */
export function generated(
  kind: 'ConfigMap' | 'Secret',
  generator: Generator,
  common: GeneratorOptions,
  read: ReadText,
): Resource {
  const { name, namespace, behavior, options = {} } = generator;
  if (!name) throw new KustomizeRefusal('a configmap must have a name');
  const resource = new Resource(newFields({ apiVersion: 'v1', kind, metadata: newFields({ name }) }));
  if (namespace) resource.setNamespace(namespace);
  const fields = resource.fields!;
  if (kind === 'Secret') fields.type = generator.type || 'Opaque';
  const data = dataOf(generator, read);
  const values = [...data].map(([key, value]) => [key, kind === 'Secret' ? base64(value) : value] as const);
  if (kind === 'Secret' || values.length > 0) fields.data = newFields(Object.fromEntries(values));
  resource.setLabels(new Map(Object.entries({ ...common.labels, ...options.labels })));
  resource.setAnnotations(new Map(Object.entries({ ...common.annotations, ...options.annotations })));
  if (options.immutable || common.immutable) fields.immutable = true;
  resource.isGenerated = true;
  resource.needsHash = !options.disableNameSuffixHash && !common.disableNameSuffixHash;
  resource.behavior = behavior === 'merge' || behavior === 'replace' ? behavior : 'create';
  return resource;
}

function dataOf({ name, literals = [], files = [], envs = [], env }: Generator, read: ReadText): Map<string, string> {
  const data = new Map<string, string>();
  const add = (key: string, value: string) => {
    if (data.has(key)) throw new KustomizeRefusal(`configmap ${name} illegally repeats the key \`${key}\``);
    data.set(key, value);
  };
  for (const path of env ? [...envs, env] : envs) for (const pair of linesOf(read(path) ?? '')) add(...pair);
  for (const literal of literals) add(...literalPair(literal));
  for (const file of files) {
    const [key, path] = fileKey(file);
    const text = read(path);
    if (text !== undefined) add(key, text);
  }
  return data;
}

/** The key and the path of `key=path`, or of a path, whose key is the name of the file. */
export function fileKey(source: string): [key: string, path: string] {
  const parts = source.split('=');
  if (parts.length === 1) return [source.slice(source.lastIndexOf('/') + 1), source];
  if (parts.length > 2) throw new KustomizeRefusal(`source "${source}" key name or file path contains '='`);
  const [key, path] = parts;
  if (key === '') throw new KustomizeRefusal(`missing key name for file path "${path}" in source "${source}"`);
  if (path === '') throw new KustomizeRefusal(`missing file path for key name "${key}" in source "${source}"`);
  return [key, path];
}

function literalPair(literal: string): [key: string, value: string] {
  const equals = literal.indexOf('=');
  if (equals < 1) throw new KustomizeRefusal(`invalid literal source ${literal}, expected key=value`);
  const value = literal.slice(equals + 1);
  const isQuoted = value.length > 1 && value[0] === value[value.length - 1] && /^["']/.test(value);
  return [literal.slice(0, equals), isQuoted ? value.slice(1, -1) : value];
}

function linesOf(text: string): Array<[key: string, value: string]> {
  return text
    .split(/\r?\n/)
    .map((line) => line.trimStart())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const equals = line.indexOf('=');
      return equals < 0 ? [line, ''] : [line.slice(0, equals), line.slice(equals + 1)];
    });
}

const BASE64_LINE = 70;

/** Base64 in lines, if it needs more than one. */
function base64(text: string): string {
  const encoded = Buffer.from(text, 'utf8').toString('base64');
  if (encoded.length < BASE64_LINE) return encoded;
  return encoded.replace(/.{1,70}/g, '$&\n');
}

/** Adds the hash of their content to the names of generated objects. */
export function addHashes(resources: readonly Resource[]): void {
  for (const resource of resources.filter(({ needsHash }) => needsHash)) {
    if (!['ConfigMap', 'Secret'].includes(resource.kind)) throw new NotFollowed('a generated object of another kind');
    resource.keepId();
    resource.setName(`${resource.name}-${contentHash(resource)}`);
  }
}

/** @see https://github.com/kubernetes-sigs/kustomize/blob/master/api/hasher/hasher.go */
function contentHash({ kind, fields = {} }: Resource): string {
  const hashed: Record<string, unknown> = { kind, name: '', data: hashedValue(fields.data) };
  if (kind === 'Secret') hashed.type = hashedValue(fields.type);
  const more = kind === 'Secret' ? 'stringData' : 'binaryData';
  if (isFields(fields[more])) hashed[more] = fields[more];
  const hex = createHash('sha256').update(goJson(hashed)).digest('hex').slice(0, 10);
  return hex.replace(/[013ae]/g, (digit) => 'ghkmt'['013ae'.indexOf(digit)]);
}

function hashedValue(value: unknown): unknown {
  return isFields(value) ? value : textOf(value);
}

/** JSON as Go writes it: with sorted keys, and some characters escaped. */
function goJson(value: unknown): string {
  if (isFields(value)) {
    const entries = Object.keys(value)
      .sort()
      .map((key) => `${goJson(key)}:${goJson(value[key])}`);
    return `{${entries.join(',')}}`;
  }
  return JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
