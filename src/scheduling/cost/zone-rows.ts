import { NamedRow, smallest, strongest, WHOLE_NODES } from './covering-rows';
import { fit, NodeOption } from './node-options';
import { Demand } from './pod-kinds';
import { fewestNodes, ZonedPods } from './zoned-pods';

/** More nodes make the bound tighter by little. */
const MAX_NODES = 60;

/** What an existing node has left, by resource of the demand. */
export interface ExistingRoom {
  readonly room: Float64Array;
  /** Absent if the node has no zone. */
  readonly zone?: string;
}

/** How many nodes the pods of each rule over zones need, because all pods of a node are in one zone. */
export function zoneRows(
  demand: Demand,
  zoned: readonly ZonedPods[],
  options: readonly NodeOption[],
  existing: readonly ExistingRoom[],
): NamedRow[] {
  return strongest(zoned.flatMap((rule) => rowOf(rule, demand, options, existing) ?? []));
}

function rowOf(
  rule: ZonedPods,
  demand: Demand,
  options: readonly NodeOption[],
  existing: readonly ExistingRoom[],
): NamedRow | undefined {
  const kinds = rule.kinds.map((kind) => demand.kinds[kind]);
  const pods = kinds.reduce((sum, { count }) => sum + count, 0);
  const least = smallest(kinds);
  const limit = Math.min(pods, mostPerNode(rule, demand));
  const held = options.map(({ room, admits }) =>
    kinds.some(({ constraint }) => admits[constraint] === 1) ? Math.min(limit, fit(room, least)) : 0,
  );
  // A node in an unknown zone can be in any.
  const room = rule.zones.map((zone) =>
    existing
      .filter((node) => node.zone === zone || !rule.zones.includes(node.zone ?? ''))
      .reduce((sum, node) => sum + Math.min(limit, fit(node.room, least)), 0),
  );
  const most = held.reduce((best, amount) => Math.max(best, amount), 0);
  const nodes = fewestNodes(pods, rule, most, room);
  if (nodes === 0 || nodes > MAX_NODES) return undefined;
  const provided = Float64Array.from(held, (amount) => (amount > 0 ? 1 : 0));
  return { what: WHOLE_NODES, kinds, amountOf: () => nodes / pods, needed: BigInt(nodes), provided };
}

/** The most pods of the rule on one node, whatever room it has. */
function mostPerNode({ kinds }: ZonedPods, demand: Demand): number {
  const limits = demand.shared.filter((set) => kinds.every((kind) => set.kinds.includes(kind)));
  return Math.min(
    kinds.reduce((sum, kind) => sum + demand.kinds[kind].mostPerNode, 0),
    ...limits.map(({ most }) => most),
  );
}
