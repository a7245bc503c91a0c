/* eslint-disable no-bitwise -- a hash is bits */
/**
 * The hash by which Karpenter knows two specs apart: of Go structs, as mitchellh/hashstructure makes it in its second
 * format with the options SlicesAsSets, IgnoreZeroValue and ZeroNil.
 *
 * @see https://github.com/mitchellh/hashstructure/blob/v2.0.2/hashstructure.go
 */
import { parseGoDuration, Quantity } from '../../model';
import { asRecord } from '../value-rule';

/** What a field of a manifest is in Go. */
export type GoType =
  | { readonly kind: 'string' | 'bool' | 'int32' | 'int64' | 'quantity' | 'nanoseconds' | 'time' | 'texts' }
  | { readonly kind: 'list'; readonly of: GoType }
  | GoStruct;

export interface GoStruct {
  readonly kind: 'struct';
  readonly name: string;
  /** In the order of the source, on which the hash depends. */
  readonly fields: readonly GoField[];
}

export interface GoField {
  /** As Go calls it. */
  readonly name: string;
  /** As manifests call it. @default - Go's name with a small first letter */
  readonly key?: string;
  readonly type: GoType;
  /** Then a value that means nothing, such as an empty text, is not the same as none. @default false */
  readonly pointer?: boolean;
  /** Whether the hash passes over it. @default false */
  readonly ignored?: boolean;
  /** Whether manifests write nothing but this field's value in place of the struct. @default false */
  readonly inline?: boolean;
}

const MASK = (1n << 64n) - 1n;
const OFFSET = 0xcbf29ce484222325n;
const PRIME = 0x100000001b3n;
const NANOS_PER_MILLISECOND = 1e6;
/** From the year 1, with which Go begins to count. */
const SECONDS_BEFORE_1970 = 62_135_596_800n;

/** @param value as the API server stores it, with defaults and without nulls */
export function structHash(value: unknown, type: GoType): bigint {
  switch (type.kind) {
    case 'string': return textHash(String(value));
    case 'quantity': return textHash(String(Quantity.tryParse(value) ?? value));
    case 'bool': return bytesHash(integerBytes(value === true ? 1n : 0n, 1));
    case 'int32': return bytesHash(integerBytes(BigInt(Number(value)), 4));
    case 'int64': return bytesHash(integerBytes(BigInt(Number(value)), 8));
    case 'nanoseconds': return bytesHash(integerBytes(nanosecondsOf(value), 8));
    case 'time': return bytesHash(timeBytes(String(value)));
    case 'texts': return finish(together(Object.entries(asRecord(value) ?? {}).map(([key, text]) => inOrder(textHash(key), textHash(String(text))))));
    case 'list': return together((Array.isArray(value) ? value : []).map((item) => structHash(item, type.of)));
    case 'struct': return fieldsHash(value, type);
  }
}

/**
 * Of several values that are not in a struct: what their order is does not matter, and two that are equal cancel each
 * other out.
 */
export function together(hashes: readonly bigint[]): bigint {
  return hashes.reduce((sum, hash) => sum ^ hash, 0n);
}

export function textHash(text: string): bigint {
  return bytesHash(Buffer.from(text, 'utf8'));
}

export function keyOf({ name, key = name[0].toLowerCase() + name.slice(1) }: GoField): string {
  return key;
}

function fieldsHash(struct: unknown, { name, fields }: GoStruct): bigint {
  let hash = textHash(name);
  for (const field of fields) {
    const value = valueOf(struct, field);
    if (field.ignored || isZero(value, field)) continue;
    hash = finish(hash ^ inOrder(textHash(field.name), structHash(value, field.type)));
  }
  return hash;
}

function valueOf(struct: unknown, field: GoField): unknown {
  return field.inline ? struct : asRecord(struct)?.[keyOf(field)];
}

/** Whether the hash passes over the field because there is nothing in it. */
export function isZero(value: unknown, { type, pointer = false }: Pick<GoField, 'type' | 'pointer'>): boolean {
  if (value === undefined || value === null || (type.kind === 'nanoseconds' && value === 'Never')) return true;
  if (pointer) return false;
  switch (type.kind) {
    case 'string': return value === '';
    case 'bool': return value === false;
    case 'int32': case 'int64': return value === 0;
    case 'nanoseconds': return nanosecondsOf(value) === 0n;
    case 'struct': return type.fields.every((field) => isZero(valueOf(value, field), field));
    // A list and a map are something as soon as they are written, be they empty.
    default: return false;
  }
}

/**
 * As Go marshals a time where the zone is UTC, as in Karpenter's pods: version, seconds since the year 1, nanoseconds,
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
  return BigInt(Math.round((parseGoDuration(String(value)) ?? 0) * NANOS_PER_MILLISECOND));
}

function inOrder(first: bigint, second: bigint): bigint {
  return bytesHash([...integerBytes(first, 8), ...integerBytes(second, 8)]);
}

function finish(hash: bigint): bigint {
  return bytesHash(integerBytes(hash, 8));
}

function integerBytes(value: bigint, length: number): number[] {
  const whole = BigInt.asUintN(length * 8, value);
  return Array.from({ length }, (_, at) => Number((whole >> BigInt(8 * at)) & 0xffn));
}

/** FNV-1 of 64 bits. */
function bytesHash(bytes: Iterable<number>): bigint {
  let hash = OFFSET;
  for (const byte of bytes) hash = ((hash * PRIME) & MASK) ^ BigInt(byte);
  return hash;
}
