import { isMap } from './json-path';
import type { Schema } from '../../../src/contract';

/** A replacement value for a field, with the schema keyword that it tests; undefined removes the field. */
export interface Variant {
  readonly name: string;
  readonly value: unknown;
}

const OF_EVERY_TYPE: ReadonlyArray<readonly [string, unknown]> = [
  ['object', { unknown: 'field' }],
  ['array', ['item']],
  ['string', 'text'],
  ['integer', 7],
  ['number', 1.5],
  ['boolean', true],
];
/** Texts for patterns: most patterns match some of them and reject others. */
const TEXTS = [
  '',
  ' ',
  '0',
  '1',
  '-1',
  '+1',
  '007',
  '1.5',
  '1h',
  '90s',
  '1d',
  '10%',
  '110%',
  '1Gi',
  '1G',
  '10GiB',
  '1e3',
  'abc',
  'ABC',
  'Never',
  'never',
  'a.b',
  'a_b',
  '-a',
  'a-',
  'a/b',
  'a/b/c',
  '/a',
  'a b',
  'ä',
  '@daily',
  '0 0 * * *',
  '0 0 * *',
  '2026-01-02',
  '2026-01-02T03:04:05Z',
  '2026-02-30T03:04:05Z',
  '2026-01-02T03:04:05+01:00',
];
const LARGEST_INT32 = 2 ** 31 - 1;

/** Variants of a valid value: values at the edge of its schema, valid and invalid. */
export function variants(value: unknown, schema: Schema): Variant[] {
  return [
    ...types(value, schema),
    ...(schema.enum ?? []).map((word) => ({ name: `enum ${String(word)}`, value: word })),
    ...(schema.enum
      ? [
          { name: 'enum other', value: 'Other' },
          { name: 'enum case', value: otherCase(String(schema.enum[0])) },
        ]
      : []),
    ...numbers(schema),
    ...texts(value, schema),
    ...(Array.isArray(value) ? lists(value, schema) : []),
    ...(isMap(value) ? maps(value, schema) : []),
  ];
}

function types(value: unknown, schema: Schema): Variant[] {
  const own = schema['x-kubernetes-int-or-string']
    ? []
    : [schema.type, ...(schema.type === 'number' ? ['integer'] : [])];
  const others = OF_EVERY_TYPE.filter(([type]) => !own.includes(type as Schema['type']));
  return [
    ...others.map(([type, other]) => ({ name: `type ${type}`, value: other })),
    { name: 'null', value: null },
    ...(typeof value === 'number' ? [{ name: 'type text of it', value: String(value) }] : []),
    ...(typeof value === 'string' && /^\d+$/.test(value) ? [{ name: 'type number of it', value: Number(value) }] : []),
  ];
}

function otherCase(word: string): string {
  return word === word.toLowerCase() ? word.toUpperCase() : word.toLowerCase();
}

function numbers({ type, format, minimum, maximum }: Schema): Variant[] {
  if (type !== 'integer' && type !== 'number') return [];
  return [
    ...(minimum === undefined
      ? []
      : [
          { name: 'minimum', value: minimum },
          { name: 'below minimum', value: minimum - 1 },
        ]),
    ...(maximum === undefined
      ? []
      : [
          { name: 'maximum', value: maximum },
          { name: 'above maximum', value: maximum + 1 },
        ]),
    { name: 'zero', value: 0 },
    { name: 'negative', value: -1 },
    ...(format === 'int32' ? [{ name: 'above int32', value: LARGEST_INT32 + 1 }] : []),
  ];
}

function texts(value: unknown, schema: Schema): Variant[] {
  const { pattern, format, minLength, maxLength } = schema;
  const isText = typeof value === 'string';
  return [
    ...((isText && (pattern ?? format) !== undefined) || schema['x-kubernetes-int-or-string']
      ? TEXTS.map((text) => ({ name: `text ${JSON.stringify(text)}`, value: text }))
      : []),
    ...(isText && minLength !== undefined ? [{ name: 'below minLength', value: 'a'.repeat(minLength - 1) }] : []),
    ...(isText && maxLength !== undefined
      ? [
          { name: 'maxLength', value: 'a'.repeat(maxLength) },
          { name: 'above maxLength', value: 'a'.repeat(maxLength + 1) },
        ]
      : []),
  ];
}

function lists(
  value: readonly unknown[],
  { maxItems, minItems, 'x-kubernetes-list-type': listType }: Schema,
): Variant[] {
  const filled = (length: number) => Array.from({ length }, (_, i) => value[i % value.length]);
  const filler = value.length > 0;
  return [
    { name: minItems === undefined ? 'empty' : 'below minItems', value: [] },
    { name: 'with null', value: [...value, null] },
    ...(filler ? [{ name: listType === 'set' ? 'repeated in a set' : 'repeated', value: [...value, value[0]] }] : []),
    ...(filler && maxItems !== undefined
      ? [
          { name: 'maxItems', value: filled(maxItems) },
          { name: 'above maxItems', value: filled(maxItems + 1) },
        ]
      : []),
  ];
}

function maps(value: Readonly<Record<string, unknown>>, schema: Schema): Variant[] {
  const { required = [], maxProperties } = schema;
  const keys = Object.keys(value);
  const without = (key: string) =>
    Object.fromEntries(keys.filter((other) => other !== key).map((other) => [other, value[other]]));
  const filler = value[keys[0]];
  const filled = (count: number) => ({
    ...value,
    ...Object.fromEntries(Array.from({ length: count - keys.length }, (_, i) => [`key-${i}`, filler])),
  });
  return [
    ...keys.map((key) => ({
      name: `${required.includes(key) ? 'without required' : 'without'} ${key}`,
      value: without(key),
    })),
    ...(keys.length > 0 ? [{ name: 'empty map', value: {} }] : []),
    ...(schema.additionalProperties === undefined
      ? [{ name: 'unknown field', value: { ...value, unknownField: 'a' } }]
      : []),
    ...(schema.additionalProperties !== undefined && keys.length > 0
      ? [{ name: 'other key', value: { ...value, 'other-key': filler } }]
      : []),
    ...(maxProperties !== undefined && keys.length > 0
      ? [
          { name: 'maxProperties', value: filled(maxProperties) },
          { name: 'above maxProperties', value: filled(maxProperties + 1) },
        ]
      : []),
  ];
}
