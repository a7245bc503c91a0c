import { Catalog, InstanceTypeTable } from '../catalog';
import { Label, Requirements, ResourceList } from '../model';
import { limitsLeft } from './existing-nodes';
import { poolTables } from './node-overlays';
import { NodePoolSpec, ScheduleInput } from './schedule-input';
import { isStatic } from './static-pools';

/** A NodePool that Karpenter would consider, with its instance types as its node class resolves them. */
export interface PoolTemplate {
  readonly pool: NodePoolSpec;
  readonly table: InstanceTypeTable;
  /** The requirements of every node of the pool, its labels included. */
  readonly requirements: Requirements;
  /** What the pool's limits leave, after the nodes that it has. Absent keys are unlimited. */
  readonly limitsLeft: ResourceList;
}

/** Labels that a node has once it is up; Karpenter counts on them where it asks which daemonsets run on a node. */
const SIMULATED_LABELS: Readonly<Record<string, string>> = { 'karpenter.sh/registered': 'true', 'karpenter.sh/initialized': 'true' };
/** A limit on the number of nodes, which no instance type has as a capacity. */
export const NODES = 'nodes';

const NODE_CLASS_LABEL = 'karpenter.k8s.aws/ec2nodeclass';

/**
 * In the order in which Karpenter tries them: the heaviest first, and of equal weight the last by name. Where all pools are static there
 * is none that launches a node for a pod; they stand here all the same, as full, for pods to be put on the nodes that they have.
 */
export function templatesOf(input: ScheduleInput, catalog: Catalog): PoolTemplate[] {
  const dynamic = input.nodePools.filter((pool) => !isStatic(pool));
  if (dynamic.length > 0) return inOrder(dynamic, input, catalog);
  return inOrder(input.nodePools, input, catalog).map((template) => ({ ...template, limitsLeft: new Map([[NODES, 0n]]) }));
}

function inOrder(pools: readonly NodePoolSpec[], input: ScheduleInput, catalog: Catalog): PoolTemplate[] {
  return [...pools]
    .sort((left, right) => right.weight - left.weight || (left.name < right.name ? 1 : -1))
    .flatMap((pool) => templateOf(pool, input, catalog) ?? []);
}

/** Undefined where the pool's node class is missing. */
export function templateOf(pool: NodePoolSpec, input: ScheduleInput, catalog: Catalog): PoolTemplate | undefined {
  const table = poolTables(input, catalog).tables.get(pool.name);
  return table && { pool, table, requirements: requirementsOf(pool), limitsLeft: limitsLeft(pool, input.nodes ?? []) };
}

function requirementsOf(pool: NodePoolSpec): Requirements {
  const requirements = Requirements.from(pool.requirements);
  requirements.add(...Requirements.fromLabels({
    ...pool.labels, [Label.NODE_POOL]: pool.name, [NODE_CLASS_LABEL]: pool.nodeClass, ...SIMULATED_LABELS,
  }).values());
  return requirements;
}

/** What some pool limits, by name; the number of nodes aside. */
export function limitedResources(templates: readonly PoolTemplate[]): string[] {
  return [...new Set(templates.flatMap(({ pool }) => [...pool.limits.keys()]))].filter((resource) => resource !== NODES).sort();
}
