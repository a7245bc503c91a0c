import { Label, normalizeLabelKey, WELL_KNOWN_LABELS } from './label-keys';

const INSTANCE_PREFIX = 'karpenter.k8s.aws/instance-';

/** Labels that say nothing about an instance type. */
const NOT_OF_TYPES: ReadonlySet<string> = new Set([Label.NODE_POOL]);

const OTHER_NAMES: ReadonlyMap<string, string> = new Map([
  ['instance-type', Label.INSTANCE_TYPE],
  ['name', Label.INSTANCE_TYPE],
  ['vcpu', Label.INSTANCE_CPU],
  ['flex', Label.INSTANCE_CAPABILITY_FLEX],
  ['nvme', Label.INSTANCE_LOCAL_NVME],
  ['instance-store', Label.INSTANCE_LOCAL_NVME],
]);

const SHORT_NAMES: ReadonlyMap<string, string> = new Map(
  [...WELL_KNOWN_LABELS].filter((key) => !NOT_OF_TYPES.has(key)).map((key) => [shortName(key), key]),
);

function shortName(key: string): string {
  if (key === Label.INSTANCE_TYPE) return 'type';
  return key.startsWith(INSTANCE_PREFIX) ? key.slice(INSTANCE_PREFIX.length) : key.slice(key.indexOf('/') + 1);
}

/** Short names of the labels of instance types, sorted: `family` for `karpenter.k8s.aws/instance-family`. */
export const LABEL_SHORT_NAMES: readonly string[] = [...SHORT_NAMES.keys()].sort();

/** The key of a label of instance types, from its short name or from the key itself. */
export function labelKeyOf(name: string): string | undefined {
  const key = normalizeLabelKey(name);
  if (WELL_KNOWN_LABELS.has(key) && !NOT_OF_TYPES.has(key)) return key;
  return (
    SHORT_NAMES.get(name) ??
    OTHER_NAMES.get(name) ??
    (name.startsWith('instance-') ? SHORT_NAMES.get(name.slice('instance-'.length)) : undefined)
  );
}

/** The short name of a label; the key itself if it has none. */
export function labelShortName(key: string): string {
  const name = shortName(key);
  return SHORT_NAMES.get(name) === key ? name : key;
}

/** Labels whose values are whole numbers. Memory is in MiB, bandwidth in Mbit/s, instance store in GB. */
const NUMERIC: ReadonlySet<string> = new Set([
  Label.INSTANCE_GENERATION,
  Label.INSTANCE_CPU,
  Label.INSTANCE_CPU_SUSTAINED_CLOCK_SPEED_MHZ,
  Label.INSTANCE_MEMORY,
  Label.INSTANCE_EBS_BANDWIDTH,
  Label.INSTANCE_NETWORK_BANDWIDTH,
  Label.INSTANCE_LOCAL_NVME,
  Label.INSTANCE_GPU_COUNT,
  Label.INSTANCE_GPU_MEMORY,
  Label.INSTANCE_ACCELERATOR_COUNT,
  Label.PLACEMENT_GROUP_PARTITION,
]);

/** Labels whose values are numbers of MiB. */
const MEMORY: ReadonlySet<string> = new Set([Label.INSTANCE_MEMORY, Label.INSTANCE_GPU_MEMORY]);

/** What the values of a label are. */
export function labelValueKind(key: string): 'text' | 'number' | 'MiB' {
  if (MEMORY.has(key)) return 'MiB';
  return NUMERIC.has(key) ? 'number' : 'text';
}
