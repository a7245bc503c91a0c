import { asRecord, FieldPath, removeField, setField, unsafeFix } from '../../../contract';
import { amountText, listText, Quantity, resourceAmount } from '../../../model';
import { matchingTypes } from '../../../scheduling';
import { leavesNoRoomForPods, setsReserves } from '../../context/no-room-for-pods';
import { allocatableOf, capacityOf } from '../../instance-types/node-fit';
import { NodeClassManifest } from '../../manifest/model';
import { PlainRecord } from '../../manifest/records';
import { poolsOf } from '../common/pool';
import { defineRule, SubjectFinding } from '../define-rule';
import { RuleContext } from '../rule';
import { LaunchingPool, nodeClasses } from '../subjects';

const KUBELET: FieldPath = ['spec', 'kubelet'];
/** A percentage above it is more likely a share in use than a share that stays free. */
const LARGEST_FREE_SHARE = 50;
interface OddReserve {
  /** No kubelet needs so much: the defaults of the largest instance types are below it. */
  readonly above: Quantity;
  /** The amount in the unit that was likely meant; the same text if none is likely. */
  readonly meant: (text: string) => string;
}
const ODD_RESERVES: Readonly<Record<string, OddReserve>> = {
  memory: { above: Quantity.parse('10Gi'), meant: (text) => text.replace(/G(i?)$/, 'M$1') },
  cpu: { above: Quantity.parse('2'), meant: (text) => (/^\d{2,}$/.test(text) ? `${text}m` : text) },
};

/**
 * Karpenter plans with the settings of the kubelet. So pods fit, on larger or more nodes than they need.
 *
 * @see https://kubernetes.io/docs/concepts/scheduling-eviction/node-pressure-eviction/#eviction-thresholds
 */
export const kubeletKeepsNodeFromPods = defineRule({
  id: 'KARP-159',
  name: 'kubelet-keeps-node-from-pods',
  severity: 'warning',
  summary:
    'Kubelet settings of a node class keep most of a node from pods: eviction thresholds, reserves or podsPerCore.',
  subjects: nodeClasses({
    where: ({ object, facts }) => facts !== undefined && asRecord(object.raw?.spec?.kubelet) !== undefined,
  }),
  judge(nodeClass, context) {
    const kubelet = asRecord(nodeClass.object.raw.spec?.kubelet)!;
    const pools = poolsOfClass(nodeClass, context);
    const emptied = emptiedPools(nodeClass, context);
    const found = [...evictionFindings(kubelet), ...reserveFindings(kubelet, [...pools, ...emptied])];
    return [
      ...(emptied.length === 0 ? found : withEmptiedPools(found, kubelet, emptied)),
      ...placeFindings(kubelet, pools),
    ];
  },
});

function poolsOfClass({ object }: NodeClassManifest, context: RuleContext): LaunchingPool[] {
  return poolsOf(context).filter(
    (pool): pool is LaunchingPool =>
      pool.launch !== undefined && pool.launch.indices.length > 0 && pool.spec?.nodeClass === object.name,
  );
}

/** The pools of the class without an instance type that has room for pods, with the types that they would launch. */
function emptiedPools({ object, ...rest }: NodeClassManifest, context: RuleContext): LaunchingPool[] {
  return poolsOf(context).flatMap((pool) => {
    const { spec, requirements, launch } = pool;
    if (spec?.nodeClass !== object.name || launch === undefined || requirements === undefined) return [];
    if (!leavesNoRoomForPods(launch.view) || !setsReserves({ object, ...rest })) return [];
    return [{ ...pool, spec, requirements, launch: { ...launch, indices: matchingTypes(launch.table, requirements) } }];
  });
}

/** The findings as errors that say which NodePools launch nothing; one of its own if no setting stands out. */
function withEmptiedPools(
  findings: readonly SubjectFinding[],
  kubelet: PlainRecord,
  pools: readonly LaunchingPool[],
): SubjectFinding[] {
  const names = pools.map(({ name }) => name);
  const effect = `no instance type of NodePool ${listText(names)} has room left for pods: ${names.length === 1 ? 'it launches' : 'they launch'} no nodes`;
  if (findings.length > 0)
    return findings.map((finding) => ({ ...finding, severity: 'error', message: `${finding.message}; ${effect}` }));
  const settings = ['kubeReserved', 'systemReserved', 'evictionHard'].filter((field) => kubelet[field] !== undefined);
  return [
    {
      path: [...KUBELET, settings[0]],
      message: `${listText(settings)} ${settings.length === 1 ? 'keeps' : 'keep'} too much of each node from pods: ${effect}`,
      remedy: `lower ${listText(settings)}, or let the NodePool launch larger instance types`,
      evidence: { settings, nodePools: names },
      severity: 'error',
    },
  ];
}

function evictionFindings(kubelet: PlainRecord): SubjectFinding[] {
  return ['evictionHard', 'evictionSoft'].flatMap((field) =>
    Object.entries(asRecord(kubelet[field]) ?? {}).flatMap(([signal, value]): SubjectFinding[] => {
      const percent = typeof value === 'string' ? Number(/^(\d+(?:\.\d+)?)%$/.exec(value)?.[1]) : NaN;
      // 100% switches a signal off.
      if (!(percent > LARGEST_FREE_SHARE && percent < 100)) return [];
      const path = [...KUBELET, field, signal];
      const meant = `${Number((100 - percent).toFixed(2))}%`;
      return [
        {
          path,
          message: `${field} has ${signal}: ${percent}%, which is the share that must stay free: the kubelet reports pressure and evicts pods as soon as ${meant} is in use${field === 'evictionHard' ? ', and Karpenter plans larger nodes for the same pods' : ''}`,
          remedy: `write ${signal}: ${meant} if pods are to be evicted when ${percent}% is in use, or less, such as 5%`,
          evidence: { field, signal, percent },
          fix: unsafeFix(setField(path, meant)),
        },
      ];
    }),
  );
}

function reserveFindings(kubelet: PlainRecord, pools: readonly LaunchingPool[]): SubjectFinding[] {
  return ['systemReserved', 'kubeReserved'].flatMap((field) =>
    Object.entries(ODD_RESERVES).flatMap(([resource, { above, meant: meantBy }]): SubjectFinding[] => {
      const text = asRecord(kubelet[field])?.[resource];
      const quantity = typeof text === 'string' ? Quantity.tryParse(text) : undefined;
      if (typeof text !== 'string' || quantity === undefined) return [];
      const reserved = resourceAmount(resource, quantity);
      const [smallest, largest] = sizesOfNodes(pools, resource);
      const isTooMuch = largest !== undefined && largest.amount <= reserved;
      if (smallest === undefined || reserved <= resourceAmount(resource, above)) return [];
      if (reserved * 2n <= smallest.amount) return [];
      const path = [...KUBELET, field, resource];
      const meant = meantBy(text);
      return [
        {
          path,
          message: `${field} keeps ${amountText(resource, reserved)} of each node from pods, and ${smallest.instanceType}, which NodePool ${smallest.nodePool} allows, has ${amountText(resource, smallest.amount)}${isTooMuch ? '' : ': Karpenter plans larger nodes than the pods need'}`,
          remedy:
            meant === text
              ? `write less for ${resource}`
              : `write ${resource}: ${meant} if that is meant, or less than ${text}`,
          evidence: { field, resource, reserved: text, instanceType: smallest.instanceType },
          ...(meant === text ? {} : { fix: unsafeFix(setField(path, meant)) }),
        },
      ];
    }),
  );
}

/** The instance types with the least and the most of a resource that the pools launch. */
function sizesOfNodes(pools: readonly LaunchingPool[], resource: string) {
  const nodes = pools.flatMap(({ name, launch: { table, indices } }) =>
    indices.map((index) => ({
      nodePool: name,
      instanceType: table.names[index],
      amount: capacityOf(table, index).get(resource) ?? 0n,
    })),
  );
  const [first] = nodes;
  if (first === undefined) return [];
  return [
    nodes.reduce((least, node) => (node.amount < least.amount ? node : least), first),
    nodes.reduce((most, node) => (node.amount > most.amount ? node : most), first),
  ];
}

function placeFindings({ podsPerCore }: PlainRecord, pools: readonly LaunchingPool[]): SubjectFinding[] {
  if (typeof podsPerCore !== 'number' || podsPerCore <= 0) return [];
  const nodes = pools.flatMap(({ name, launch: { table, indices, view } }) =>
    indices.map((index, position) => {
      const unit = resourceAmount('pods', Quantity.parse('1'));
      const places = Number((allocatableOf(table, index).get('pods') ?? 0n) / unit);
      const daemons = Number((view.daemonOverhead[position].get('pods') ?? 0n) / unit);
      return { nodePool: name, instanceType: table.names[index], places, daemons };
    }),
  );
  const crowded = nodes.filter(({ places, daemons }) => daemons > 0 && daemons * 2 > places);
  if (crowded.length === 0) return [];
  const node = crowded.reduce((least, other) => (other.places < least.places ? other : least));
  return [
    {
      path: [...KUBELET, 'podsPerCore'],
      message: `podsPerCore: ${podsPerCore} gives ${node.instanceType}, which NodePool ${node.nodePool} allows, ${node.places} ${node.places === 1 ? 'pod' : 'pods'}, and daemonsets take ${Math.min(node.daemons, node.places)}: Karpenter plans more or larger nodes than the pods need`,
      remedy: 'remove podsPerCore: the default is what the addresses of each instance type allow',
      evidence: { podsPerCore, ...node, instanceTypes: crowded.length },
      fix: unsafeFix(removeField([...KUBELET, 'podsPerCore'])),
    },
  ];
}
