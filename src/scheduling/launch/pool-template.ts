import { Catalog, InstanceTypeTable } from '../../catalog';
import { Label, Requirements, ResourceList } from '../../model';
import { ExistingNode, isStatic, NodePoolSpec, ScheduleInput } from '../input/schedule-input';
import { poolTables } from './overlays/node-overlays';

export type NodeLabels = Readonly<Record<string, string>>;

/** A NodePool with the instance types of its node class; Karpenter's NodeClaimTemplate. */
export interface PoolTemplate {
  readonly pool: NodePoolSpec;
  readonly table: InstanceTypeTable;
  /** Requirements of every node of the pool, with its labels. */
  readonly requirements: Requirements;
  /** The pool's limits minus the capacity of its nodes. Absent keys are unlimited. */
  readonly limitsLeft: ResourceList;
  /** Cache of `launchedNode`: the labels of launched nodes by offer. */
  readonly launchedLabels: Map<string, NodeLabels>;
}

/** Labels that a node gets when it comes up. Karpenter assumes them when it checks which daemonsets run on a node. */
const SIMULATED_LABELS: NodeLabels = { 'karpenter.sh/registered': 'true', 'karpenter.sh/initialized': 'true' };
/** The limit on the number of nodes; no instance type has a capacity of this name. */
export const NODES = 'nodes';

const NODE_CLASS_LABEL = 'karpenter.k8s.aws/ec2nodeclass';

/**
 * The templates in the order in which Karpenter tries them: the heaviest first, and for equal weights the last by name.
 *
 * If all pools are static, no pool launches nodes for pods. The static pools are returned with a node limit of 0, so
 * that pods can still be scheduled onto their existing nodes.
 */
export function templatesOf(input: ScheduleInput, catalog: Catalog): PoolTemplate[] {
  const dynamic = input.nodePools.filter((pool) => !isStatic(pool));
  if (dynamic.length > 0) return inOrder(dynamic, input, catalog);
  return inOrder(input.nodePools, input, catalog).map((template) => ({
    ...template,
    limitsLeft: new Map([[NODES, 0n]]),
  }));
}

function inOrder(pools: readonly NodePoolSpec[], input: ScheduleInput, catalog: Catalog): PoolTemplate[] {
  return [...pools]
    .sort((left, right) => right.weight - left.weight || (left.name < right.name ? 1 : -1))
    .flatMap((pool) => templateOf(pool, input, catalog) ?? []);
}

/** Undefined if the pool's node class is missing. */
export function templateOf(pool: NodePoolSpec, input: ScheduleInput, catalog: Catalog): PoolTemplate | undefined {
  const table = poolTables(input, catalog).tables.get(pool.name);
  return (
    table && {
      pool,
      table,
      requirements: requirementsOf(pool),
      limitsLeft: limitsLeft(pool, input.nodes ?? []),
      launchedLabels: new Map(),
    }
  );
}

function requirementsOf(pool: NodePoolSpec): Requirements {
  const requirements = Requirements.from(pool.requirements);
  requirements.add(
    ...Requirements.fromLabels({
      ...pool.labels,
      [Label.NODE_POOL]: pool.name,
      [NODE_CLASS_LABEL]: pool.nodeClass,
      ...SIMULATED_LABELS,
    }).values(),
  );
  return requirements;
}

/** Sorted names of the resources that some pool limits, except the number of nodes. */
export function limitedResources(templates: readonly PoolTemplate[]): string[] {
  return [...new Set(templates.flatMap(({ pool }) => [...pool.limits.keys()]))]
    .filter((resource) => resource !== NODES)
    .sort();
}

/** The part of the pool's limits that its existing nodes leave. Hot path: runs over all nodes for each solve. */
export function limitsLeft(pool: NodePoolSpec, nodes: readonly ExistingNode[]): ResourceList {
  if (pool.limits.size === 0) return new Map();
  const ofPool = nodes.filter(
    ({ labels, markedForDeletion }) => !markedForDeletion && labels[Label.NODE_POOL] === pool.name,
  );
  return new Map([...pool.limits].map(([resource, limit]) => [resource, limit - usedBy(ofPool, resource)]));
}

function usedBy(nodes: readonly ExistingNode[], resource: string): bigint {
  if (resource === NODES) return BigInt(nodes.length);
  let used = 0n;
  for (const { capacity } of nodes) used += capacity.get(resource) ?? 0n;
  return used;
}
