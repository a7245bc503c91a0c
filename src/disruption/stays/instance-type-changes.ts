import { InstanceTypeTable } from '../../catalog';
import {
  columnAmount,
  countText,
  Label,
  labelWords,
  listText,
  merge,
  normalizeLabelKey,
  Requirements,
} from '../../model';
import { cheapestPrice, compatibleTypes, NodePoolSpec, poolWithValue } from '../../scheduling';
import { Cluster, ClusterNode } from '../cluster';
import { reschedulablePods } from '../pods';
import { EndState } from './end-state';
import { Change } from './what-if';

/** How many instance types are tried, one by one. */
const MAX_TYPES = 3;
/** Labels of instance types by which NodePools choose sizes and families, not architectures or devices. */
const SIZE_LABELS: readonly string[] = [
  Label.INSTANCE_TYPE,
  Label.INSTANCE_SIZE,
  Label.INSTANCE_CPU,
  Label.INSTANCE_MEMORY,
  Label.INSTANCE_FAMILY,
  Label.INSTANCE_GENERATION,
];
/** Older instance types are cheap on spot, but many zones no longer have them. */
const MODERN_GENERATION = 5;

/**
 * Allows one more instance type: one that is cheaper than the node, and has room for its pods. Types of the family of
 * the node come first.
 *
 * @param isAnyFamily whether smaller types of other families of its category are tried, too
 */
export function oneCheaperType(poolName: string, node: ClusterNode, end: EndState, isAnyFamily: boolean): Change[] {
  const [pool, table] = [poolOf(poolName, end), end.tableOf(poolName)];
  if (!pool || !table) return [];
  const nodePrice = end.candidates.get(node.name)?.price ?? 0;
  const fits = roomFor(node, table);
  const own = table.names.indexOf(node.labels[Label.INSTANCE_TYPE] ?? '');
  const isLike = (key: string, type: number) => own >= 0 && labelOf(table, key, type) === labelOf(table, key, own);
  const cpu = table.allocatable[table.resources.indexOf('cpu')];
  const isSmaller = (type: number) => own >= 0 && cpu[type] < cpu[own];
  return SIZE_LABELS.flatMap((key) => {
    const others = Requirements.from(pool.requirements.filter((spec) => normalizeLabelKey(spec.key) !== key));
    if (!pool.requirements.some((spec) => normalizeLabelKey(spec.key) === key)) return [];
    const [isAllowedByOthers, isAllowed] = [others, Requirements.from(pool.requirements)].map((requirements) =>
      compatibleTypes(table, requirements),
    );
    return table.names.flatMap((name, type) => {
      if (!isAllowedByOthers[type] || isAllowed[type] || !fits(type) || !isLike(Label.ARCH, type)) return [];
      // A type of the same size in another family would make all nodes cheaper, whatever keeps this one.
      const isOfFamily = isLike(Label.INSTANCE_FAMILY, type);
      if (!isOfFamily && !(isAnyFamily && isLike(Label.INSTANCE_CATEGORY, type) && isSmaller(type))) return [];
      const price = cheapestPrice(table, others, type);
      const value = labelOf(table, key, type);
      return price < nodePrice && value !== undefined ? [{ key, value, name, price, isSameFamily: isOfFamily }] : [];
    });
  })
    .sort(
      (left, right) =>
        Number(right.isSameFamily) - Number(left.isSameFamily) ||
        left.price - right.price ||
        (left.name < right.name ? -1 : 1),
    )
    .filter(
      ({ key, value }, index, all) => all.findIndex((other) => other.key === key && other.value === value) === index,
    )
    .slice(0, MAX_TYPES)
    .map(({ key, value }) => ({
      text: `allow ${labelWords(key)} ${value} in NodePool ${poolName}`,
      apply: (cluster) => withPool(cluster, poolName, (spec) => poolWithValue(spec, key, value)),
    }));
}

/** Allows more instance types: all of the same categories from generation 5 on, instead of the listed ones. */
export function moreSpotTypes(poolName: string, end: EndState): Change[] {
  const [pool, table] = [poolOf(poolName, end), end.tableOf(poolName)];
  if (!pool || !table) return [];
  const isAllowed = compatibleTypes(table, Requirements.from(pool.requirements));
  const types = table.names.map((_, type) => type).filter((type) => isAllowed[type]);
  const categories = distinct(types.map((type) => labelOf(table, Label.INSTANCE_CATEGORY, type)));
  const architectures = distinct(types.map((type) => labelOf(table, Label.ARCH, type)));
  const dropped = distinct(pool.requirements.map(({ key }) => normalizeLabelKey(key))).filter((key) =>
    SIZE_LABELS.includes(key),
  );
  if (dropped.length === 0 || categories.length === 0) return [];
  const wider = [
    { key: Label.INSTANCE_CATEGORY, operator: 'In', values: categories },
    { key: Label.INSTANCE_GENERATION, operator: 'Gt', values: [String(MODERN_GENERATION - 1)] },
    { key: Label.ARCH, operator: 'In', values: architectures },
  ] as const;
  const isKept = ({ key }: NodePoolSpec['requirements'][number]) =>
    !SIZE_LABELS.includes(normalizeLabelKey(key)) && normalizeLabelKey(key) !== Label.INSTANCE_CATEGORY;
  return [
    {
      text: `allow instance ${categories.length === 1 ? 'category' : 'categories'} ${listText(categories)} of generation ${MODERN_GENERATION} and later in NodePool ${poolName}, instead of ${countText(types.length, 'instance type')}`,
      apply: (cluster) =>
        withPool(cluster, poolName, (spec) => ({
          ...spec,
          requirements: [...spec.requirements.filter(isKept), ...wider],
        })),
    },
  ];
}

function poolOf(name: string, { cluster }: EndState): NodePoolSpec | undefined {
  return cluster.scheduling.nodePools.find((pool) => pool.name === name);
}

function withPool(cluster: Cluster, name: string, change: (pool: NodePoolSpec) => NodePoolSpec): Cluster {
  const { scheduling } = cluster;
  const nodePools = scheduling.nodePools.map((pool) => (pool.name === name ? change(pool) : pool));
  return { ...cluster, scheduling: { ...scheduling, nodePools } };
}

/** Whether a type has room for the pods of the node. A quick check: the simulation decides. */
function roomFor({ pods }: ClusterNode, table: InstanceTypeTable): (type: number) => boolean {
  const daemons = pods.filter(({ daemon }) => daemon);
  const requests = merge(...[...reschedulablePods(pods), ...daemons].map(({ shape }) => shape.requests));
  const count = BigInt(pods.length);
  return (type) =>
    table.resources.every((resource, column) => {
      const needed = resource === 'pods' ? count : (requests.get(resource) ?? 0n);
      return columnAmount(resource, table.allocatable[column][type]) >= needed;
    });
}

function labelOf({ labels }: InstanceTypeTable, key: string, type: number): string | undefined {
  const column = labels.find((candidate) => candidate.key === key);
  return column === undefined || column.codes[type] < 0 ? undefined : column.values[column.codes[type]];
}

function distinct(texts: ReadonlyArray<string | undefined>): string[] {
  return [...new Set(texts.filter((text) => text !== undefined))].sort();
}
