import { code, prose, table } from './inline';
import { monthlyAmountText, moreText, numberText, percentText } from '../../../model';
import { NodeVerdict, Verdict } from '../../vocabulary/verdict';
import { sharesOf } from '../node-groups';

const HEAD = ['NodePool', 'Nodes', 'Instance types', 'Per month', 'CPU requested', 'Memory requested'];
/** The most NodePools, and instance types of one NodePool. */
const MAX_POOLS = 12;
const MAX_TYPES = 3;

/** The nodes of each NodePool, the most expensive NodePool first, and of all. */
export function nodePoolsPart({
  nodes,
  nodeClaims,
  summary: {
    cost: { currency },
  },
}: Pick<Verdict, 'nodes' | 'nodeClaims' | 'summary'>): string[] {
  if (nodes.length === 0) return [];
  const failures = new Map(nodeClaims.map(({ id, launchFailure }) => [id, launchFailure]));
  const pools = [...groupByPool(nodes)].sort(([, left], [, right]) => priceOf(right) - priceOf(left));
  const printed = pools.length > MAX_POOLS + 1 ? pools.slice(0, MAX_POOLS) : pools;
  const others = pools.slice(printed.length).flatMap(([, members]) => members);
  const rows = printed.map(([pool, members]) =>
    rowOf(pool === null ? 'no NodePool' : code(pool), members, typesText(members, failures), currency),
  );
  return [
    table(HEAD, [
      ...rows,
      ...(others.length === 0 ? [] : [rowOf(moreText(pools.length - printed.length), others, '', currency)]),
      ...(pools.length === 1 ? [] : [rowOf('**all**', nodes, '', currency)]),
    ]),
  ];
}

function groupByPool(nodes: readonly NodeVerdict[]): Map<string | null, NodeVerdict[]> {
  const pools = new Map<string | null, NodeVerdict[]>();
  for (const node of nodes) pools.set(node.nodePool, [...(pools.get(node.nodePool) ?? []), node]);
  return pools;
}

function priceOf(nodes: readonly NodeVerdict[]): number {
  return nodes.reduce((sum, { price }) => sum + (price?.perHour ?? 0), 0);
}

function rowOf(name: string, nodes: readonly NodeVerdict[], types: string, currency: string): string[] {
  const [cpu, memory] = sharesOf(nodes, ['cpu', 'memory']).map((share) => (share === null ? '' : percentText(share)));
  const price = nodes.some((node) => node.price === null)
    ? 'unknown'
    : prose(monthlyAmountText(priceOf(nodes), currency));
  return [name, countText(nodes), types, price, cpu, memory];
}

/** `3`, or `2 and 1 new` if some exist already. */
function countText(nodes: readonly NodeVerdict[]): string {
  const existing = nodes.filter((node) => node.existing).length;
  if (existing === 0) return numberText(nodes.length);
  return existing === nodes.length
    ? `${numberText(existing)} existing`
    : `${numberText(existing)} and ${numberText(nodes.length - existing)} new`;
}

/** `c8i.96xlarge, 2 × m6i.32xlarge`, and why nodes cannot be launched. */
function typesText(nodes: readonly NodeVerdict[], failures: ReadonlyMap<string, string | undefined>): string {
  const counts = new Map<string, number>();
  const failed = new Set<string>();
  for (const { name, instanceType, existing } of nodes) {
    if (instanceType !== null) counts.set(instanceType, (counts.get(instanceType) ?? 0) + 1);
    else if (!existing) failed.add(`cannot be launched: ${failures.get(name) ?? 'the reason is not known'}`);
  }
  const types = [...counts].map(([type, count]) => (count === 1 ? code(type) : `${numberText(count)} × ${code(type)}`));
  const left = types.length - MAX_TYPES;
  return [...types.slice(0, MAX_TYPES), ...(left > 0 ? [moreText(left)] : []), ...[...failed].map(prose)].join(', ');
}
