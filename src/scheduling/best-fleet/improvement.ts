import { Fleet, FleetNode } from './fleet';
import { FleetProblem } from './fleet-problem';
import { NodeFilling } from './node-filling';
import { SeededRandom } from '../settling/seeded-random';

/** How many nodes are taken out at once. */
const SIZES = [1, 2, 2, 3, 4, 6];
/** In USD per hour: less is a rounding error. */
const EPSILON = 1e-9;
/** After so many tries without a cheaper fleet for each node, and no fewer than these, the search ends. */
const VAIN_TRIES_PER_NODE = 12;
const MIN_VAIN_TRIES = 400;
/** So that a large fleet does not spend all steps on looking for room. */
const MAX_HOSTS = 80;

/** Takes out a few nodes, places their pods again, and keeps what is not dearer. The same seed gives the same fleet. */
export class Improvement {
  private readonly random: SeededRandom;

  constructor(
    private readonly problem: FleetProblem,
    private readonly filling: NodeFilling,
    seed: number,
  ) {
    this.random = new SeededRandom(seed);
  }

  /** @returns whether the search ended because it found nothing more, and not after too many steps */
  run(fleet: Fleet, maxSteps: number): boolean {
    let vain = 0;
    while (vain < MIN_VAIN_TRIES + VAIN_TRIES_PER_NODE * fleet.nodes.size) {
      if (this.filling.steps > maxSteps) return false;
      if (fleet.nodes.size === 0) return true;
      const before = fleet.usdPerHour;
      vain = this.tryOnce(fleet, maxSteps) && fleet.usdPerHour < before - EPSILON ? 0 : vain + 1;
    }
    return true;
  }

  /** Whether the fleet has changed. */
  private tryOnce(fleet: Fleet, maxSteps: number): boolean {
    const before = fleet.usdPerHour;
    const closed = this.victims([...fleet.nodes]);
    for (const node of closed) fleet.close(node);
    const moved = this.moveToOthers(fleet);
    const kept = fleet.nodes.size;
    if (this.filling.placeAll(fleet, maxSteps, this.someOptions()) && fleet.usdPerHour <= before + EPSILON) return true;
    for (const node of [...fleet.nodes].slice(kept)) fleet.close(node);
    for (const { node, kind } of moved) fleet.remove(node, kind);
    for (const node of closed) fleet.reopen(node);
    return false;
  }

  /** Different nodes, more often those whose pods are worth little of their price. */
  private victims(nodes: readonly FleetNode[]): FleetNode[] {
    const victims = new Set<FleetNode>();
    const count = Math.min(nodes.length, this.random.pick(SIZES));
    for (let index = 0; index < count; index++) {
      const [one, other] = [this.random.pick(nodes), this.random.pick(nodes)];
      victims.add(this.lossOf(one) > this.lossOf(other) ? one : other);
    }
    return [...victims];
  }

  /** Half of the options, so that other types than the best ones are tried. */
  private someOptions(): readonly number[] {
    const { order } = this.filling;
    return this.random.below(4) === 0 ? order : order.filter(() => this.random.below(2) === 0);
  }

  private lossOf({ option, load }: FleetNode): number {
    let worth = 0;
    for (const [kind, count] of load) worth += count * this.filling.valueOf(kind);
    return 1 - worth / this.problem.options[option].usdPerHour;
  }

  /** Fills the room of the other nodes with pods, the most valuable first. */
  private moveToOthers(fleet: Fleet): Array<{ readonly node: FleetNode; readonly kind: number }> {
    const moved: Array<{ node: FleetNode; kind: number }> = [];
    const pending = [...fleet.left.keys()].filter((kind) => fleet.left[kind] > 0);
    pending.sort((left, right) => this.filling.valueOf(right) - this.filling.valueOf(left) || left - right);
    const nodes = [...fleet.nodes];
    const start = this.random.below(Math.max(1, nodes.length));
    const count = Math.min(nodes.length, MAX_HOSTS);
    for (let index = 0; index < count; index++) {
      const node = nodes[(start + index) % nodes.length];
      for (const kind of pending) {
        this.filling.steps += 1;
        while (fleet.left[kind] > 0 && fleet.takes(node, kind)) {
          fleet.add(node, kind);
          moved.push({ node, kind });
        }
      }
    }
    return moved;
  }
}
