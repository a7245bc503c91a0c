import { Dice } from './dice';
import { ScenarioSettings } from './draft';
import { readInstanceTypes } from '../../../data/generate';

/** Instance families that pools and nodes of the scenarios name. */
const COMMON = [
  'c5',
  'c6i',
  'c7g',
  'm5',
  'm6i',
  'm7g',
  'm7i-flex',
  'r5',
  'r6g',
  't3',
  't4g',
  'm6a',
  'm6g',
  'm5d',
  'g4dn',
  'i3en',
  'inf2',
  'm8g',
];

/** Limits of pods and instance types, because Karpenter takes too long beyond them. */
const MOST_TYPES: ReadonlyArray<readonly [pods: number, types: number]> = [
  [100, 300],
  [250, 60],
  [Infinity, 25],
];

/** The instance types of a region: all of them, or whole families. */
export function offeredTypes(dice: Dice, pods: number): Pick<ScenarioSettings, 'instanceTypes'> {
  if (dice.chance(pods <= 12 ? 0.25 : pods <= 40 ? 0.04 : 0)) return {};
  const [, most] = MOST_TYPES.find(([limit]) => pods <= limit)!;
  const target = Math.min(most, dice.pick([20, 60, 150, 300]));
  const offered = new Set<string>();
  while (offered.size < target) {
    for (const name of familyMembers.get(dice.pick(dice.chance(0.7) ? COMMON : families)) ?? []) offered.add(name);
  }
  return { instanceTypes: PUBLISHED_TYPES.filter((name) => offered.has(name)) };
}

/** Types that are newer than Karpenter's tables have no published price, so they have no offering in the scenarios. */
export const PUBLISHED_TYPES: readonly string[] = readInstanceTypes()
  .filter(({ vpcLimits }) => vpcLimits !== false)
  .map(({ instanceType }) => instanceType);
const familyMembers = new Map<string, string[]>();
for (const name of PUBLISHED_TYPES)
  familyMembers.set(familyOf(name), [...(familyMembers.get(familyOf(name)) ?? []), name]);
const families = [...familyMembers.keys()];

function familyOf(name: string): string {
  return name.split('.')[0];
}
