import { KindSchema, Schema, childSchema } from './schema';
import { readDataFile } from '../../model';
import { compileCached } from '../cel';
import { asRecord, FieldPath } from '../field-problem';
import { compareKarpenterVersions, parseKarpenterVersion } from '../karpenter-version';
import { compilePattern } from '../regexp';

/** Keywords whose values are schemas themselves. */
const SCHEMA_LISTS = ['allOf', 'anyOf', 'oneOf'];
const SINGLE_SCHEMAS = ['items', 'not', 'additionalProperties'];

/** Keywords that do not affect validation. */
const DOCUMENTATION = ['description', 'title', 'example', 'externalDocs'];

/** The kinds that a CustomResourceDefinition serves. Empty for any other object. */
export function crdKinds(object: unknown): KindSchema[] {
  const crd = asRecord(object);
  const spec = asRecord(crd?.spec);
  const kind = asRecord(spec?.names)?.kind;
  const group = spec?.group;
  const isComplete = typeof kind === 'string' && typeof group === 'string' && Array.isArray(spec?.versions);
  if (crd?.kind !== 'CustomResourceDefinition' || !isComplete) return [];
  return (spec.versions as unknown[]).map(asRecord).flatMap((version) => {
    const schema = asRecord(asRecord(version?.schema)?.openAPIV3Schema);
    if (!version || !schema || version.served !== true || typeof version.name !== 'string') return [];
    const subresources = asRecord(version.subresources);
    const replicas = asRecord(subresources?.scale)?.specReplicasPath;
    return [
      {
        apiVersion: `${group}/${version.name}`,
        kind,
        scope: spec.scope === 'Namespaced' ? 'Namespaced' : 'Cluster',
        statusSubresource: subresources?.status !== undefined,
        ...(typeof replicas === 'string' ? { specReplicasPath: replicas } : {}),
        schema: withoutDocumentation(schema),
      },
    ];
  });
}

/** The schema without descriptions. Names of properties are kept even if they equal a keyword. */
function withoutDocumentation(raw: unknown): Schema {
  const schema = asRecord(raw) ?? {};
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([keyword]) => !DOCUMENTATION.includes(keyword))
      .map(([keyword, value]) => {
        if (keyword === 'properties')
          return [
            keyword,
            Object.fromEntries(
              Object.entries(asRecord(value) ?? {}).map(([name, child]) => [name, withoutDocumentation(child)]),
            ),
          ];
        if (SCHEMA_LISTS.includes(keyword) && Array.isArray(value)) return [keyword, value.map(withoutDocumentation)];
        return [
          keyword,
          SINGLE_SCHEMAS.includes(keyword) && typeof value === 'object' ? withoutDocumentation(value) : value,
        ];
      }),
  );
}

/** The first CEL rule or pattern in a schema that cannot be compiled. */
export function findInvalidRule(schema: Schema): string | undefined {
  const rule = schema['x-kubernetes-validations']
    ?.map(({ rule: text }) => text)
    .find((text) => !isCompilable(() => compileCached(text)));
  if (rule !== undefined) return rule;
  const { pattern } = schema;
  if (pattern !== undefined && !isCompilable(() => compilePattern(pattern))) return pattern;
  for (const child of childrenOf(schema)) {
    const invalidRule = findInvalidRule(child);
    if (invalidRule !== undefined) return invalidRule;
  }
  return undefined;
}

function childrenOf({
  properties = {},
  items,
  additionalProperties,
  allOf = [],
  anyOf = [],
  oneOf = [],
  not,
}: Schema): Schema[] {
  const single = [items, additionalProperties, not].filter((child): child is Schema => typeof child === 'object');
  return [...Object.values(properties), ...single, ...allOf, ...anyOf, ...oneOf];
}

function isCompilable(compile: () => unknown): boolean {
  try {
    compile();
    return true;
  } catch {
    return false;
  }
}

const kindsByRelease = new Map<string, readonly KindSchema[]>();

/** The kinds that a version of Karpenter for AWS serves. */
export function kindsOf(version: string): readonly KindSchema[] {
  const release = releaseFor(version);
  const cached = kindsByRelease.get(release);
  if (cached) return cached;
  const file = readDataFile<ReleaseFile | OlderReleaseFile>(`karpenter-api/${release}.json`);
  const kinds = 'kinds' in file ? file.kinds : applyChanges(kindsOf(file.newest), file.changes);
  kindsByRelease.set(release, kinds);
  return kinds;
}

export function findKind(kinds: readonly KindSchema[], apiVersion: unknown, kind: unknown): KindSchema | undefined {
  return kinds.find((candidate) => candidate.apiVersion === apiVersion && candidate.kind === kind);
}

/** The oldest known release whose CRD has the field. Undefined if no known release has it. */
export function releaseWithField({ apiVersion, kind }: KindSchema, path: FieldPath): string | undefined {
  return KARPENTER_RELEASES.find((release) => {
    const kindSchema = findKind(kindsOf(release), apiVersion, kind);
    return kindSchema !== undefined && schemaAt(kindSchema.schema, path) !== undefined;
  });
}

export function schemaAt(schema: Schema, path: FieldPath): Schema | undefined {
  return path.reduce<Schema | undefined>(
    (parent, step) => (typeof step === 'number' ? parent?.items : childSchema(parent, step)),
    schema,
  );
}

/**
 * The releases of Karpenter for AWS whose CRDs this package has, oldest first.
 *
 * Sources: pkg/apis/crds in the Go module github.com/aws/karpenter-provider-aws at `v<release>`. No module is
 * published for the other minor versions.
 */
export const KARPENTER_RELEASES: readonly string[] = [
  '1.0.8',
  '1.3.3',
  '1.8.6',
  '1.9.3',
  '1.10.0',
  '1.13.0',
  '1.14.0',
  '1.15.1',
];

/**
 * The release whose CRDs are used for a version: the release of the same minor version, or else the next newer release.
 * The v1 API only grows, so a newer CRD accepts everything that an older CRD accepts.
 */
export function releaseFor(version: string): string {
  const newest = KARPENTER_RELEASES[KARPENTER_RELEASES.length - 1];
  const wanted = parseKarpenterVersion(version);
  if (!wanted) return newest;
  const firstPatch = `${wanted[0]}.${wanted[1]}.0`;
  return KARPENTER_RELEASES.find((release) => compareKarpenterVersions(release, firstPatch) >= 0) ?? newest;
}

/** The format of `data/karpenter-api/<release>.json` for the newest release. */
export interface ReleaseFile {
  readonly release: string;
  readonly kinds: readonly KindSchema[];
}

/** The format for an older release: the differences from the newest release. */
export interface OlderReleaseFile {
  readonly release: string;
  readonly newest: string;
  /**
   * The path of each changed value, starting with `<apiVersion> <kind>`. Without `value`, the older release lacks the
   * newest release's value.
   */
  readonly changes: ReadonlyArray<{ readonly at: readonly string[]; readonly value?: unknown }>;
}

type Tree = { [key: string]: unknown };

/** Kinds by `<apiVersion> <kind>`. */
export function kindsByName(kinds: readonly KindSchema[]): Record<string, KindSchema> {
  return Object.fromEntries(kinds.map((kind) => [`${kind.apiVersion} ${kind.kind}`, kind]));
}

/** The kinds of an older release. */
function applyChanges(newest: readonly KindSchema[], changes: OlderReleaseFile['changes']): KindSchema[] {
  const root = structuredClone(kindsByName(newest)) as unknown as Tree;
  for (const { at, value } of changes) {
    const parent = at.slice(0, -1).reduce((tree, key) => tree[key] as Tree, root);
    const key = at[at.length - 1];
    if (value === undefined) delete parent[key];
    else parent[key] = value;
  }
  return Object.values(root) as unknown as KindSchema[];
}
