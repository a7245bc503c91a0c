import { InstanceTypeTable, LabelColumn, OfferingPlane } from '../../../src/catalog';
import { Label } from '../../../src/model';
import { Dice } from '../../support/schedule-scenario/dice';

export const ZONES = ['zone-a', 'zone-b', 'zone-c'];
export const CAPACITY_TYPES = ['on-demand', 'spot'];
export const RESOURCES = ['cpu', 'memory', 'pods', 'example.com/device'];
/** More than a word of 64 values. */
const SIZES = Array.from({ length: 70 }, (_, index) => `size-${index}`);

const GIB = 2 ** 30;
/** Amounts that no instance type has, but that a NodeOverlay or a mistake could set. */
const EXTREME_AMOUNTS = [0, -1, -(2 ** 62), 2 ** 53 + 2, 2 ** 62, 2 ** 70];

/** A few instance types; sometimes more than fit into a bit vector of 128. */
export function fuzzTable(dice: Dice): InstanceTypeTable {
  const count = dice.pick([1, 2, 3, 4, 6, 9, dice.chance(0.05) ? 130 : 5]);
  const amount = (ordinary: readonly number[]) =>
    Float64Array.from({ length: count }, () => dice.pick(dice.chance(0.02) ? EXTREME_AMOUNTS : ordinary));
  const capacity = [
    amount([1000, 2000, 4000, 16_000]),
    amount([GIB, 4 * GIB, 16 * GIB]),
    amount([4, 12, 110]),
    amount([0, 0, 1, 8]),
  ];
  return {
    names: Array.from({ length: count }, (_, type) => `type-${type}`),
    resources: RESOURCES,
    capacity,
    allocatable: capacity.map((column) =>
      column.map((value, type) => (dice.chance(0.01) ? -1 : value - (type % 2 === 0 ? 0 : Math.min(100, value)))),
    ),
    labels: labelsOf(dice, count),
    offerings: offeringsOf(dice, count),
  };
}

function labelsOf(dice: Dice, count: number): LabelColumn[] {
  const names = Array.from({ length: count }, (_, type) => `type-${type}`);
  return [
    coded(
      Label.INSTANCE_TYPE,
      names,
      names.map((_, type) => type),
    ),
    coded(
      Label.ARCH,
      ['amd64', 'arm64'],
      names.map(() => dice.between(0, 1)),
    ),
    coded(
      Label.INSTANCE_CPU,
      ['1', '2', '4', '16', 'many'],
      names.map(() => dice.between(-1, 4)),
    ),
    coded(
      Label.INSTANCE_SIZE,
      SIZES,
      names.map(() => dice.between(-1, SIZES.length - 1)),
    ),
    sets(
      Label.ZONE,
      ZONES,
      names.map(() => (dice.chance(0.8) ? 7 : dice.between(0, 7))),
    ),
    sets(
      Label.CAPACITY_TYPE,
      CAPACITY_TYPES,
      names.map(() => 3),
    ),
  ];
}

function coded(key: string, values: readonly string[], codes: readonly number[]): LabelColumn {
  return { key, values, codes: Int16Array.from(codes) };
}

function sets(key: string, values: readonly string[], masks: readonly number[]): LabelColumn {
  return { key, values, codes: new Int16Array(masks.length).fill(-1), sets: Uint32Array.from(masks) };
}

function offeringsOf(dice: Dice, count: number): OfferingPlane[] {
  const prices = () => Float64Array.from({ length: count }, (_, type) => (dice.chance(0.1) ? NaN : (type + 1) * 0.1));
  const open = ZONES.flatMap((zone) =>
    CAPACITY_TYPES.map((capacityType) => ({ zone, capacityType, usdPerHour: prices() })),
  );
  const reserved = Array.from(
    { length: dice.chance(0.2) ? dice.between(1, 3) : 0 },
    (_, index): OfferingPlane => ({
      zone: dice.pick(ZONES),
      capacityType: 'reserved',
      usdPerHour: new Float64Array(count).fill(NaN).fill(1e-6, dice.between(0, count - 1)),
      reservation: { id: `cr-${index}`, type: 'default', interruptible: dice.chance(0.2), free: dice.between(0, 3) },
    }),
  );
  return [...dice.some(open, dice.between(1, open.length)), ...reserved];
}
