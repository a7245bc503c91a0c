import { Shortage, shortages } from './node-fit';
import { Pool } from './pool';
import { InstanceTypeTable } from '../../../catalog';
import { ResourceList } from '../../../model';

/** An empty node that a pool could launch. */
export interface Room {
  readonly pool: Pool;
  readonly table: InstanceTypeTable;
  readonly index: number;
  /** Requests of the daemonsets that run on it. */
  readonly daemons: ResourceList;
}

export interface NearestMiss {
  readonly room: Room;
  readonly shortages: readonly Shortage[];
  /** Resources of the shortages that no room has at all. */
  readonly absent: readonly string[];
}

/** The room that comes nearest to holding the requests: the one whose worst shortage, as a share of what is wanted, is smallest. */
export function nearestMiss(rooms: readonly Room[], requests: ResourceList): NearestMiss {
  const misses = rooms.map((room) => {
    const found = shortages(room.table, room.index, requests, room.daemons);
    const shares = found.map(({ missing, allocatable }) => Number(missing) / Number(missing + allocatable)).sort((left, right) => right - left);
    return { room, found, shares };
  });
  const [best] = misses.sort((left, right) => compareShares(left.shares, right.shares) || compareNames(left.room, right.room));
  const absent = best.found.map(({ resource }) => resource)
    .filter((resource) => misses.every(({ found }) => found.some((shortage) => shortage.resource === resource && shortage.allocatable <= 0n)));
  return { room: best.room, shortages: best.found, absent };
}

function compareShares(left: readonly number[], right: readonly number[]): number {
  for (let position = 0; position < Math.max(left.length, right.length); position++) {
    const difference = (left[position] ?? 0) - (right[position] ?? 0);
    if (difference !== 0) {
      return difference;
    }
  }
  return 0;
}

function compareNames(left: Room, right: Room): number {
  const [first, second] = [left, right].map(({ pool, table, index }) => `${table.names[index]} ${pool.name}`);
  return first < second ? -1 : Number(first > second);
}
