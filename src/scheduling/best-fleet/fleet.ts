import { FleetProblem } from './fleet-problem';
import { SharedRule } from './topology-rules';
import { SpreadCounts } from './zone-spread';

/** A node while a fleet is built. */
export interface FleetNode {
  /** Index into the options of the problem. */
  option: number;
  /** Number of pods by kind. */
  readonly load: Map<number, number>;
  /** What is left, by resource. */
  readonly room: Float64Array;
  label: number;
}

/** Nodes with pods, and the pods that have no node yet. All changes keep the hard constraints of the pods. */
export class Fleet {
  readonly nodes = new Set<FleetNode>();
  /** Pods without a node, by kind. */
  readonly left: Int32Array;
  usdPerHour = 0;
  private readonly spreads: readonly SpreadCounts[];
  /** Pods by kind and zone, of kinds that keep apart in zones. */
  private readonly inZones: readonly Int32Array[];
  private readonly used: readonly Float64Array[];

  constructor(private readonly problem: FleetProblem) {
    const { kinds, spreads, zones, limits } = problem;
    this.left = Int32Array.from(kinds, ({ count }) => count);
    this.spreads = spreads.map(
      (spread) =>
        new SpreadCounts(
          spread,
          zones.length,
          spread.kinds.reduce((sum, kind) => sum + kinds[kind].count, 0),
        ),
    );
    this.inZones = kinds.map(({ zoneRules }) => new Int32Array(zoneRules.length === 0 ? 0 : zones.length));
    this.used = limits.map((limit) => new Float64Array(limit.length));
  }

  get pending(): number {
    return this.left.reduce((sum, count) => sum + count, 0);
  }

  /** Undefined if the limits of its NodePool have no room for it. */
  open(option: number): FleetNode | undefined {
    const { pool, capacity, room, usdPerHour } = this.problem.options[option];
    const [used, limit] = [this.used[pool], this.problem.limits[pool]];
    for (let resource = 0; resource < limit.length; resource++)
      if (used[resource] + capacity[resource] > limit[resource]) return undefined;
    for (let resource = 0; resource < limit.length; resource++) used[resource] += capacity[resource];
    const node = { option, load: new Map(), room: room.slice(), label: 0 };
    this.nodes.add(node);
    this.usdPerHour += usdPerHour;
    return node;
  }

  /** Takes the node and its pods out of the fleet. */
  close(node: FleetNode): void {
    const { pool, capacity, usdPerHour } = this.problem.options[node.option];
    for (const [kind, count] of node.load) this.count(kind, this.problem.options[node.option].zone, -count);
    for (let resource = 0; resource < capacity.length; resource++) this.used[pool][resource] -= capacity[resource];
    this.nodes.delete(node);
    this.usdPerHour -= usdPerHour;
  }

  /** Puts a closed node back as it was. Only allowed if its pods are pending, and the limits had room for it. */
  reopen(node: FleetNode): void {
    const { pool, capacity, usdPerHour, zone } = this.problem.options[node.option];
    for (const [kind, count] of node.load) this.count(kind, zone, count);
    for (let resource = 0; resource < capacity.length; resource++) this.used[pool][resource] += capacity[resource];
    this.nodes.add(node);
    this.usdPerHour += usdPerHour;
  }

  takes(node: FleetNode, kind: number): boolean {
    const { requests } = this.problem.kinds[kind];
    for (let resource = 0; resource < requests.length; resource++)
      if (requests[resource] > node.room[resource]) return false;
    return this.allows(node, kind);
  }

  /** Whether the node takes one more pod, if it has room for the pod. Hot path. */
  allows({ option, load, label }: FleetNode, kind: number): boolean {
    const { constraint, nodeRules, zoneRules, spreads } = this.problem.kinds[kind];
    const { labels, zone } = this.problem.options[option];
    const wanted = labels[constraint];
    if (wanted < 0 || (wanted > 0 && label > 0 && wanted !== label)) return false;
    for (const rule of nodeRules) if (!keepsRule(this.problem.nodeRules[rule], load, kind)) return false;
    for (const spread of spreads) if (!this.spreads[spread].allows(zone)) return false;
    for (const rule of zoneRules) {
      const shared = this.problem.zoneRules[rule];
      const inZone = new Map(shared.kinds.map((other) => [other, this.inZones[other][zone]]));
      if (!keepsRule(shared, inZone, kind)) return false;
    }
    return true;
  }

  add(node: FleetNode, kind: number): void {
    const { requests, constraint } = this.problem.kinds[kind];
    for (let resource = 0; resource < requests.length; resource++) node.room[resource] -= requests[resource];
    const { labels, zone } = this.problem.options[node.option];
    node.label = Math.max(node.label, labels[constraint]);
    node.load.set(kind, (node.load.get(kind) ?? 0) + 1);
    this.count(kind, zone, 1);
  }

  /** Takes one pod off the node. The labels that the node needs may become too many, which is safe. */
  remove(node: FleetNode, kind: number): void {
    const { requests } = this.problem.kinds[kind];
    for (let resource = 0; resource < requests.length; resource++) node.room[resource] += requests[resource];
    const count = node.load.get(kind)! - 1;
    if (count === 0) node.load.delete(kind);
    else node.load.set(kind, count);
    this.count(kind, this.problem.options[node.option].zone, -1);
  }

  private count(kind: number, zone: number, pods: number): void {
    this.left[kind] -= pods;
    for (const spread of this.problem.kinds[kind].spreads) this.spreads[spread].add(zone, pods);
    if (this.inZones[kind].length > 0) this.inZones[kind][zone] += pods;
  }
}

/** Whether one more pod of the kind may share a node or a zone with these pods. */
function keepsRule({ counted, most }: SharedRule, load: ReadonlyMap<number, number>, kind: number): boolean {
  let pods = counted[kind];
  let limit = most[kind];
  for (const [other, count] of load) {
    if (count === 0) continue;
    if (counted[other] === 1) pods += count;
    if (most[other] < limit) limit = most[other];
  }
  return pods <= limit;
}
