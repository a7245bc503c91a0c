import { CAPACITY_TYPES, ZONES } from './catalogue';
import { Label, LabelSelector, RequirementSpec, ResourceList, Taint, Toleration } from '../../../src/model';
import { Dice } from '../../support/schedule-scenario/dice';

export const TEAMS = ['a', 'b', 'c'];
const VALUES: ReadonlyArray<readonly [string, readonly string[]]> = [
  [Label.ZONE, [...ZONES, 'zone-nowhere']],
  [Label.CAPACITY_TYPE, [...CAPACITY_TYPES, 'reserved']],
  [Label.ARCH, ['amd64', 'arm64']],
  [Label.INSTANCE_TYPE, ['type-0', 'type-1', 'type-2', 'type-99']],
  [Label.INSTANCE_CPU, ['1', '2', '4', '16', 'many']],
  [Label.INSTANCE_SIZE, ['size-0', 'size-63', 'size-64', 'size-69']],
  [Label.HOSTNAME, ['node-0', 'node-1']],
  ['team', TEAMS],
  ['example.com/number', ['0', '-1', '9223372036854775807', '99999999999999999999', '1e3', '']],
];
/** Extreme integers, and texts that are not integers. */
const BOUNDS = [
  '0',
  '1',
  '3',
  '16',
  '-1',
  '9223372036854775807',
  '-9223372036854775808',
  '99999999999999999999',
  'x',
  '',
];

export function requirement(dice: Dice, minValues = false): RequirementSpec {
  const [key, values] = dice.pick(VALUES);
  const operator = dice.pick(['In', 'In', 'In', 'NotIn', 'Exists', 'DoesNotExist', 'Gt', 'Lt', 'Gte', 'Lte'] as const);
  const minimum = minValues && dice.chance(0.3) ? { minValues: dice.between(1, 4) } : {};
  if (operator === 'Exists' || operator === 'DoesNotExist') return { key, operator, ...minimum };
  if (operator === 'In' || operator === 'NotIn')
    return { key, operator, values: dice.some(values, dice.between(dice.chance(0.05) ? 0 : 1, 3)), ...minimum };
  return { key, operator, values: [dice.pick(BOUNDS)], ...minimum };
}

export function several<Item>(dice: Dice, max: number, make: (index: number) => Item): Item[] {
  return Array.from({ length: dice.between(0, max) }, (_, index) => make(index));
}

const EXTREME_AMOUNTS = [
  0n,
  -1n,
  -(2n ** 63n),
  2n ** 31n,
  2n ** 53n + 1n,
  2n ** 61n,
  2n ** 63n - 1n,
  2n ** 64n,
  2n ** 80n,
];
const GIB = 1000n * 2n ** 30n;

export function amounts(dice: Dice): ResourceList {
  const amount = (ordinary: readonly bigint[]) =>
    dice.chance(0.02) ? dice.pick(EXTREME_AMOUNTS) : dice.pick(ordinary);
  const list: Array<[string, bigint]> = [
    ['cpu', amount([100n, 250n, 900n, 1500n, 3000n])],
    ['memory', amount([GIB / 16n, GIB / 2n, GIB, 3n * GIB])],
    ...(dice.chance(0.1) ? [['example.com/device', amount([0n, 1n, 2n])] as [string, bigint]] : []),
    ...(dice.chance(0.02) ? [['example.com/unknown', amount([0n, 1n])] as [string, bigint]] : []),
  ];
  return new Map(dice.chance(0.9) ? list : list.slice(1));
}

export function selector(dice: Dice): LabelSelector | undefined {
  if (dice.chance(0.05)) return undefined;
  if (dice.chance(0.7)) return { matchLabels: { app: dice.pick(TEAMS) } };
  return {
    matchExpressions: [
      { key: 'app', operator: dice.pick(['In', 'NotIn', 'Exists', 'DoesNotExist']), values: dice.some(TEAMS, 2) },
    ],
  };
}

export function taint(dice: Dice): Taint {
  return {
    key: dice.pick(['gpu', 'soft']),
    value: dice.pick(['', 'x']),
    effect: dice.pick(['NoSchedule', 'NoExecute', 'PreferNoSchedule'] as const),
  };
}

export function toleration(dice: Dice): Toleration {
  return dice.pick([
    { operator: 'Exists' },
    { key: 'gpu', operator: 'Exists' },
    { key: 'soft', value: 'x', effect: 'PreferNoSchedule' },
    { key: 'gpu', value: 'x' },
  ]);
}
