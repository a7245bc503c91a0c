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
  const pricesOf = (capacityType: string) => planes.filter((plane) => plane.capacityType === capacityType)
    .flatMap((plane) => offered.types.filter((type) => offered.offers(type, plane)).map((type) => plane.usdPerHour[type]));
  const onDemand = pricesOf('on-demand').reduce((least, price) => Math.min(least, price), Infinity);
  if (onDemand === Infinity || pricesOf('spot').length === 0) return offered;
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
