import { KindSchema, Schema } from './schema';
import { asRecord } from '../value-rule';

/** Keywords whose values are schemas themselves. */
const LISTS = ['allOf', 'anyOf', 'oneOf'];
const SINGLE = ['items', 'not', 'additionalProperties'];
/** Of no weight for a verdict. */
const PROSE = ['description', 'title', 'example', 'externalDocs'];

/** The kinds that a CustomResourceDefinition serves; none if the object is something else. */
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
    return [{
      apiVersion: `${group}/${version.name}`,
      kind,
      scope: spec.scope === 'Namespaced' ? 'Namespaced' : 'Cluster',
      statusSubresource: subresources?.status !== undefined,
      ...(typeof replicas === 'string' ? { specReplicasPath: replicas } : {}),
      schema: withoutProse(schema),
    }];
  });
}

/** The schema without descriptions; a property may well have the name of a keyword. */
function withoutProse(raw: unknown): Schema {
  const schema = asRecord(raw) ?? {};
  return Object.fromEntries(Object.entries(schema).filter(([keyword]) => !PROSE.includes(keyword)).map(([keyword, value]) => {
    if (keyword === 'properties') return [keyword, Object.fromEntries(Object.entries(asRecord(value) ?? {}).map(([name, child]) => [name, withoutProse(child)]))];
    if (LISTS.includes(keyword) && Array.isArray(value)) return [keyword, value.map(withoutProse)];
    return [keyword, SINGLE.includes(keyword) && typeof value === 'object' ? withoutProse(value) : value];
  }));
}
