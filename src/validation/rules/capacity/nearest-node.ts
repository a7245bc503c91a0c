import { InstanceTypeTable } from '../../../catalog';
import { amountsPerColumnUnit, ResourceList } from '../../../model';
import { Shortage, shortages } from '../../instance-types/node-fit';
import { Pool } from '../common/pool';

/** An empty node that a NodePool could launch. */
export interface EmptyNode {
  readonly pool: Pool;
  readonly table: InstanceTypeTable;
  readonly index: number;
  /** Requests of the daemonsets that run on the node. */
  readonly daemons: ResourceList;
}

export interface NearestNode {
  readonly node: EmptyNode;
  readonly shortages: readonly Shortage[];
  /** Resources of the shortages that no node has at all. */
  readonly absent: readonly string[];
}

/**
 * The node that comes nearest to fitting the requests: its largest shortage, as a share of the requested amount, is
 * the smallest.
 */
export function nearestNode(nodes: readonly EmptyNode[], requests: ResourceList): NearestNode {
  let best = { node: nodes[0], shares: sharesMissing(nodes[0], requests) };
  for (const node of nodes.slice(1)) {
    const shares = sharesMissing(node, requests);
    if ((compareShares(shares, best.shares) || compareNames(node, best.node)) < 0) {
      best = { node, shares };
    }
  }
  const { node } = best;
  const short = shortages(node.table, node.index, requests, node.daemons);
  const absent = short
    .map(({ resource }) => resource)
    .filter((resource) => nodes.every(({ table, index }) => amountOf(table, index, resource) <= 0));
  return { node, shortages: short, absent };
}

/** Missing share of each resource that is short, largest first. */
function sharesMissing({ table, index, daemons }: EmptyNode, requests: ResourceList): number[] {
  const shares: number[] = [];
  const add = (resource: string, available: number) => {
    const wanted =
      Number((requests.get(resource) ?? 0n) + (daemons.get(resource) ?? 0n)) / amountsPerColumnUnit(resource);
    if (wanted > available) {
      shares.push((wanted - available) / wanted);
    }
  };
  table.resources.forEach((resource, row) => add(resource, table.allocatable[row][index]));
  for (const resource of new Set([...requests.keys(), ...daemons.keys()])) {
    if (!table.resources.includes(resource)) {
      add(resource, 0);
    }
  }
  return shares.sort((left, right) => right - left);
}

function amountOf(table: InstanceTypeTable, index: number, resource: string): number {
  const row = table.resources.indexOf(resource);
  return row < 0 ? 0 : table.allocatable[row][index];
}

function compareShares(left: readonly number[], right: readonly number[]): number {
  for (let position = 0; position < Math.max(left.length, right.length); position++) {
    const difference = (left[position] ?? 0) - (right[position] ?? 0);
    if (difference !== 0) {
      return difference;
    }
  }
  return 0;
}

function compareNames(left: EmptyNode, right: EmptyNode): number {
  const [first, second] = [left, right].map(({ pool, table, index }) => `${table.names[index]} ${pool.name}`);
  return first < second ? -1 : Number(first > second);
}
