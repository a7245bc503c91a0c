import { isMap, Path } from './json-path';
import type { KindSchema, Schema } from '../../../src/contract';

/** A nested schema of a kind, and the path of its values: `spec.taints[].key`, with `{}` for any key of a map. */
export interface Place {
  readonly field: string;
  readonly schema: Schema;
}

/** A value of an object with its schema. */
export interface Node extends Place {
  readonly path: Path;
  readonly value: unknown;
}

/** Fields of every object, and those written through a subresource, which are not validated on creation. */
const NOT_OF_THE_KIND = ['apiVersion', 'kind', 'metadata', 'status'];

/** Every field of a kind below `spec`. */
export function places({ schema }: KindSchema): Place[] {
  return Object.entries(schema.properties ?? {})
    .filter(([name]) => !NOT_OF_THE_KIND.includes(name))
    .flatMap(([name, child]) => placesIn({ field: name, schema: child }));
}

function placesIn(place: Place): Place[] {
  const {
    field,
    schema: { properties = {}, items, additionalProperties },
  } = place;
  return [
    place,
    ...Object.entries(properties).flatMap(([name, schema]) => placesIn({ field: `${field}.${name}`, schema })),
    ...(items ? placesIn({ field: `${field}[]`, schema: items }) : []),
    ...(isMap(additionalProperties) && hasContent(additionalProperties)
      ? placesIn({ field: `${field}{}`, schema: additionalProperties })
      : []),
  ];
}

/** The schema does not describe the values of an open map. */
function hasContent(schema: Schema): boolean {
  return schema.type !== undefined || schema['x-kubernetes-int-or-string'] === true;
}

/** Every value of an object below `spec` that has a schema. */
export function nodes(object: Readonly<Record<string, unknown>>, { schema }: KindSchema): Node[] {
  return Object.entries(schema.properties ?? {})
    .filter(([name]) => !NOT_OF_THE_KIND.includes(name) && Object.hasOwn(object, name))
    .flatMap(([name, child]) => nodesIn({ field: name, path: [name], value: object[name], schema: child }));
}

function nodesIn(node: Node): Node[] {
  const {
    field,
    path,
    value,
    schema: { properties = {}, items, additionalProperties },
  } = node;
  if (Array.isArray(value)) {
    return [
      node,
      ...(items
        ? value.flatMap((item, i) => nodesIn({ field: `${field}[]`, path: [...path, i], value: item, schema: items }))
        : []),
    ];
  }
  if (!isMap(value)) return [node];
  return [
    node,
    ...Object.entries(value).flatMap(([key, child]) => {
      const known = Object.hasOwn(properties, key);
      const schema = known ? properties[key] : additionalProperties;
      return isMap(schema) && (known || hasContent(schema))
        ? nodesIn({ field: known ? `${field}.${key}` : `${field}{}`, path: [...path, key], value: child, schema })
        : [];
    }),
  ];
}

/** The object without the fields that a kind does not have. */
export function trimmed(value: unknown, schema: Schema): unknown {
  if (Array.isArray(value)) return schema.items ? value.map((item) => trimmed(item, schema.items!)) : value;
  if (!isMap(value) || schema['x-kubernetes-preserve-unknown-fields']) return value;
  const { properties = {}, additionalProperties } = schema;
  if (schema.properties === undefined && additionalProperties === undefined) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, child]) => {
      const childSchema = Object.hasOwn(properties, key) ? properties[key] : additionalProperties;
      if (childSchema === undefined || childSchema === false) return [];
      return [[key, isMap(childSchema) ? trimmed(child, childSchema) : child]];
    }),
  );
}
