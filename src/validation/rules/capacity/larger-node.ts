import { NearestNode, EmptyNode } from './nearest-node';
import { amiFamilyTraits, describeInstanceType, NodeClassFacts } from '../../../catalog';
import {
  amountsPerColumnUnit,
  amountsText,
  formatAmount,
  hourlyPriceText,
  Label,
  listText,
  Requirements,
  ResourceList,
} from '../../../model';
import { cheapestPrice, matchingTypes, PodShape } from '../../../scheduling';
import { allocatableOf, capacityOf, fitsOnType } from '../../instance-types/node-fit';
import { requirementAlternatives } from '../common/pod-constraints';
import { templateRequirements } from '../common/pool';
import { RuleContext } from '../rule';

/** Labels of a node's size. The first search ignores requirements on them. */
const SIZE_KEYS: readonly string[] = [
  Label.INSTANCE_TYPE,
  Label.INSTANCE_SIZE,
  Label.INSTANCE_CPU,
  Label.INSTANCE_MEMORY,
  Label.INSTANCE_FAMILY,
];
/** How many devices a node has. */
const DEVICE_COUNT_KEYS: readonly string[] = [Label.INSTANCE_GPU_COUNT, Label.INSTANCE_ACCELERATOR_COUNT];
/** Where a node is, and which software it runs. The second search keeps only requirements on these labels. */
const PLACE_KEYS: readonly string[] = [Label.ZONE, Label.REGION, Label.CAPACITY_TYPE, Label.ARCH, Label.OS];

const STORAGE = 'ephemeral-storage';
const GIB = 2 ** 30;
const GB = 1e9;
/** The families for which each supported Karpenter sets up a RAID of the instance store. */
const RAID0_FAMILIES: readonly string[] = ['AL2', 'AL2023'];

/** An instance type that the NodePool does not allow. */
export interface LargerType {
  readonly name: string;
  readonly index: number;
  /** $/h */
  readonly price: number;
}

/**
 * The cheapest instance type that would fit the pod if the NodePool allowed it, as similar to the allowed types as
 * possible.
 *
 * @param isShortOfDevices whether the pod requests more devices than a node has: then the family of the devices and
 * their memory stay, and their number may change
 */
export function findLargerType(
  { pool, table, index, daemons }: EmptyNode,
  shape: PodShape,
  requests: ResourceList,
  isShortOfDevices: boolean,
): LargerType | undefined {
  const template = templateRequirements(pool.spec!).values();
  const devices = [...SIZE_KEYS, ...DEVICE_COUNT_KEYS];
  const relaxed = [
    ...(isShortOfDevices
      ? [devices.filter((key) => key !== Label.INSTANCE_FAMILY), devices].map((keys) =>
          template.filter(({ key }) => !keys.includes(key)),
        )
      : []),
    template.filter(({ key }) => !SIZE_KEYS.includes(key)),
    template.filter(({ key }) => PLACE_KEYS.includes(key)),
  ];
  // Software for one architecture seldom runs on another, even if the NodePool lists instance types and no
  // architecture.
  const architecture = Requirements.fromLabels({
    [Label.ARCH]: describeInstanceType(table, index).labels[Label.ARCH],
  }).values();
  const searches = [...relaxed.map((kept) => [...kept, ...architecture]), ...relaxed];
  for (const kept of searches) {
    for (const specs of requirementAlternatives(shape)) {
      const requirements = Requirements.of([...kept, ...Requirements.from(specs).values()]);
      const fitting = matchingTypes(table, requirements).filter((type) => fitsOnType(table, type, requests, daemons));
      const [cheapest] = fitting
        .map(
          (type): LargerType => ({
            name: table.names[type],
            index: type,
            price: cheapestPrice(table, requirements, type),
          }),
        )
        .sort((left, right) => left.price - right.price || (left.name < right.name ? -1 : 1));
      if (cheapest !== undefined) {
        return cheapest;
      }
    }
  }
  return undefined;
}

/** The devices and the price of the type, and the limits of the NodePool that its nodes exceed. */
export function deviceTypeText(
  { plan, model }: RuleContext,
  { pool, table, daemons }: EmptyNode,
  { index, price }: LargerType,
  { resource, pods, requests }: { readonly resource: string; readonly pods: number; readonly requests: ResourceList },
): string {
  const [capacity, allocatable] = [capacityOf(table, index), allocatableOf(table, index)];
  const podsOfNode = [...requests].flatMap(([name, wanted]) =>
    wanted > 0n ? [Number(((allocatable.get(name) ?? 0n) - (daemons.get(name) ?? 0n)) / wanted)] : [],
  );
  const nodes = Math.ceil(pods / Math.max(1, Math.min(...podsOfNode)));
  // Until a node is launched, it counts against the limits as the largest type that it could be.
  const all = nodes + plan.nodeClaims.filter(({ nodePool }) => nodePool === pool.name).length;
  const raised = model.cluster
    ? []
    : [...(pool.spec?.limits ?? [])].flatMap(([name, limit]) => {
        const amount = BigInt(all) * (name === 'nodes' ? 1n : (capacity.get(name) ?? 0n));
        const step = name === 'memory' ? BigInt(GIB * amountsPerColumnUnit(name)) : 1n;
        const needed = ((amount + step - 1n) / step) * step;
        return needed > limit ? [`${name} ${formatAmount(name, needed)}`] : [];
      });
  const limits = raised.length === 0 ? '' : `, and raise the limits of NodePool ${pool.name} to ${listText(raised)}`;
  const cost = Number.isFinite(price) ? ` at ${hourlyPriceText(price)}` : '';
  return `, which has ${amountsText([resource], capacity)}${cost}${limits}`;
}

/**
 * The volume size that would fit the pod's ephemeral storage; undefined if anything else is short too. Another
 * instance type does not help, because the node class sets the volume size.
 *
 * @see https://karpenter.sh/docs/concepts/nodeclasses/#specblockdevicemappings
 */
export function largerVolumeRemedy(
  nodeClass: NodeClassFacts | undefined,
  { node, shortages }: NearestNode,
  requests: ResourceList,
  nodes: readonly EmptyNode[],
): string | undefined {
  const { table, index, daemons } = node;
  const row = table.resources.indexOf(STORAGE);
  if (!nodeClass || row < 0 || shortages.some(({ resource }) => resource !== STORAGE)) return undefined;
  const wanted = Number((requests.get(STORAGE) ?? 0n) + (daemons.get(STORAGE) ?? 0n)) / amountsPerColumnUnit(STORAGE);
  const [capacity, allocatable] = [table.capacity[row][index], table.allocatable[row][index]];
  if (allocatable <= 0) return undefined;
  // The kubelet reserves a share of the volume and a constant amount, so scaling both by the same factor is always
  // enough.
  const gibibytes = Math.ceil((wanted * capacity) / allocatable / GIB);
  const volume = `set volumeSize: ${gibibytes}Gi for ${deviceOf(nodeClass)} in spec.blockDeviceMappings of EC2NodeClass ${nodeClass.name}`;
  return hasRoomOnInstanceStore(nodeClass, nodes, gibibytes * GIB)
    ? `write instanceStorePolicy: RAID0 in EC2NodeClass ${nodeClass.name}, which makes the instance store of the allowed types the storage of pods, or ${volume}`
    : volume;
}

/** Whether all instance types have an instance store that the class does not use, and one of them is large enough. */
function hasRoomOnInstanceStore(
  { amiFamily, instanceStoreRaid0 }: NodeClassFacts,
  nodes: readonly EmptyNode[],
  bytes: number,
): boolean {
  if (instanceStoreRaid0 === true || !RAID0_FAMILIES.includes(amiFamily)) return false;
  const stores = nodes.map(
    ({ table, index }) => Number(describeInstanceType(table, index).labels[Label.INSTANCE_LOCAL_NVME] ?? 0) * GB,
  );
  return stores.every((store) => store > 0) && stores.some((store) => store >= bytes);
}

function deviceOf({ amiFamily, blockDevices = [] }: NodeClassFacts): string {
  const root = blockDevices.find(({ rootVolume }) => rootVolume === true);
  return root?.deviceName ?? amiFamilyTraits(amiFamily).ephemeralDevice ?? 'the volume of the pods';
}
