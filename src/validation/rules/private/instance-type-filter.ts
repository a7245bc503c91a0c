import { InstanceTypeTable, LabelColumn } from '../../../catalog';
import { Label, Requirement, Requirements } from '../../../model';

/**
 * Which instance types of a table a node could be of, looking at labels and offerings alone. Constraints on keys that no
 * instance type carries restrict nothing, as in Karpenter.
 *
 * @param among indices to choose from; all by default
 */
export function matchingTypes(table: InstanceTypeTable, requirements: Requirements, among?: readonly number[]): number[] {
  const tests = table.labels.filter((column) => requirements.has(column.key)).map((column) => columnTest(column, requirements.get(column.key)));
  const planes = table.offerings.filter((plane) =>
    requirements.get(Label.ZONE).has(plane.zone) && requirements.get(Label.CAPACITY_TYPE).has(plane.capacityType));
  const candidates = among ?? table.names.map((_, index) => index);
  return candidates.filter((index) =>
    tests.every((test) => test(index)) && planes.some((plane) => !Number.isNaN(plane.usdPerHour[index])));
}

/** The cheapest offering of a type that the requirements allow, in USD per hour; infinite where there is none. */
export function cheapestPrice(table: InstanceTypeTable, requirements: Requirements, index: number): number {
  let cheapest = Infinity;
  for (const plane of table.offerings) {
    const allowed = requirements.get(Label.ZONE).has(plane.zone) && requirements.get(Label.CAPACITY_TYPE).has(plane.capacityType);
    if (allowed && plane.usdPerHour[index] < cheapest) {
      cheapest = plane.usdPerHour[index];
    }
  }
  return cheapest;
}

function columnTest(column: LabelColumn, requirement: Requirement): (index: number) => boolean {
  const allowed = column.values.map((value) => requirement.has(value));
  const withoutLabel = ['NotIn', 'DoesNotExist'].includes(requirement.operator());
  const { sets, codes } = column;
  if (sets === undefined) {
    return (index) => codes[index] < 0 ? withoutLabel : allowed[codes[index]];
  }
  return (index) => sets[index] === 0 ? withoutLabel : allowed.some((yes, code) => yes && Math.floor(sets[index] / 2 ** code) % 2 === 1);
}
