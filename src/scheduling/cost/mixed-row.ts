import { MIXED_PODS, NamedRow } from './covering-rows';
import { fit, NodeOption } from './node-options';
import { nodeWorth } from './node-worth';
import { Demand, PodKind } from './pod-kinds';

/** Worths are whole numbers of so many parts of a dollar. Sums of them are exact in floating-point numbers. */
const PARTS = 2 ** 34;
/** More pods would make sums inexact. */
const MAX_WORTH = 2 ** 52;

/** What one pod of each kind is worth by the dual values of rows, in USD per hour. */
export function podWorths(kinds: readonly PodKind[], rows: readonly NamedRow[], values: ArrayLike<number>): number[] {
  const worths = new Map<PodKind, number>(kinds.map((kind) => [kind, 0]));
  rows.forEach(({ kinds: counted, amountOf }, row) => {
    if (values[row] > 0) for (const kind of counted) worths.set(kind, worths.get(kind)! + values[row] * amountOf(kind));
  });
  return kinds.map((kind) => worths.get(kind)!);
}

/**
 * A row that counts pods of all kinds by what they are worth. A node holds pods worth no more than `nodeWorth`. That is
 * less than its resources are worth if no pods match them: memory is of no use on a node whose CPUs are used up.
 *
 * @returns undefined if existing nodes have room for all pods, or the worths are too large to be exact
 */
export function mixedRow(
  { kinds, resources }: Demand,
  options: readonly NodeOption[],
  existing: readonly Float64Array[],
  rows: readonly NamedRow[],
  values: ArrayLike<number>,
): NamedRow | undefined {
  const worths = podWorths(kinds, rows, values).map((worth) => Math.floor(worth * PARTS));
  const whole = kinds.reduce((sum, { count }, kind) => sum + count * worths[kind], 0);
  if (whole === 0 || whole > MAX_WORTH) return undefined;
  const mostOn = (room: Float64Array, takes: (kind: PodKind) => boolean) =>
    kinds.map((kind) => (takes(kind) ? Math.min(kind.count, kind.mostPerNode, fit(room, kind.requests)) : 0));
  const unitPrices = (column?: number) =>
    Float64Array.from(resources, (resource) =>
      rows.reduce(
        (sum, { what, provided }, row) =>
          what === resource && column !== undefined && provided[column] > 0 ? sum + values[row] * PARTS : sum,
        0,
      ),
    );
  const provided = Float64Array.from(options, ({ room, admits }, column) => {
    const most = mostOn(room, ({ constraint }) => admits[constraint] === 1);
    return Math.ceil(nodeWorth(room, kinds, worths, most, unitPrices(column)));
  });
  const onExisting = existing.reduce((sum, room) => {
    const most = mostOn(room, () => true);
    return sum + Math.ceil(nodeWorth(room, kinds, worths, most, unitPrices()));
  }, 0);
  const numbers = new Map(kinds.map((kind, index) => [kind, worths[index]]));
  const needed = BigInt(whole) - BigInt(onExisting);
  if (needed <= 0n || provided.every((amount) => amount === 0)) return undefined;
  return { what: MIXED_PODS, kinds, amountOf: (kind) => numbers.get(kind)!, needed, provided };
}
