import { NodeOption } from '../../../src/scheduling/cost/node-options';
import { Demand } from '../../../src/scheduling/cost/pod-kinds';
import { ZonedPods } from '../../../src/scheduling/cost/zoned-pods';

/** Nodes in zones. */
export interface ZoneCase {
  readonly rules: readonly ZonedPods[];
  /** The zones of each option. */
  readonly zones: ReadonlyArray<readonly string[]>;
  /** The zone of each existing node. */
  readonly existing: readonly string[];
}

const ONE_ZONE = '';

/** The price of the cheapest fleet, by trying every way to fill every node. Infinity if some pod fits on no node. */
export function cheapestFleet(
  demand: Demand,
  options: readonly NodeOption[],
  existing: readonly Float64Array[],
  zoned?: ZoneCase,
): number {
  const known = new Map<string, number>();
  const best = (left: readonly number[], used: number, placed: Placed): number => {
    if (left.every((count) => count === 0)) return isSpread(zoned, placed) ? 0 : Infinity;
    const key = `${left.join()} ${used} ${JSON.stringify(placed)}`;
    const before = known.get(key);
    if (before !== undefined) return before;
    let cheapest = Infinity;
    const place = (load: readonly number[], zone: string, next: number) =>
      best(minus(left, load), next, withLoad(zoned, placed, load, zone));
    if (used < existing.length) {
      for (const load of loads(demand, left, existing[used], () => true))
        cheapest = Math.min(cheapest, place(load, zoned?.existing[used] ?? ONE_ZONE, used + 1));
    } else {
      options.forEach(({ room, admits, usdPerHour }, option) => {
        for (const load of loads(demand, left, room, (constraint) => admits[constraint] === 1))
          if (load.some((count) => count > 0))
            for (const zone of (zoned?.zones[option] ?? [ONE_ZONE]).filter((name) => isKnown(zoned, load, name)))
              cheapest = Math.min(cheapest, usdPerHour + place(load, zone, used));
      });
    }
    known.set(key, cheapest);
    return cheapest;
  };
  return best(
    demand.kinds.map(({ count }) => count),
    0,
    zoned?.rules.map(({ zones }) => zones.map(() => 0)) ?? [],
  );
}

/** New pods of each rule by zone. */
type Placed = ReadonlyArray<readonly number[]>;

function withLoad(zoned: ZoneCase | undefined, placed: Placed, load: readonly number[], zone: string): Placed {
  return placed.map((counts, rule) => {
    const { kinds, zones } = zoned!.rules[rule];
    const pods = kinds.reduce((sum, kind) => sum + load[kind], 0);
    return counts.map((count, index) => (zones[index] === zone ? count + pods : count));
  });
}

/** New nodes with pods of a rule are in its zones. */
function isKnown(zoned: ZoneCase | undefined, load: readonly number[], zone: string): boolean {
  return (zoned?.rules ?? []).every(
    ({ kinds, zones }) => zones.includes(zone) || kinds.every((kind) => load[kind] === 0),
  );
}

/** A zone gets a pod only if it then has at most maxSkew more than the zone with the fewest. */
function isSpread(zoned: ZoneCase | undefined, placed: Placed): boolean {
  return placed.every((counts, index) => {
    const { maxSkew, isLeastZero, running } = zoned!.rules[index];
    const all = counts.map((count, zone) => count + running[zone]);
    const least = isLeastZero ? 0 : Math.min(...all);
    return all.every((count, zone) => counts[zone] === 0 || count <= least + maxSkew);
  });
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
