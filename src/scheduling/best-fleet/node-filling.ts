import { Fleet, FleetNode } from './fleet';
import { FleetProblem } from './fleet-problem';

/** A node is filled once for each of these: how much more a large pod counts than a small one. */
const SIZE_WEIGHTS = [0.1, 0.25];
/** After a node is filled, a resource with much left over gets so much cheaper for the next try. */
const UNUSED_DISCOUNT = 2;
/** Options whose pods can be worth no more than this part of the price of the best one are not tried. */
const MOST_WORTH = 1.05;
/** The most options that are filled for one node, those with the least loss first. */
const MAX_TRIED = 250;
/** Equal pods are added together as long as they take no more than this part of what is left. */
const BATCH = 0.06;
/** How far the worth of a pod moves to what it costs in the fleet that was built. */
const ADJUSTMENT = 0.3;
/** USD per hour. Pods that are worth nothing still fill nodes. */
const LEAST_WORTH = 1e-12;
/** The share of a resource without a price in the score of a pod. */
const LEAST_SHARE = 0.01;

/** Builds nodes one by one, each with the pods that are worth most of its price. */
export class NodeFilling {
  /** Steps of the search so far: pods that were looked at. */
  steps = 0;
  /** Options with the least loss first. */
  readonly order: readonly number[];
  /** What the options are worth by the dual values, at most their price. */
  private readonly worths: Float64Array;
  /** What one pod is worth, by kind. */
  private readonly values: Float64Array;

  /** @param values what one pod is worth by the dual values, by kind */
  constructor(
    private readonly problem: FleetProblem,
    values: readonly number[],
  ) {
    const { options } = problem;
    this.worths = Float64Array.from(options, ({ worth, usdPerHour }) => Math.min(worth, usdPerHour));
    this.values = Float64Array.from(values, (value) => Math.max(value, LEAST_WORTH));
    const share = (option: number) => this.worths[option] / Math.max(options[option].usdPerHour, LEAST_WORTH);
    this.order = [...options.keys()].sort((left, right) => share(right) - share(left) || left - right);
  }

  valueOf(kind: number): number {
    return this.values[kind];
  }

  /** Places all pods that have no node yet on new nodes. False if some fit on none, or after too many steps. */
  placeAll(fleet: Fleet, maxSteps: number, order: readonly number[] = this.order): boolean {
    while (true) {
      const kinds = [...fleet.left.keys()].filter((kind) => fleet.left[kind] > 0);
      if (kinds.length === 0) return true;
      const best = this.bestNode(fleet, kinds, order);
      if (best === undefined || this.steps > maxSteps) return false;
      // The same pods again, as often as there are enough of them.
      while (this.repeat(fleet, best)) this.steps += best.load.size;
    }
  }

  /** Makes pods dearer that are on nodes whose other pods are worth little, and the others cheaper. */
  adjust(fleet: Fleet): void {
    const { kinds, options } = this.problem;
    const costs = new Float64Array(kinds.length);
    for (const { option, load } of fleet.nodes) {
      let worth = 0;
      for (const [kind, count] of load) worth += count * this.values[kind];
      const factor = options[option].usdPerHour / worth;
      for (const [kind, count] of load) costs[kind] += (count * this.values[kind] * factor) / kinds[kind].count;
    }
    const sum = () => kinds.reduce((all, { count }, kind) => all + count * this.values[kind], 0);
    const before = sum();
    kinds.forEach((_, kind) => {
      this.values[kind] = this.values[kind] ** (1 - ADJUSTMENT) * Math.max(costs[kind], LEAST_WORTH) ** ADJUSTMENT;
    });
    const scale = before / sum();
    kinds.forEach((_, kind) => (this.values[kind] *= scale));
  }

  /** Opens the node whose pods are worth most of its price. */
  private bestNode(fleet: Fleet, kinds: readonly number[], order: readonly number[]): FleetNode | undefined {
    const { options } = this.problem;
    const total = kinds.reduce((sum, kind) => sum + fleet.left[kind] * this.values[kind], 0);
    let best: { readonly option: number; readonly load: ReadonlyMap<number, number> } | undefined;
    let most = -1;
    let tried = 0;
    for (const option of order) {
      const price = Math.max(options[option].usdPerHour, LEAST_WORTH);
      this.steps += 1;
      if (Math.min(this.worths[option] * MOST_WORTH, total) / price <= most) continue;
      if (tried >= MAX_TRIED && best !== undefined) break;
      tried += 1;
      for (const { worth, load } of this.loads(fleet, option, kinds)) {
        if (worth / price <= most || load.size === 0) continue;
        most = worth / price;
        best = { option, load };
      }
    }
    const node = best && fleet.open(best.option);
    if (best === undefined || node === undefined) return undefined;
    for (const [kind, count] of best.load) for (let pod = 0; pod < count; pod++) fleet.add(node, kind);
    return node;
  }

  /** Ways to fill a node of the option. */
  private loads(
    fleet: Fleet,
    option: number,
    kinds: readonly number[],
  ): Array<{ readonly worth: number; readonly load: ReadonlyMap<number, number> }> {
    const { room, shares } = this.problem.options[option];
    const current = Float64Array.from(shares, (share) => Math.max(share, LEAST_SHARE));
    const loads = [];
    for (const sizeWeight of SIZE_WEIGHTS) {
      const node = fleet.open(option);
      if (node === undefined) break;
      const worth = this.fill(fleet, node, kinds, current, sizeWeight);
      loads.push({ worth, load: new Map(node.load) });
      for (let resource = 0; resource < room.length; resource++)
        current[resource] *= Math.exp((-UNUSED_DISCOUNT * node.room[resource]) / Math.max(1, room[resource]));
      fleet.close(node);
    }
    return loads;
  }

  /** Fills a node with pods. Returns what they are worth. */
  private fill(
    fleet: Fleet,
    node: FleetNode,
    kinds: readonly number[],
    shares: Float64Array,
    sizeWeight: number,
  ): number {
    let candidates = kinds;
    let worth = 0;
    while (true) {
      candidates = candidates.filter((kind) => fleet.left[kind] > 0 && fleet.takes(node, kind));
      this.steps += candidates.length + 1;
      let best = -1;
      let most = -1;
      for (const kind of candidates) {
        const score = this.score(node, kind, shares, sizeWeight);
        if (score > most) [best, most] = [kind, score];
      }
      if (best < 0) return worth;
      const batch = this.batchOf(node, best);
      for (let pod = 0; pod < batch && (pod === 0 || (fleet.left[best] > 0 && fleet.takes(node, best))); pod++) {
        fleet.add(node, best);
        worth += this.values[best];
      }
    }
  }

  private batchOf({ room }: FleetNode, kind: number): number {
    const { requests } = this.problem.kinds[kind];
    let most = 0;
    for (let resource = 0; resource < requests.length; resource++)
      if (requests[resource] > 0) most = Math.max(most, requests[resource] / room[resource]);
    return Math.max(1, Math.floor(BATCH / most));
  }

  /** Hot path. A pod that takes more of the resource that is short scores less; a large pod scores more. */
  private score({ room }: FleetNode, kind: number, shares: Float64Array, sizeWeight: number): number {
    const { requests } = this.problem.kinds[kind];
    let sum = LEAST_WORTH;
    let most = 0;
    for (let resource = 0; resource < requests.length; resource++) {
      if (requests[resource] === 0) continue;
      const part = requests[resource] / room[resource];
      sum += shares[resource] * part;
      if (part > most) most = part;
    }
    return (this.values[kind] / sum) * most ** sizeWeight;
  }

  private repeat(fleet: Fleet, { option, load }: FleetNode): boolean {
    for (const [kind, count] of load) if (fleet.left[kind] < count) return false;
    const node = fleet.open(option);
    if (node === undefined) return false;
    for (const [kind, count] of load) {
      for (let pod = 0; pod < count; pod++) {
        if (!fleet.takes(node, kind)) {
          fleet.close(node);
          return false;
        }
        fleet.add(node, kind);
      }
    }
    return true;
  }
}
