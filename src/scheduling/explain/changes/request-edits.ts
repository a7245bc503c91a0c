import { Edit, Effort, podEdit } from './edit';
import { formatAmount, labelName, nearestName } from '../../../model';
import { Attempt } from '../../refusals/attempt';
import { isExtendedResource } from '../../refusals/devices';
import { allocatable } from '../../refusals/launchable-types';

const MEBIBYTE = 1000n * 2n ** 20n;
const GIBIBYTE = 1024n * MEBIBYTE;
/** More than the other containers of a pod request. */
const MOST_MILLICPUS = 1_000_000n;

/**
 * Fixes the unit of the request or the name of the device, or lowers the request to the largest amount that a type
 * offers. A request for a device is what the pod is for, so it is never removed.
 */
export function requestEdits(group: number, attempt: Attempt, resource: string, types: readonly number[]): Edit[] {
  const {
    template: { table },
    requests,
    overheadOf,
  } = attempt;
  if (resource === 'pods') return [];
  const wanted = requests.get(resource)!;
  const largestRoom = types.reduce((largest, type) => {
    const room = allocatable(table, resource, type) - (overheadOf(type).get(resource) ?? 0n);
    return room > largest ? room : largest;
  }, 0n);
  const amount = inWholeUnits(resource, largestRoom);
  const meant = meantResource(resource, table.resources);
  if (meant !== undefined)
    return [
      podEdit(group, Effort.TYPO, `request ${meant} instead of ${resource}`, (shape) => ({
        ...shape,
        requests: new Map([...shape.requests].map(([name, value]) => [name === resource ? meant : name, value])),
      })),
    ];
  if (amount <= 0n) return [];
  const lower = (effort: Effort, description: string, value: bigint) =>
    podEdit(group, effort, description, (shape) => ({
      ...shape,
      requests: new Map([...shape.requests, [resource, value]]),
    }));
  const inMeantUnit = meantAmount(resource, wanted, amount);
  return [
    ...(inMeantUnit === undefined
      ? []
      : [
          lower(
            Effort.TYPO,
            `request ${formatAmount(resource, inMeantUnit)} of ${resource} instead of ${formatAmount(resource, wanted)}`,
            inMeantUnit,
          ),
        ]),
    lower(effortOf(wanted, amount), describe(resource, wanted, amount), amount),
  ];
}

/** Names of devices that no device plugin registers, with the names that are registered. */
const REGISTERED: ReadonlyArray<readonly [name: RegExp, device: string]> = [
  [/\/(?:inferentia|trainium)\d?$/, 'aws.amazon.com/neuron'],
  [/(?:nvidia|google|amazon)\S*\/(?:nvidia-)?gpus?$|^alpha\S*gpu$/, 'nvidia.com/gpu'],
  [/(?:intel|habana)\S*\/gaudi\d?$/, 'habana.ai/gaudi'],
];

/**
 * The device that a misspelt resource was likely meant to be. `nvidia.com/gpu.shared` is a name that device plugins
 * use: what follows a dot or a hyphen is no typo.
 */
export function meantResource(resource: string, known: readonly string[]): string | undefined {
  const devices = known.filter(isExtendedResource);
  if (!isExtendedResource(resource) || known.includes(resource)) return undefined;
  const wanted = resource.toLowerCase();
  return (
    nearestName(resource, devices) ??
    devices.find((device) => /^[a-z0-9]+$/.test(wanted.startsWith(device) ? wanted.slice(device.length) : '')) ??
    devices.find((device) => labelName(device) === labelName(wanted) && device.includes(wanted.split(/[./]/)[0])) ??
    REGISTERED.find(([name, device]) => name.test(wanted) && devices.includes(device))?.[1]
  );
}

/**
 * The amount in the unit that was likely meant, if the written one is far above what any type offers: `cpu: 500` for
 * 500m, `cpu: 2Gi` for 2, and `memory: 4000Gi` for 4000Mi.
 */
function meantAmount(resource: string, wanted: bigint, room: bigint): bigint | undefined {
  const isCpu = resource === 'cpu' && wanted >= 100_000n && wanted > 8n * room && wanted % 1000n === 0n;
  const isMemory =
    resource === 'memory' && wanted >= 256n * GIBIBYTE && wanted > 64n * room && wanted % GIBIBYTE === 0n;
  const inBytes = resource === 'cpu' ? cpuWithoutBytes(wanted) : undefined;
  const meant = inBytes ?? (isCpu ? wanted / 1000n : isMemory ? wanted / 1024n : undefined);
  return meant !== undefined && meant <= room ? meant : undefined;
}

/** Thousandths of a CPU, in which each Gi counts as a CPU and each Mi as a thousandth; undefined if there are none. */
function cpuWithoutBytes(wanted: bigint): bigint | undefined {
  const [mebi, gibi, rest] = [wanted / MEBIBYTE, wanted / GIBIBYTE, wanted % MEBIBYTE];
  return mebi === 0n || rest >= MOST_MILLICPUS ? undefined : gibi * 1000n + (mebi % 1024n) + rest;
}

function describe(resource: string, wanted: bigint, amount: bigint): string {
  return `lower ${resource} from ${formatAmount(resource, wanted)} to ${formatAmount(resource, amount)}`;
}

/** Rounds bytes down to MiB. */
function inWholeUnits(resource: string, amount: bigint): bigint {
  const isBytes = resource === 'memory' || resource === 'ephemeral-storage';
  return isBytes ? (amount / MEBIBYTE) * MEBIBYTE : amount;
}

function effortOf(wanted: bigint, amount: bigint): Effort {
  if (amount * 10n >= wanted * 9n) return Effort.SLIGHTLY_SMALLER;
  return amount * 2n >= wanted ? Effort.OTHER_POD : Effort.MUCH_SMALLER;
}
