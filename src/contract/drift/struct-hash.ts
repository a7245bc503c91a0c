/* eslint-disable no-bitwise -- hashing works on bits */
/**
 * The hash of Go structs that Karpenter compares specs by: mitchellh/hashstructure, format 2, with the options
 * SlicesAsSets, IgnoreZeroValue and ZeroNil.
 *
 * @see https://github.com/mitchellh/hashstructure/blob/v2.0.2/hashstructure.go
 */
import { parseGoDuration, Quantity, valueText } from '../../model';
import { asRecord } from '../field-problem';

/** The Go type of a field. */
export type GoType =
  | { readonly kind: 'string' | 'bool' | 'int32' | 'int64' | 'quantity' | 'nanoseconds' | 'time' | 'stringMap' }
  | { readonly kind: 'list'; readonly of: GoType }
  | GoStruct;

export interface GoStruct {
  readonly kind: 'struct';
  readonly name: string;
  /** In source order, because the hash depends on the order. */
  readonly fields: readonly GoField[];
}

export interface GoField {
  /** The name in Go. */
  readonly name: string;
  /** The name in manifests. @default - Go's name with a lower-case first letter */
  readonly key?: string;
  readonly type: GoType;
  /** Whether the field is a pointer. A zero value, such as an empty string, then differs from nil. @default false */
  readonly pointer?: boolean;
  /** Whether the hash ignores the field. @default false */
  readonly ignored?: boolean;
  /** Whether manifests write this field's value instead of the struct. @default false */
  readonly inline?: boolean;
}

const MASK = (1n << 64n) - 1n;
const OFFSET = 0xcbf29ce484222325n;
const PRIME = 0x100000001b3n;
const NANOS_PER_MILLISECOND = 1e6;
/** Go counts seconds from the year 1. */
const SECONDS_BEFORE_1970 = 62_135_596_800n;

/** @param value as the API server stores it, with defaults and without nulls */
export function structHash(value: unknown, type: GoType): bigint {
  switch (type.kind) {
    case 'string':
      return stringHash(valueText(value));
    case 'quantity':
      return stringHash(Quantity.tryParse(value)?.toString() ?? valueText(value));
    case 'bool':
      return bytesHash(integerBytes(value === true ? 1n : 0n, 1));
    case 'int32':
      return bytesHash(integerBytes(BigInt(Number(value)), 4));
    case 'int64':
      return bytesHash(integerBytes(BigInt(Number(value)), 8));
    case 'nanoseconds':
      return bytesHash(integerBytes(nanosecondsOf(value), 8));
    case 'time':
      return bytesHash(timeBytes(valueText(value)));
    case 'stringMap':
      return finishUnordered(
        hashUnordered(
          Object.entries(asRecord(value) ?? {}).map(([key, text]) =>
            hashOrdered(stringHash(key), stringHash(valueText(text))),
          ),
        ),
      );
    case 'list':
      return hashUnordered((Array.isArray(value) ? value : []).map((item) => structHash(item, type.of)));
    case 'struct':
      return fieldsHash(value, type);
  }
}

/** Combines hashes independently of their order. Two equal hashes cancel each other out. */
export function hashUnordered(hashes: readonly bigint[]): bigint {
  return hashes.reduce((sum, hash) => sum ^ hash, 0n);
}

export function stringHash(text: string): bigint {
  return bytesHash(Buffer.from(text, 'utf8'));
}

export function manifestKeyOf({ name, key = name[0].toLowerCase() + name.slice(1) }: GoField): string {
  return key;
}

function fieldsHash(struct: unknown, { name, fields }: GoStruct): bigint {
  let hash = stringHash(name);
  for (const field of fields) {
    const value = valueOf(struct, field);
    if (field.ignored || isZero(value, field)) continue;
    hash = finishUnordered(hash ^ hashOrdered(stringHash(field.name), structHash(value, field.type)));
  }
  return hash;
}

function valueOf(struct: unknown, field: GoField): unknown {
  return field.inline ? struct : asRecord(struct)?.[manifestKeyOf(field)];
}

/** Whether the hash ignores the field because its value is zero in Go. */
export function isZero(value: unknown, { type, pointer = false }: Pick<GoField, 'type' | 'pointer'>): boolean {
  if (value === undefined || value === null || (type.kind === 'nanoseconds' && value === 'Never')) return true;
  if (pointer) return false;
  switch (type.kind) {
    case 'string':
      return value === '';
    case 'bool':
      return value === false;
    case 'int32':
    case 'int64':
      return value === 0;
    case 'nanoseconds':
      return nanosecondsOf(value) === 0n;
    case 'struct':
      return type.fields.every((field) => isZero(valueOf(value, field), field));
    // An empty list or map is not zero, only an absent one is.
    default:
      return false;
  }
}

/**
 * Go's binary encoding of a time in UTC, the zone of Karpenter's pods: version, seconds since the year 1, nanoseconds,
 * offset.
 */
function timeBytes(text: string): Buffer {
  const seconds = Math.floor(Date.parse(text) / 1000);
  const nanoseconds = (/\.(\d{1,9})/.exec(text)?.[1] ?? '').padEnd(9, '0');
  const bytes = Buffer.alloc(15);
  bytes.writeUInt8(1, 0);
  bytes.writeBigInt64BE(SECONDS_BEFORE_1970 + BigInt(Number.isNaN(seconds) ? 0 : seconds), 1);
  bytes.writeInt32BE(Number(nanoseconds), 9);
  return bytes;
}

function nanosecondsOf(value: unknown): bigint {
  return BigInt(Math.round((parseGoDuration(valueText(value)) ?? 0) * NANOS_PER_MILLISECOND));
}

function hashOrdered(first: bigint, second: bigint): bigint {
  return bytesHash([...integerBytes(first, 8), ...integerBytes(second, 8)]);
}

function finishUnordered(hash: bigint): bigint {
  return bytesHash(integerBytes(hash, 8));
}

function integerBytes(value: bigint, length: number): number[] {
  const whole = BigInt.asUintN(length * 8, value);
  return Array.from({ length }, (_, index) => Number((whole >> BigInt(8 * index)) & 0xffn));
}

/** 64-bit FNV-1. */
function bytesHash(bytes: Iterable<number>): bigint {
  let hash = OFFSET;
  for (const byte of bytes) hash = ((hash * PRIME) & MASK) ^ BigInt(byte);
  return hash;
}
