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
  let best = { room: rooms[0], shares: sharesMissing(rooms[0], requests) };
  for (const room of rooms.slice(1)) {
    const shares = sharesMissing(room, requests);
    if ((compareShares(shares, best.shares) || compareNames(room, best.room)) < 0) {
      best = { room, shares };
    }
  }
  const { room } = best;
  const found = shortages(room.table, room.index, requests, room.daemons);
  const absent = found.map(({ resource }) => resource)
    .filter((resource) => rooms.every(({ table, index }) => amountOf(table, index, resource) <= 0));
  return { room, shortages: found, absent };
}

/** Of every resource that is short, how much of what is wanted is missing: largest first. */
function sharesMissing({ table, index, daemons }: Room, requests: ResourceList): number[] {
  const shares: number[] = [];
  const add = (resource: string, available: number) => {
    const wanted = Number(requests.get(resource) ?? 0n) + Number(daemons.get(resource) ?? 0n);
    if (wanted > available) {
      shares.push((wanted - available) / wanted);
    }
  };
  table.resources.forEach((resource, row) => add(resource, table.allocatable[row][index]));
  for (const resource of new Set([...requests.keys(), ...daemons.keys()])) {
    if (!table.resources.includes(resource)) {
      add(resource, 0);
    }
  }
  return shares.sort((left, right) => right - left);
}

function amountOf(table: InstanceTypeTable, index: number, resource: string): number {
  const row = table.resources.indexOf(resource);
  return row < 0 ? 0 : table.allocatable[row][index];
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
