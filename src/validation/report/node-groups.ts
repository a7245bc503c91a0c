import { NodeVerdict } from '../vocabulary/node-verdict';

/** Nodes that share a row of a table. */
export interface NodeTableRow {
  readonly nodes: readonly NodeVerdict[];
  /** Whether the nodes differ only in name and zone. Otherwise, NodePool, instance type and capacity type are equal. */
  readonly areEqual: boolean;
  /** The mean price per hour; `null` if one is not known. */
  readonly pricePerNode: number | null;
}

/**
 * Groups equal nodes, the most expensive groups first. If there are more than `max` groups, nodes of one NodePool with
 * the same instance type are one group.
 */
export function groupNodes(nodes: readonly NodeVerdict[], max: number = Infinity): NodeTableRow[] {
  const equal = groupBy(
    nodes,
    ({ existing, nodePool, instanceType, capacityType, price, allocatable, requests, workloads }) =>
      JSON.stringify([
        existing,
        nodePool,
        instanceType,
        capacityType,
        price?.perHour,
        allocatable,
        requests,
        workloads,
      ]),
  );
  const areEqual = equal.length <= max;
  const groups = areEqual
    ? equal
    : groupBy(nodes, ({ existing, nodePool, instanceType, capacityType }) =>
        JSON.stringify([existing, nodePool, instanceType, capacityType]),
      );
  return groups
    .map((group): NodeTableRow => ({ nodes: group, areEqual, pricePerNode: meanPrice(group) }))
    .sort((left, right) => priceOf(right) - priceOf(left));
}

/** The requested share of each resource, DaemonSets included; `null` if the nodes have none of it. */
export function sharesOf(nodes: readonly NodeVerdict[], resources: readonly string[]): Array<number | null> {
  return resources.map((resource) => {
    const allocatable = nodes.reduce((sum, node) => sum + (node.allocatable[resource] ?? 0), 0);
    if (allocatable === 0) return null;
    return (
      nodes.reduce(
        (sum, { requests: { pods, daemonSets } }) => sum + (pods[resource] ?? 0) + (daemonSets[resource] ?? 0),
        0,
      ) / allocatable
    );
  });
}

function priceOf({ nodes, pricePerNode }: NodeTableRow): number {
  return nodes.length * (pricePerNode ?? 0);
}

function meanPrice(nodes: readonly NodeVerdict[]): number | null {
  if (nodes.some(({ price }) => price === null)) return null;
  return nodes.reduce((sum, { price }) => sum + price!.perHour, 0) / nodes.length;
}

function groupBy(nodes: readonly NodeVerdict[], keyOf: (node: NodeVerdict) => string): NodeVerdict[][] {
  const groups = new Map<string, NodeVerdict[]>();
  for (const node of nodes) {
    const group = groups.get(keyOf(node));
    if (group) group.push(node);
    else groups.set(keyOf(node), [node]);
  }
  return [...groups.values()];
}
