import { fit, NodeOption } from './node-options';
import { Demand, PodKind, SharedNodes } from './pod-kinds';
import { CoveringRow } from './simplex';

/** Rows that count whole pods or whole nodes instead of a resource. */
export const WHOLE_PODS = 'whole pods';
export const WHOLE_NODES = 'whole nodes';
/** The row that counts pods of all kinds by what they are worth. */
export const MIXED_PODS = 'mixed pods';
/** More rows of one sort tighten the bound by little, and cost time. */
const MAX_SETS = 60;
const MAX_KINDS = 200;
const MAX_THRESHOLDS = 40;
/** Whole nodes instead of parts of nodes make no more than 5% of so many nodes. */
const MAX_WHOLE_NODES = 20n;

/** A row, and the resource or what else it counts. */
export interface NamedRow extends CoveringRow {
  readonly what: string;
  /** The kinds whose pods need it. */
  readonly kinds: readonly PodKind[];
  /** The part of `needed` that one pod of a kind has. */
  readonly amountOf: (kind: PodKind) => number;
}

/** Kinds of pods that may use the same nodes. */
interface NodeSet {
  /** 1 for each node option that takes a pod of the kinds. */
  readonly options: Uint8Array;
  readonly kinds: PodKind[];
}

/** The rows of the covering program. What existing nodes have left is taken off from what is needed. */
export class CoveringRows {
  private readonly sets: readonly NodeSet[];

  /** @param existing room of existing nodes for pods of the plan, by resource of the demand */
  constructor(
    private readonly demand: Demand,
    private readonly options: readonly NodeOption[],
    private readonly existing: readonly Float64Array[],
  ) {
    this.sets = this.nodeSets();
  }

  all(): NamedRow[] {
    const rows = [
      ...this.amounts(),
      ...this.fits(),
      ...this.thresholds(),
      ...this.demand.shared.map((set) => this.shared(set)),
    ].filter(({ needed, provided }) => needed > 0n && provided.some((amount) => amount > 0));
    return [...rows, ...strongest(rows.flatMap(wholeNodes))];
  }

  /** Each resource: the nodes that some pods may use provide what these pods request together. */
  private amounts(): NamedRow[] {
    const everywhere: NodeSet = { options: new Uint8Array(this.options.length).fill(1), kinds: [] };
    return [...this.sets, everywhere].flatMap(({ options }) => {
      const within = this.sets.filter((set) => isSubset(set.options, options)).flatMap(({ kinds }) => kinds);
      return this.demand.resources.map((what, resource) => ({
        what,
        kinds: within,
        amountOf: ({ requests }) => requests[resource],
        needed:
          within.reduce((sum, { count, requests }) => sum + BigInt(count) * BigInt(requests[resource]), 0n) -
          this.existing.reduce((sum, room) => sum + BigInt(room[resource]), 0n),
        provided: Float64Array.from(options, (isIn, option) => (isIn ? this.options[option].room[resource] : 0)),
      }));
    });
  }

  /** Each kind by itself: a node holds only whole pods. */
  private fits(): NamedRow[] {
    return largest(this.demand.kinds, MAX_KINDS, ({ count }) => count).map((kind) => this.wholePods([kind]));
  }

  /** All pods of at least some size: a node holds no more of them than of the smallest. */
  private thresholds(): NamedRow[] {
    return this.demand.resources.flatMap((_, resource) => {
      const sizes = [...new Set(this.demand.kinds.map(({ requests }) => requests[resource]))].sort((a, b) => b - a);
      const step = Math.max(1, Math.ceil(sizes.length / MAX_THRESHOLDS));
      return sizes
        .filter((size, index) => size > 0 && index % step === 0)
        .map((size) => this.wholePods(this.demand.kinds.filter(({ requests }) => requests[resource] >= size)));
    });
  }

  private shared({ kinds, most }: SharedNodes): NamedRow {
    return this.wholePods(
      kinds.map((kind) => this.demand.kinds[kind]),
      most,
    );
  }

  /** @param limit the most pods on one node, whatever room it has */
  private wholePods(kinds: readonly PodKind[], limit = Infinity): NamedRow {
    const least = smallest(kinds);
    const most = Math.min(
      limit,
      kinds.reduce((sum, { mostPerNode }) => sum + mostPerNode, 0),
    );
    const constraints = [...new Set(kinds.map(({ constraint }) => constraint))];
    const provided = new Float64Array(this.options.length);
    this.options.forEach(({ room, admits }, option) => {
      if (constraints.some((constraint) => admits[constraint] === 1))
        provided[option] = Math.min(most, fit(room, least));
    });
    const pods = kinds.reduce((sum, { count }) => sum + count, 0);
    const taken = this.existing.reduce((sum, room) => sum + Math.min(most, pods, fit(room, least)), 0);
    return { what: WHOLE_PODS, kinds, amountOf: () => 1, needed: BigInt(pods - taken), provided };
  }

  private nodeSets(): NodeSet[] {
    const sets = new Map<string, NodeSet>();
    for (const kind of this.demand.kinds) {
      const options = new Uint8Array(this.options.length);
      this.options.forEach(({ room, admits }, option) => {
        if (admits[kind.constraint] === 1 && fit(room, kind.requests) > 0) options[option] = 1;
      });
      const key = options.join('');
      const set = sets.get(key) ?? { options, kinds: [] };
      set.kinds.push(kind);
      sets.set(key, set);
    }
    return largest([...sets.values()], MAX_SETS, ({ kinds }) => kinds.reduce((sum, { count }) => sum + count, 0));
  }
}

/** How many nodes a row needs at least: part of a node costs as much as the whole one. */
function wholeNodes({ kinds, needed, provided }: NamedRow): NamedRow[] {
  const most = BigInt(provided.reduce((best, amount) => Math.max(best, amount), 0));
  const nodes = (needed + most - 1n) / most;
  if (nodes > MAX_WHOLE_NODES) return [];
  const pods = kinds.reduce((sum, { count }) => sum + count, 0);
  const counted = provided.map((amount) => (amount > 0 ? 1 : 0));
  return [{ what: WHOLE_NODES, kinds, amountOf: () => Number(nodes) / pods, needed: nodes, provided: counted }];
}

/** Of rows that count the same nodes, the one that needs most. */
export function strongest(rows: readonly NamedRow[]): NamedRow[] {
  const byNodes = new Map<string, NamedRow>();
  for (const row of rows) {
    const key = row.provided.join('');
    const known = byNodes.get(key);
    if (known === undefined || row.needed > known.needed) byNodes.set(key, row);
  }
  return [...byNodes.values()];
}

export function smallest(kinds: readonly PodKind[]): Float64Array {
  const least = kinds[0].requests.slice();
  for (const { requests } of kinds)
    for (let resource = 0; resource < least.length; resource++)
      least[resource] = Math.min(least[resource], requests[resource]);
  return least;
}

function isSubset(part: Uint8Array, whole: Uint8Array): boolean {
  for (let option = 0; option < part.length; option++) if (part[option] > whole[option]) return false;
  return true;
}

/** The items with the largest figures, in their own order. */
function largest<Item>(items: readonly Item[], limit: number, figure: (item: Item) => number): Item[] {
  if (items.length <= limit) return [...items];
  const kept = new Set([...items].sort((left, right) => figure(right) - figure(left)).slice(0, limit));
  return items.filter((item) => kept.has(item));
}
