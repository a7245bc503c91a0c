import { Amounts, NodeVerdict } from '../../vocabulary/node-verdict';

/** The resources that a price is divided among. */
export const PRICED = ['cpu', 'ram', 'gpu'] as const;
export type Priced = (typeof PRICED)[number];
export type PricedAmounts = Readonly<Record<Priced, number>>;

/**
 * USD an hour for a core, a GiB and a GPU. Only the proportions matter.
 *
 * @see https://github.com/opencost/opencost/blob/develop/configs/aws.json
 */
export const WEIGHTS: PricedAmounts = { cpu: 0.031611, ram: 0.004237, gpu: 0.95 };
const BYTES_PER_GIB = 2 ** 30;
/** A node has devices of one kind. The later names count parts of the same devices. */
const DEVICES = ['nvidia.com/gpu', 'amd.com/gpu', 'habana.ai/gaudi', 'aws.amazon.com/neuron'];
const PARTS_OF_DEVICES = ['aws.amazon.com/neuroncore', 'aws.amazon.com/neurondevice'];

/** What a node has of each priced resource, and how much of it something uses. */
export interface NodeAmounts {
  readonly capacity: PricedAmounts;
  readonly daemonSets: PricedAmounts;
  /** What is reserved for the system. */
  readonly system: PricedAmounts;
}

export function nodeAmounts({ capacity, allocatable, requests }: NodeVerdict): NodeAmounts {
  const [all, left] = [pricedAmounts(capacity, capacity), pricedAmounts(allocatable, capacity)];
  return {
    capacity: all,
    daemonSets: pricedAmounts(requests.daemonSets, capacity),
    // Devices that are not allocatable are broken, not reserved.
    system: mapPriced((resource) => (resource === 'gpu' ? 0 : Math.max(0, all[resource] - left[resource]))),
  };
}

/** Cores, GiB and devices. */
export function pricedAmounts(amounts: Amounts, capacity: Amounts): PricedAmounts {
  return { cpu: amounts.cpu ?? 0, ram: (amounts.memory ?? 0) / BYTES_PER_GIB, gpu: devicesOf(amounts, capacity) };
}

function devicesOf(amounts: Amounts, capacity: Amounts): number {
  const devices = DEVICES.reduce((sum, resource) => sum + (capacity[resource] ?? 0), 0);
  const shares = [...DEVICES, ...PARTS_OF_DEVICES].map((resource) =>
    capacity[resource] ? (amounts[resource] ?? 0) / capacity[resource] : 0,
  );
  return Math.min(1, amounts === capacity ? 1 : shares.reduce((sum, share) => sum + share, 0)) * devices;
}

export function mapPriced(map: (resource: Priced) => number): PricedAmounts {
  return { cpu: map('cpu'), ram: map('ram'), gpu: map('gpu') };
}
