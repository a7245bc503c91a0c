import { NodeOption } from '../../../src/scheduling/cost/node-options';
import { Demand } from '../../../src/scheduling/cost/pod-kinds';

/** The price of the cheapest fleet, by trying every way to fill every node. Infinity if some pod fits on no node. */
export function cheapestFleet(
  demand: Demand,
  options: readonly NodeOption[],
  existing: readonly Float64Array[],
): number {
  const known = new Map<string, number>();
  const best = (left: readonly number[], used: number): number => {
    if (left.every((count) => count === 0)) return 0;
    const key = `${left.join()} ${used}`;
    const before = known.get(key);
    if (before !== undefined) return before;
    let cheapest = Infinity;
    if (used < existing.length) {
      for (const load of loads(demand, left, existing[used], () => true))
        cheapest = Math.min(cheapest, best(minus(left, load), used + 1));
    } else {
      for (const { room, admits, usdPerHour } of options) {
        for (const load of loads(demand, left, room, (constraint) => admits[constraint] === 1))
          if (load.some((count) => count > 0))
            cheapest = Math.min(cheapest, usdPerHour + best(minus(left, load), used));
      }
    }
    known.set(key, cheapest);
    return cheapest;
  };
  return best(
    demand.kinds.map(({ count }) => count),
    0,
  );
}

/** Every selection of the pods that are left which fits on one node. */
function loads(
  demand: Demand,
  left: readonly number[],
  room: Float64Array,
  admits: (constraint: number) => boolean,
): number[][] {
  let found: number[][] = [[]];
  demand.kinds.forEach(({ constraint, mostPerNode }, kind) => {
    const most = admits(constraint) ? Math.min(left[kind], mostPerNode) : 0;
    found = found.flatMap((load) => Array.from({ length: most + 1 }, (_, count) => [...load, count]));
  });
  return found.filter((load) => fits(demand, load, room));
}

function fits({ kinds, shared, resources }: Demand, load: readonly number[], room: Float64Array): boolean {
  if (shared.some(({ kinds: set, most }) => set.reduce((sum, kind) => sum + load[kind], 0) > most)) return false;
  return resources.every(
    (_, resource) =>
      load.reduce((sum, count, kind) => sum + count * kinds[kind].requests[resource], 0) <= room[resource],
  );
}

function minus(left: readonly number[], load: readonly number[]): number[] {
  return left.map((count, kind) => count - load[kind]);
}
