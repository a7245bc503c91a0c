/* eslint-disable no-bitwise -- sets of instance types are bit sets */
import { amounts, CEILING } from './amounts';
import { Vocabulary } from './vocabulary';
import { carrierOf, InstanceTypeTable, LabelColumn } from '../../catalog';
import { amountsPerColumnUnit, Label } from '../../model';
import { offeringLabels } from '../launch/type-filter';
import { isVolumeResource } from '../nodes/existing-nodes';

const WORD_BITS = 64;

/** The size of a type bitset in bytes, padded to whole SIMD vectors. */
export function typeBytesOf(types: number): number {
  return Math.ceil(types / 128) * 16;
}

/** A growing sequence of type bitsets. */
class BitsetBlock {
  private bytes: Uint8Array;
  public count = 0;

  public constructor(private readonly typeBytes: number) {
    this.bytes = new Uint8Array(typeBytes * 64);
  }

  /** Adds an empty bitset, and returns its number. */
  public add(): number {
    if ((this.count + 1) * this.typeBytes > this.bytes.length) {
      const larger = new Uint8Array(this.bytes.length * 2);
      larger.set(this.bytes);
      this.bytes = larger;
    }
    return this.count++;
  }

  public set(bitset: number, type: number): void {
    this.bytes[bitset * this.typeBytes + (type >> 3)] |= 1 << (type & 7);
  }

  public toArray(): Uint8Array {
    return this.bytes.subarray(0, this.count * this.typeBytes);
  }
}

/**
 * Encodes the instance types. Each table is the catalog as one node class resolves it, which the kernel calls a view.
 */
export function encodeInstanceTypes(
  tables: readonly InstanceTypeTable[],
  vocabulary: Vocabulary,
  starts: Int32Array,
  resources: readonly string[],
) {
  const keyCount = vocabulary.keyCount;
  const slots = starts[keyCount] * WORD_BITS;
  const types = tables[0].names.length;
  const bitsets = new BitsetBlock(typeBytesOf(types));
  const viewHasKey = new Uint8Array(tables.length * keyCount);
  const viewValueTypes = new Int32Array(tables.length * slots);
  const encoded = new Map<LabelColumn, Int32Array>();
  tables.forEach((table, t) => {
    for (const column of table.labels) {
      if (!vocabulary.has(column.key)) continue;
      const key = vocabulary.keyNumber(column.key);
      viewHasKey[t * keyCount + key] = 1;
      let numbers = encoded.get(column);
      if (numbers === undefined) {
        numbers = encodeColumn(column, bitsets);
        encoded.set(column, numbers);
      }
      column.values.forEach((value, code) => {
        viewValueTypes[t * slots + starts[key] * WORD_BITS + vocabulary.valueNumber(column.key, value)] = numbers[code];
      });
    }
  });
  return {
    viewCount: tables.length,
    typeCount: types,
    viewHasKey,
    viewValueTypes,
    valueTypes: bitsets.toArray(),
    allocatable: allocatableOf(tables, resources),
    viewUsable: usable(tables),
    ...encodeOfferings(tables, vocabulary),
    ...encodeReservations(tables),
  };
}

/** Per code of the column: 1 + the number of the bitset of the types that have it. */
function encodeColumn(column: LabelColumn, bitsets: BitsetBlock): Int32Array {
  const numbers = Int32Array.from(column.values, () => bitsets.add() + 1);
  const carries = carrierOf(column);
  for (let type = 0; type < column.codes.length; type++) {
    if (column.sets) {
      for (let code = 0; code < numbers.length; code++) {
        if (carries(type, code)) bitsets.set(numbers[code] - 1, type);
      }
    } else if (column.codes[type] >= 0) {
      bitsets.set(numbers[column.codes[type]] - 1, type);
    }
  }
  return numbers;
}

/** Karpenter assumes that new nodes can attach any number of volumes. */
function allocatableOf(tables: readonly InstanceTypeTable[], resources: readonly string[]): BigInt64Array {
  const result = amounts(tables, resources, (table) => table.allocatable, amountsPerColumnUnit);
  const types = tables[0].names.length;
  resources.forEach((resource, r) => {
    if (!isVolumeResource(resource)) return;
    tables.forEach((_, t) =>
      result.fill(CEILING, (t * resources.length + r) * types, (t * resources.length + r + 1) * types),
    );
  });
  return result;
}

/** A type with a negative amount takes no pod, not even one without requests. */
function usable(tables: readonly InstanceTypeTable[]): Uint8Array {
  const bitsets = new BitsetBlock(typeBytesOf(tables[0].names.length));
  for (const table of tables) {
    const bitset = bitsets.add();
    const isUsable = new Uint8Array(table.names.length).fill(1);
    for (const column of table.allocatable) {
      for (let type = 0; type < column.length; type++) if (!(column[type] >= 0)) isUsable[type] = 0;
    }
    for (let type = 0; type < isUsable.length; type++) if (isUsable[type] === 1) bitsets.set(bitset, type);
  }
  return bitsets.toArray();
}

/** Encodes which types have an offering in each plane. */
export function encodeOfferings(tables: readonly InstanceTypeTable[], vocabulary: Vocabulary) {
  const bitsets = new BitsetBlock(typeBytesOf(tables[0].names.length));
  const planeStart = [0];
  const termStart = [0];
  const terms: number[] = [];
  for (const table of tables) {
    for (const plane of table.offerings) {
      const bitset = bitsets.add();
      const { usdPerHour } = plane;
      for (let type = 0; type < usdPerHour.length; type++)
        if (!Number.isNaN(usdPerHour[type])) bitsets.set(bitset, type);
      for (const [key, value] of offeringLabels(plane)) {
        if (vocabulary.has(key))
          terms.push(vocabulary.keyNumber(key), value === undefined ? -1 : vocabulary.valueNumber(key, value));
      }
      termStart.push(terms.length / 2);
    }
    planeStart.push(bitsets.count);
  }
  return {
    planeStart: Int32Array.from(planeStart),
    planeTermStart: Int32Array.from(termStart),
    planeTerms: Int32Array.from(terms),
    planeTypes: bitsets.toArray(),
    zoneKey: vocabulary.has(Label.ZONE) ? vocabulary.keyNumber(Label.ZONE) : -1,
  };
}

/** More instances than any reservation has. */
const UNLIMITED_INSTANCES = 2 ** 30;

/**
 * Numbers the reservations. If several node classes select a reservation with different counts, the lowest count is
 * used.
 */
function encodeReservations(tables: readonly InstanceTypeTable[]) {
  const planes = tables.flatMap((table) => table.offerings);
  const free = new Map<string, number>();
  for (const { reservation } of planes) {
    if (reservation)
      free.set(reservation.id, Math.min(free.get(reservation.id) ?? UNLIMITED_INSTANCES, reservation.free));
  }
  const ids = [...free.keys()];
  return {
    reservationCount: ids.length,
    reservationFree: Int32Array.from(free.values()),
    planeReservation: Int32Array.from(planes, ({ reservation }) => (reservation ? ids.indexOf(reservation.id) : -1)),
  };
}
