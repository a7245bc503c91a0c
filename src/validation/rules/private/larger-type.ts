import { Room } from './nearest-miss';
import { holds } from './node-fit';
import { alternatives } from './pod-constraints';
import { templateRequirements } from './pool';
import { describeInstanceType } from '../../../catalog';
import { Label, Requirements, ResourceList } from '../../../model';
import { cheapestPrice, matchingTypes, PodShape } from '../../../scheduling';

/** What says how large a node is; the first step of looking for a larger one sets these aside. */
const SIZE_KEYS: readonly string[] = [Label.INSTANCE_TYPE, Label.INSTANCE_SIZE, Label.INSTANCE_CPU, Label.INSTANCE_MEMORY, Label.INSTANCE_FAMILY];
/** What the second step keeps: where a node is, and what software runs on it. */
const PLACE_KEYS: readonly string[] = [Label.ZONE, Label.REGION, Label.CAPACITY_TYPE, Label.ARCH, Label.OS];

/** The cheapest instance type that would hold the pod if the pool allowed it; as like to the allowed ones as can be. */
export function findLargerType({ pool, table, index, daemons }: Room, shape: PodShape, requests: ResourceList): string | undefined {
  const template = templateRequirements(pool.spec!).values();
  const alike = [
    template.filter(({ key }) => !SIZE_KEYS.includes(key)),
    template.filter(({ key }) => PLACE_KEYS.includes(key)),
  ];
  // What runs on one architecture seldom runs on another, which a list of instance types leaves unsaid.
  const architecture = Requirements.fromLabels({ [Label.ARCH]: describeInstanceType(table, index).labels[Label.ARCH] }).values();
  const steps = [...alike.map((kept) => [...kept, ...architecture]), ...alike];
  for (const kept of steps) {
    for (const specs of alternatives(shape)) {
      const requirements = Requirements.of([...kept, ...Requirements.from(specs).values()]);
      const fitting = matchingTypes(table, requirements).filter((type) => holds(table, type, requests, daemons));
      const [cheapest] = fitting.map((type) => ({ name: table.names[type], price: cheapestPrice(table, requirements, type) }))
        .sort((left, right) => left.price - right.price || (left.name < right.name ? -1 : 1));
      if (cheapest !== undefined) {
        return cheapest.name;
      }
    }
  }
  return undefined;
}
