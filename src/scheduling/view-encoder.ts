/* eslint-disable no-bitwise -- sets of instance types are bit sets */
import { carrierOf, InstanceTypeTable, LabelColumn, OfferingPlane } from '../catalog';
import { Label } from '../model';
import { amounts, CEILING } from './amounts';
import { isVolumeResource } from './existing-nodes';
import { Vocabulary } from './vocabulary';

const WORD = 64;

/** Bytes of a type bitset: padded to whole SIMD vectors. */
export function typeBytesOf(types: number): number {
  return Math.ceil(types / 128) * 16;
}

/** Type bitsets, one behind the other. */
class BitsetBlock {
  private bytes: Uint8Array;
  count = 0;

  constructor(private readonly typeBytes: number) {
    this.bytes = new Uint8Array(typeBytes * 64);
  }

  /** The number of a new, empty bitset. */
  add(): number {
    if ((this.count + 1) * this.typeBytes > this.bytes.length) {
      const larger = new Uint8Array(this.bytes.length * 2);
      larger.set(this.bytes);
      this.bytes = larger;
    }
    return this.count++;
  }

  set(bitset: number, type: number): void {
    this.bytes[bitset * this.typeBytes + (type >> 3)] |= 1 << (type & 7);
  }

  toArray(): Uint8Array {
    return this.bytes.subarray(0, this.count * this.typeBytes);
  }
}

/** The catalogue, as each node class resolves it, in the kernel's form. */
export function encodeViews(views: readonly InstanceTypeTable[], vocabulary: Vocabulary, starts: Int32Array, resources: readonly string[]) {
  const keyCount = vocabulary.keyCount;
  const slots = starts[keyCount] * WORD;
  const types = views[0].names.length;
  const bitsets = new BitsetBlock(typeBytesOf(types));
  const viewHasKey = new Uint8Array(views.length * keyCount);
  const viewValueTypes = new Int32Array(views.length * slots);
  const encoded = new Map<LabelColumn, Int32Array>();
  views.forEach((view, v) => {
    for (const column of view.labels) {
      if (!vocabulary.has(column.key)) continue;
      const key = vocabulary.keyNumber(column.key);
      viewHasKey[v * keyCount + key] = 1;
      let numbers = encoded.get(column);
      if (numbers === undefined) {
        numbers = encodeColumn(column, bitsets);
        encoded.set(column, numbers);
      }
      column.values.forEach((value, code) => {
        viewValueTypes[v * slots + starts[key] * WORD + vocabulary.valueNumber(column.key, value)] = numbers[code];
      });
    }
  });
  return {
    viewCount: views.length,
    typeCount: types,
    viewHasKey,
    viewValueTypes,
    valueTypes: bitsets.toArray(),
    allocatable: allocatableOf(views, resources),
    viewUsable: usable(views),
    ...encodePlanes(views, vocabulary),
    ...encodeReservations(views),
  };
}

/** Per code the number, from 1, of the bitset of the types that carry it. */
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

/** New nodes hold any number of volumes, as far as Karpenter knows. */
function allocatableOf(views: readonly InstanceTypeTable[], resources: readonly string[]): BigInt64Array {
  const result = amounts(views, resources, (view) => view.allocatable);
  const types = views[0].names.length;
  resources.forEach((resource, r) => {
    if (!isVolumeResource(resource)) return;
    views.forEach((_, v) => result.fill(CEILING, (v * resources.length + r) * types, (v * resources.length + r + 1) * types));
  });
  return result;
}

/** A type with any negative amount holds nothing, not even a pod that asks for nothing. */
function usable(views: readonly InstanceTypeTable[]): Uint8Array {
  const bitsets = new BitsetBlock(typeBytesOf(views[0].names.length));
  for (const view of views) {
    const bitset = bitsets.add();
    const isUsable = new Uint8Array(view.names.length).fill(1);
    for (const column of view.allocatable) {
      for (let type = 0; type < column.length; type++) if (!(column[type] >= 0)) isUsable[type] = 0;
    }
    for (let type = 0; type < isUsable.length; type++) if (isUsable[type] === 1) bitsets.set(bitset, type);
  }
  return bitsets.toArray();
}

/** Labels that only offerings of reserved capacity have. */
export const RESERVATION_LABELS = [
  Label.CAPACITY_RESERVATION_ID, Label.CAPACITY_RESERVATION_TYPE, Label.CAPACITY_RESERVATION_INTERRUPTIBLE,
] as const;

/** What an offering says of its labels; undefined where it has none. */
export function offeringLabels({ zone, zoneId, capacityType, reservation, partition }: Omit<OfferingPlane, 'usdPerHour'>): ReadonlyArray<readonly [string, string | undefined]> {
  const [id, type, interruptible] = RESERVATION_LABELS;
  return [
    [Label.ZONE, zone],
    ...(zoneId === undefined ? [] : [[Label.ZONE_ID, zoneId] as const]),
    [Label.CAPACITY_TYPE, capacityType],
    ...(partition === undefined ? [] : [[Label.PLACEMENT_GROUP_PARTITION, partition] as const]),
    [id, reservation?.id],
    [type, reservation?.type],
    [interruptible, reservation && String(reservation.interruptible)],
  ];
}

/** Which types are offered where. */
export function encodePlanes(views: readonly InstanceTypeTable[], vocabulary: Vocabulary) {
  const bitsets = new BitsetBlock(typeBytesOf(views[0].names.length));
  const planeStart = [0];
  const termStart = [0];
  const terms: number[] = [];
  for (const view of views) {
    for (const plane of view.offerings) {
      const bitset = bitsets.add();
      const { usdPerHour } = plane;
      for (let type = 0; type < usdPerHour.length; type++) if (!Number.isNaN(usdPerHour[type])) bitsets.set(bitset, type);
      for (const [key, value] of offeringLabels(plane)) {
        if (vocabulary.has(key)) terms.push(vocabulary.keyNumber(key), value === undefined ? -1 : vocabulary.valueNumber(key, value));
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

/** As many nodes as nobody has: stands for room that nobody has counted. */
const ROOM_FOR_ALL = 2 ** 30;

/** One number a reservation, however many classes have found it; of different counts the least is right. */
function encodeReservations(views: readonly InstanceTypeTable[]) {
  const planes = views.flatMap((view) => view.offerings);
  const free = new Map<string, number>();
  for (const { reservation } of planes) {
    if (reservation) free.set(reservation.id, Math.min(free.get(reservation.id) ?? ROOM_FOR_ALL, reservation.free));
  }
  const ids = [...free.keys()];
  return {
    reservationCount: ids.length,
    reservationFree: Int32Array.from(free.values()),
    planeReservation: Int32Array.from(planes, ({ reservation }) => reservation ? ids.indexOf(reservation.id) : -1),
  };
}
