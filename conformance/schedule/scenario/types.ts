import { Dice } from './dice';
import { ScenarioSettings } from './draft';
import { Catalog } from '../../../src/catalog';

/** Families that pools and nodes of the scenarios name. */
const COMMON = ['c5', 'c6i', 'c7g', 'm5', 'm6i', 'm7g', 'm7i-flex', 'r5', 'r6g', 't3', 't4g', 'm6a', 'm6g', 'm5d', 'g4dn', 'i3en', 'inf2', 'm8g'];

/** Beyond so many pods Karpenter takes too long on so many types. */
const MOST_TYPES: ReadonlyArray<readonly [pods: number, types: number]> = [[100, 300], [250, 80], [Infinity, 40]];

/** A region that has all instance types, or whole families of them. */
export function offeredTypes(dice: Dice, pods: number): Pick<ScenarioSettings, 'instanceTypes'> {
  if (dice.chance(pods <= 12 ? 0.4 : pods <= 40 ? 0.08 : 0)) return {};
  const [, most] = MOST_TYPES.find(([limit]) => pods <= limit)!;
  const target = Math.min(most, dice.pick([20, 60, 150, 300]));
  const { names } = Catalog.load();
  const families = [...new Set(names.map(familyOf))];
  const offered = new Set<string>();
  const count = () => names.filter((name) => offered.has(familyOf(name))).length;
  while (count() < target) offered.add(dice.pick(dice.chance(0.7) ? COMMON : families));
  return { instanceTypes: names.filter((name) => offered.has(familyOf(name))) };
}

function familyOf(name: string): string {
  return name.split('.')[0];
}
