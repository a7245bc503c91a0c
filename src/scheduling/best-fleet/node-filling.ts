import { Fleet, FleetNode } from './fleet';
import { FleetProblem } from './fleet-problem';

/**
 * A node is filled once for each of these: how often the square root is taken of the size of a pod, which multiplies
 * its score. A large pod counts more than a small one.
 */
const SIZE_ROOTS = [3, 2];
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

  /** What one pod requests, kind by kind. */
  private readonly requests: Float64Array;
  /** The number of resources. */
  private readonly width: number;
  /** By kind: equal to `mark` if the rules of its pods may have changed. */
  private readonly marks: Int32Array;
  private mark = 0;
  /** Kinds that may still fit on the node that is filled. */
  private readonly candidates: Int32Array;

  /** @param values what one pod is worth by the dual values, by kind */
  constructor(
    private readonly problem: FleetProblem,
    values: readonly number[],
  ) {
    const { options, kinds } = problem;
    this.width = kinds.length === 0 ? 0 : kinds[0].requests.length;
    this.requests = Float64Array.from(kinds.flatMap(({ requests }) => [...requests]));
    this.candidates = new Int32Array(kinds.length);
    this.marks = new Int32Array(kinds.length);
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
    for (const roots of SIZE_ROOTS) {
      const node = fleet.open(option);
      if (node === undefined) break;
      const worth = this.fill(fleet, node, kinds, current, roots);
      loads.push({ worth, load: new Map(node.load) });
      for (let resource = 0; resource < room.length; resource++)
        current[resource] *= Math.exp((-UNUSED_DISCOUNT * node.room[resource]) / Math.max(1, room[resource]));
      fleet.close(node);
    }
    return loads;
  }

  /** Fills a node with pods. Returns what they are worth. */
  private fill(fleet: Fleet, node: FleetNode, kinds: readonly number[], shares: Float64Array, roots: number): number {
    const candidates = this.candidates;
    let count = 0;
    for (const kind of kinds) candidates[count++] = kind;
    let worth = 0;
    let added = -1;
    while (true) {
      count = this.keepTaken(fleet, node, count, added);
      this.steps += count + 1;
      const best = this.bestKind(node, count, shares, roots);
      if (best < 0) return worth;
      const batch = this.batchOf(node, best);
      for (let pod = 0; pod < batch && (pod === 0 || (fleet.left[best] > 0 && fleet.takes(node, best))); pod++) {
        fleet.add(node, best);
        worth += this.values[best];
      }
      added = best;
    }
  }

  /**
   * Removes the candidates that no longer fit on the node. Hot path: the rules of a pod are only checked again if a pod
   * was added that shares one of them.
   *
   * @param added the kind that was added since the last call; -1 at first
   * @returns how many candidates are left
   */
  private keepTaken(fleet: Fleet, node: FleetNode, count: number, added: number): number {
    const { candidates, requests, width } = this;
    const { room, option } = node;
    const { kinds, options } = this.problem;
    const checksAll = added < 0 || options[option].labels[kinds[added].constraint] > 0;
    const mark = added < 0 ? 0 : this.markSharing(added);
    let kept = 0;
    for (let index = 0; index < count; index++) {
      const kind = candidates[index];
      if (fleet.left[kind] === 0) continue;
      const start = kind * width;
      let resource = 0;
      while (resource < width && requests[start + resource] <= room[resource]) resource++;
      if (resource < width) continue;
      if ((checksAll || this.marks[kind] === mark) && !fleet.allows(node, kind)) continue;
      candidates[kept++] = kind;
    }
    return kept;
  }

  /** Marks the kinds that share a rule with a kind. */
  private markSharing(kind: number): number {
    const { kinds, nodeRules, zoneRules, spreads } = this.problem;
    this.mark += 1;
    const { nodeRules: onNode, zoneRules: inZone, spreads: spread } = kinds[kind];
    for (const rule of onNode) for (const other of nodeRules[rule].kinds) this.marks[other] = this.mark;
    for (const rule of inZone) for (const other of zoneRules[rule].kinds) this.marks[other] = this.mark;
    for (const rule of spread) for (const other of spreads[rule].kinds) this.marks[other] = this.mark;
    return this.mark;
  }

  /** The candidate with the highest score. A pod that takes more of the short resource scores less. Hot path. */
  private bestKind({ room }: FleetNode, count: number, shares: Float64Array, roots: number): number {
    const { candidates, requests, width, values } = this;
    let best = -1;
    let highest = -1;
    for (let index = 0; index < count; index++) {
      const kind = candidates[index];
      const start = kind * width;
      let sum = LEAST_WORTH;
      let most = 0;
      for (let resource = 0; resource < width; resource++) {
        const amount = requests[start + resource];
        if (amount === 0) continue;
        const part = amount / room[resource];
        sum += shares[resource] * part;
        if (part > most) most = part;
      }
      for (let root = 0; root < roots; root++) most = Math.sqrt(most);
      const score = (values[kind] / sum) * most;
      if (score > highest) {
        highest = score;
        best = kind;
      }
    }
    return best;
  }

  private batchOf({ room }: FleetNode, kind: number): number {
    const { requests } = this.problem.kinds[kind];
    let most = 0;
    for (let resource = 0; resource < requests.length; resource++)
      if (requests[resource] > 0) most = Math.max(most, requests[resource] / room[resource]);
    return Math.max(1, Math.floor(BATCH / most));
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
