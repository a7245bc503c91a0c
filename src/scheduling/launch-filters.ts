import { InstanceTypeTable, OfferingPlane } from '../catalog';
import { Label } from '../model';

/** Capacities that make a type one that is only for those who ask for it. */
const ACCELERATORS = ['aws.amazon.com/neuron', 'aws.amazon.com/neuroncore', 'amd.com/gpu', 'nvidia.com/gpu', 'habana.ai/gaudi'];

/** Types with the offerings that a claim may have of them. */
export interface Offered {
  readonly types: readonly number[];
  readonly offers: (type: number, plane: OfferingPlane) => boolean;
}

/** Leaves bare metal and accelerators out, unless there is nothing else. */
export function withoutExotic(offered: Offered, table: InstanceTypeTable): Offered {
  const exotic = exoticTypes(table);
  const generic = offered.types.filter((type) => exotic[type] === 0);
  return generic.length === 0 ? offered : { ...offered, types: generic };
}

/** Where both are to be had, leaves out spot offerings that cost more than the cheapest on-demand offering of all the types. */
export function withoutDearSpot(offered: Offered, planes: readonly OfferingPlane[]): Offered {
  let onDemand = Infinity;
  let hasSpot = false;
  for (const plane of planes) {
    const isSpot = plane.capacityType === 'spot';
    if (isSpot ? hasSpot : plane.capacityType !== 'on-demand') continue;
    for (const type of offered.types) {
      if (!offered.offers(type, plane)) continue;
      if (isSpot) hasSpot = true;
      else if (plane.usdPerHour[type] < onDemand) onDemand = plane.usdPerHour[type];
    }
  }
  if (onDemand === Infinity || !hasSpot) return offered;
  const offers = (type: number, plane: OfferingPlane) => offered.offers(type, plane)
    && !(plane.capacityType === 'spot' && plane.usdPerHour[type] > onDemand);
  return { types: offered.types.filter((type) => planes.some((plane) => offers(type, plane))), offers };
}

const known = new WeakMap<InstanceTypeTable, Uint8Array>();

function exoticTypes(table: InstanceTypeTable): Uint8Array {
  let found = known.get(table);
  if (found === undefined) {
    found = judgeTypes(table);
    known.set(table, found);
  }
  return found;
}

function judgeTypes(table: InstanceTypeTable): Uint8Array {
  const sizes = table.labels.find(({ key }) => key === Label.INSTANCE_SIZE);
  const accelerators = ACCELERATORS.map((resource) => table.capacity[table.resources.indexOf(resource)]).filter((column) => column !== undefined);
  return Uint8Array.from(table.names, (_, type) => {
    const metal = sizes?.values[sizes.codes[type]]?.includes('metal') ?? false;
    return metal || accelerators.some((column) => column[type] !== 0) ? 1 : 0;
  });
}
