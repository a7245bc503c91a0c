import { amountsIn, hasRoom } from './node-fit';
import { commonRequirements, refusingTaint } from './pod-constraints';
import { Pool, PoolLaunch } from './pool';
import { Label, merge, Requirement, Requirements, ResourceList } from '../../../model';
import { matchingTypes, PodShape } from '../../../scheduling';
import { oncePer } from '../../once-per';

/** What EC2 may choose from when it launches spot. */
export interface SpotChoice {
  readonly instanceTypes: readonly string[];
  readonly zones: readonly string[];
}

const SPOT = Requirement.from({ key: Label.CAPACITY_TYPE, operator: 'In', values: ['spot'] });
const ONE_POD: ResourceList = new Map([['pods', 1n]]);

/** Of the NodePool, whatever the pods are. */
export function spotChoiceOf({ launch, requirements }: Pool): SpotChoice {
  return launch && requirements ? choice(launch, spotTypes(launch, requirements), [requirements]) : { instanceTypes: [], zones: [] };
}

/** What NodePools can launch on spot for one pod, worked out once for all pods with the same constraints. */
export class SpotChoices {
  private readonly known = new Map<string, SpotRooms>();

  /** For an empty node. At most so many types are looked for, the largest first. */
  public for(shape: PodShape, pool: Pool, most: number = Infinity): SpotChoice {
    const { launch } = pool;
    if (!launch) return { instanceTypes: [], zones: [] };
    const { rooms, requirements } = this.roomsFor(shape, pool, launch);
    const requests = amountsIn(launch.table, merge(shape.requests, ONE_POD));
    const found: number[] = [];
    for (let at = rooms.length - 1; requests && at >= 0 && found.length < most; at--) {
      const { index, daemons } = rooms[at];
      if (hasRoom(launch.table, index, requests, daemons)) found.push(index);
    }
    return choice(launch, found.reverse(), requirements);
  }

  private roomsFor(shape: PodShape, pool: Pool, launch: PoolLaunch): SpotRooms {
    const key = JSON.stringify([pool.name, shape.nodeSelector, shape.requiredNodeAffinity, shape.tolerations]);
    const found = this.known.get(key) ?? findRooms(shape, pool, launch);
    this.known.set(key, found);
    return found;
  }
}

interface SpotRooms {
  readonly rooms: ReadonlyArray<{ readonly index: number; readonly daemons: readonly number[] }>;
  readonly requirements: readonly Requirements[];
}

function findRooms(shape: PodShape, pool: Pool, launch: PoolLaunch): SpotRooms {
  const requirements = refusingTaint(shape, pool.spec!.taints) === undefined ? commonRequirements(shape, pool) : [];
  const allowed = new Set(requirements.flatMap((each) => spotTypes(launch, each)));
  const amountsOf = oncePer((list: ResourceList) => amountsIn(launch.table, list));
  const rooms = launch.indices.flatMap((index, position) => {
    const daemons = allowed.has(index) ? amountsOf(launch.view.daemonOverhead[position]) : undefined;
    return daemons ? [{ index, daemons }] : [];
  });
  return { rooms, requirements };
}

function spotTypes({ table, indices }: PoolLaunch, requirements: Requirements): number[] {
  const onSpot = requirements.copy();
  onSpot.add(SPOT);
  return matchingTypes(table, onSpot, indices);
}

function choice({ table }: PoolLaunch, types: readonly number[], requirements: readonly Requirements[]): SpotChoice {
  const planes = table.offerings.filter(({ zone, capacityType, usdPerHour }) => capacityType === 'spot'
    && requirements.some((each) => each.get(Label.ZONE).has(zone)) && types.some((type) => !Number.isNaN(usdPerHour[type])));
  return { instanceTypes: types.map((type) => table.names[type]), zones: [...new Set(planes.map(({ zone }) => zone))].sort() };
}
