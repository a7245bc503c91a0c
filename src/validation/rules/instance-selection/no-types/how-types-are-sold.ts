import { countText, Label, Requirements, shortListText } from '../../../../model';
import { compatibleTypes } from '../../../../scheduling';
import { Pool, PoolLaunch } from '../../common/pool';
import { RuleContext } from '../../rule';

/**
 * What to write instead if EC2 sells none of the instance types in the way that the NodePool requires: never as spot,
 * or only as capacity blocks. Undefined if this is not the cause.
 */
export function remedyForSale(
  { catalog }: RuleContext,
  { requirements }: Pool,
  { table }: PoolLaunch,
): string | undefined {
  const required = requirements!.get(Label.CAPACITY_TYPE);
  const named = typesOfAnyCapacityType(requirements!, table);
  if (named.length === 0 || named.length === table.names.length) return undefined;
  const which = `${named.length === 1 ? named[0] : `any of the ${countText(named.length, 'instance type')} (${shortListText(named, 3)})`}`;
  if (required.has('spot') && !required.has('on-demand') && !named.some((name) => catalog.isSoldAsSpot(name))) {
    return `allow on-demand in the requirement on ${Label.CAPACITY_TYPE}: EC2 never sells ${which} as spot`;
  }
  if (required.has('on-demand') && named.every((name) => catalog.isOnlyCapacityBlock(name))) {
    return (
      `buy a capacity block, select it with capacityReservationSelectorTerms in the EC2NodeClass, and allow reserved in the requirement on ${Label.CAPACITY_TYPE}: ` +
      `EC2 sells ${which} as capacity blocks, and has no on-demand price for ${named.length === 1 ? 'it' : 'them'}`
    );
  }
  return undefined;
}

/** The types that meet all requirements except that on the capacity type. */
function typesOfAnyCapacityType(requirements: Requirements, table: PoolLaunch['table']): string[] {
  const isCompatible = compatibleTypes(
    table,
    Requirements.of(requirements.values().filter(({ key }) => key !== Label.CAPACITY_TYPE)),
  );
  return table.names.filter((_, type) => isCompatible[type]);
}
