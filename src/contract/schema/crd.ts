import { KindSchema, Schema } from './schema';
import { compileCached } from '../cel';
import { asRecord } from '../field-problem';
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
