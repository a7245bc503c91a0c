import { creationOrder } from './creation-order';
import { existingNode, inPhase, NodeLauncher, SettlingNode, withBoundPods } from './launched-nodes';
import { BATCH_IDLE, nextRequeue, PassClock } from './pass-clock';
import { OrderedPods, PodOrder } from './pod-order';
import { Retries } from './retries';
import { SeededRandom } from './seeded-random';
import { SchedulingSession } from '../incremental/session';
import { ExistingNode, ScheduleInput, withoutReplicas } from '../input/schedule-input';
import { PoolTemplate } from '../launch/pool-template';
import { nodeClassesAfter, reservedInstances } from '../launch/reservations';
import { withDaemonsOnHostPorts } from '../nodes/existing-nodes';
import { claimsOf, podCountsOnFilledNodes } from '../provisioning/schedule';
import { SolvedInput } from '../provisioning/solve';
import { FilledNode } from '../schedule-plan';

/** A node registers this long before it takes pods, in seconds. */
const REGISTRATION_TO_READY = 8;
/** After the last pod has arrived and its nodes are ready, at most this many seconds are simulated. */
const MAX_LATE_SECONDS = 300;
/** Nodes that are launched together become ready in at most this many steps. */
const MAX_READY_STEPS = 10;
/** No seed of an order. */
const FIRST_TIMES_SEED = 1_000_000;
const MAX_TIE_SEED = 2 ** 31 - 1;

/** What the settling of a fleet depends on besides the input. */
export interface SettlingOptions {
  /** Draws names, UIDs and zones. */
  readonly seed: number;
  /** Seconds from the launch of a node until it takes pods. */
  readonly nodeStart: number;
  /** Per group of pods: seconds since the start until its pods are created. @default - all at the start */
  readonly arrivals?: readonly number[];
}

/** What all seeds share. */
export interface SettlingBase {
  /** With the nodes of static pools among its nodes. */
  readonly input: ScheduleInput;
  /** The nodes of `input`, with the claims of static pools. */
  readonly nodes: readonly SettlingNode[];
  /** Per admitted group: its class. */
  readonly classes: ReadonlyMap<number, number>;
  readonly session: SchedulingSession;
  readonly launcher: NodeLauncher;
}

/** A fleet to which Karpenter adds no more nodes. */
export interface SettledFleet {
  readonly seed: number;
  /** In the order of their launch. Existing nodes come first. */
  readonly nodes: readonly SettlingNode[];
  /** Pods without a node, by group. */
  readonly pending: ReadonlyMap<number, number>;
  /** Virtual pods of CapacityBuffers, which every pass schedules and kube-scheduler never binds. */
  readonly virtual: ReadonlyArray<Pick<FilledNode, 'node' | 'groups'>>;
  /** Whether the last simulated pass still launched nodes. */
  readonly isGrowing: boolean;
}

/** @param first the first pass over the input */
export function settlingBase(
  input: ScheduleInput,
  first: SolvedInput,
  classes: ReadonlyMap<number, number>,
  session: SchedulingSession,
): SettlingBase {
  const claims = new Map(claimsOf(first).map((claim) => [claim.id, claim]));
  const staticNodes = first.staticNodes.flatMap(({ node }) =>
    node ? existingNode(withDaemonsOnHostPorts(node, input.daemonSets), claims.get(node.name)) : [],
  );
  const nodes = [...(input.nodes ?? []).map((node) => existingNode(node)), ...staticNodes];
  const nodeClasses = nodeClassesAfter(
    input.nodeClasses,
    reservedInstances(first.staticNodes.map(({ claim }) => claim)),
  );
  return {
    input: {
      ...input,
      nodePools: input.nodePools.map(withoutReplicas),
      nodeClasses,
      nodes: nodes.map(({ node }) => node),
    },
    nodes,
    classes,
    session,
    launcher: new NodeLauncher(input.daemonSets),
  };
}

/**
 * Simulates Karpenter and kube-scheduler until all nodes are ready and no pass launches another one.
 *
 * A pod is pending until its node is ready, so each pass may put it onto another node than the pass before: now the
 * launched nodes come first, in the order of their random names. What does not fit onto them gets further nodes.
 */
export function settle(base: SettlingBase, options: SettlingOptions): SettledFleet {
  return new Settling(base, options).run();
}

class Settling {
  private readonly random: SeededRandom;
  /** Seeds of the draws of domains, apart from names, so that inputs without equal domains keep their fleets. */
  private readonly ties: SeededRandom;
  /** Draws what comes first, apart from names, so that small fleets keep their zones. */
  private readonly times: SeededRandom;
  /** The groups whose pods have arrived. */
  private readonly arrived = new Set<number>();
  private readonly order: PodOrder;
  private readonly pending: Int32Array;
  private readonly clock = new PassClock();
  private readonly retries: Retries;
  private nodes: SettlingNode[];
  private templates: ReadonlyMap<string, PoolTemplate> = new Map();
  /** The first pass is at 0. */
  private now = -BATCH_IDLE;
  /** When a pending pod triggers the next pass. */
  private requeueAt = Infinity;
  /** The pending pods in Karpenter's order, until pods arrive or are bound. */
  private queue?: OrderedPods;
  /** Whether something changed since the last pass that launched no node. */
  private needsPass = true;
  private launchesInLastPass = false;
  private virtual: SettledFleet['virtual'] = [];

  public constructor(
    private readonly base: SettlingBase,
    private readonly options: SettlingOptions,
  ) {
    const { input, classes } = base;
    this.random = new SeededRandom(options.seed);
    this.ties = new SeededRandom(-options.seed);
    this.times = new SeededRandom(FIRST_TIMES_SEED + options.seed);
    const created = creationOrder(input, options.arrivals, this.random, this.times);
    this.order = new PodOrder(input, classes, created, this.random);
    this.nodes = [...base.nodes];
    this.pending = new Int32Array(input.pods.length);
    this.retries = new Retries(input.pods.length);
  }

  public run(): SettledFleet {
    const { options, clock } = this;
    const end = Math.max(0, ...(options.arrivals ?? [])) + options.nodeStart + MAX_LATE_SECONDS;
    for (; this.now <= end; this.now = this.nextEvent()) {
      if (this.requeueAt <= this.now) clock.trigger(this.now);
      this.admitArrivals();
      this.startNodes();
      if (clock.nextPass <= this.now) this.runBatch();
      if (this.isSettled()) break;
      this.requeueAt = nextRequeue(this.creationTimes(), this.now);
    }
    const pending = new Map([...this.pending].flatMap((count, group) => (count > 0 ? [[group, count] as const] : [])));
    return {
      seed: options.seed,
      nodes: this.nodes,
      pending,
      virtual: this.virtual,
      isGrowing: this.launchesInLastPass && this.now > end,
    };
  }

  private isSettled(): boolean {
    const hasArrived = this.arrived.size === this.base.classes.size;
    const isReady = this.nodes.every(({ claim, phase }) => claim === undefined || phase === 'ready');
    return hasArrived && isReady && (!this.needsPass || !this.hasPending());
  }

  private nextEvent(): number {
    const arrivals = [...this.base.classes.keys()].flatMap((group) =>
      this.arrived.has(group) ? [] : [this.createdAt(group)],
    );
    const starts = this.nodes.flatMap(({ claim, phase, launchedAt }) =>
      claim === undefined || phase === 'ready' ? [] : [launchedAt + this.options.nodeStart],
    );
    return Math.min(this.clock.nextPass, this.requeueAt, ...arrivals, ...starts);
  }

  private createdAt(group: number): number {
    return (this.options.arrivals?.[group] ?? 0) - BATCH_IDLE;
  }

  /** When the pending pods were created. */
  private creationTimes(): Set<number> {
    const times = new Set<number>();
    this.pending.forEach((count, group) => {
      if (count > 0) times.add(this.createdAt(group));
    });
    return times;
  }

  private runBatch(): void {
    this.clock.startPass();
    if (this.hasPending() && this.needsPass) this.pass();
  }

  private hasPending(): boolean {
    return this.pending.some((count) => count > 0);
  }

  private admitArrivals(): void {
    let hasArrivals = false;
    for (const group of this.base.classes.keys()) {
      if (this.arrived.has(group) || this.createdAt(group) > this.now) continue;
      this.arrived.add(group);
      this.pending[group] = this.base.input.pods[group].count;
      this.markChanged();
      hasArrivals = true;
    }
    if (!hasArrivals) return;
    this.bindPods();
    if (this.hasPending()) this.clock.trigger(this.now);
  }

  private markChanged(): void {
    this.queue = undefined;
    this.needsPass = true;
  }

  private startNodes(): void {
    const starting: number[] = [];
    this.nodes.forEach((settling, index) => {
      const { claim, phase, launchedAt } = settling;
      if (claim === undefined || phase === 'ready') return;
      const ready = launchedAt + this.options.nodeStart;
      if (ready <= this.now) starting.push(index);
      // A pass that runs at the moment of the registration does not see it yet.
      else if (phase === 'launched' && ready - REGISTRATION_TO_READY < this.now)
        this.nodes[index] = this.changed(inPhase(settling, 'registered', this.random));
    });
    if (starting.length > 0) this.becomeReady(this.times.shuffle(starting));
  }

  /**
   * The nodes become ready one after another, or in ten steps if they are more. After a step kube-scheduler tries all
   * pending pods, but by chance one step in three is ready together with the next.
   */
  private becomeReady(indices: readonly number[]): void {
    const step = Math.ceil(indices.length / MAX_READY_STEPS);
    for (let first = 0; first < indices.length; first += step) {
      for (const index of indices.slice(first, first + step))
        this.nodes[index] = this.changed(inPhase(this.nodes[index], 'ready', this.random));
      const isTogether = this.times.below(3) === 0 && first + step < indices.length;
      if (!isTogether) this.bindPods();
    }
    if (this.hasPending()) this.clock.trigger(this.now);
  }

  private changed(settling: SettlingNode): SettlingNode {
    this.needsPass = true;
    return settling;
  }

  /** kube-scheduler binds pending pods to ready nodes. */
  private bindPods(): void {
    const nodes = this.nodes.flatMap(({ node, phase }) => (phase === 'ready' ? [node] : []));
    if (!this.hasPending()) return;
    if (nodes.length > 0) this.bindTo(nodes);
    this.pending.forEach((count, group) => {
      if (count > 0) this.retries.failed(group, this.now);
    });
  }

  private bindTo(nodes: readonly ExistingNode[]): void {
    const { session, input } = this.base;
    const { pods, groups } = this.order.forKubernetes(this.pending, (group) => this.retries.rank(group, this.now));
    const query = { ...input, pods, nodes, nodeClasses: this.nodeClasses() };
    const bindings = session.bind(query) ?? podCountsOnFilledNodes(session.solve(query));
    if (bindings.length === 0) return;
    const byNode = new Map(bindings.map((binding) => [binding.node, countsByGroup(binding, groups)]));
    this.nodes = this.nodes.map((settling) => {
      const bound = byNode.get(settling.node.name);
      if (!bound) return settling;
      for (const [group, count] of bound) this.pending[group] -= count;
      return withBoundPods(settling, bound, input);
    });
    this.markChanged();
  }

  private pass(): void {
    const { session, input, launcher } = this.base;
    this.queue ??= this.order.forKarpenter(this.pending);
    const { pods, groups } = this.queue;
    const nodes: readonly ExistingNode[] = this.nodes.map(({ node }) => node);
    const settings = { ...input.settings, tieSeed: 1 + this.ties.below(MAX_TIE_SEED) };
    const solved = session.solve({ ...input, pods, nodes, nodeClasses: this.nodeClasses(), settings });
    if (this.templates.size === 0)
      this.templates = new Map(solved.workload.templates.map((template) => [template.pool.name, template]));
    const launched = claimsOf(solved).flatMap((claim) => {
      const template = this.templates.get(claim.nodePool)!;
      const original = { ...claim, groups: countsByGroup(claim, groups) };
      const position = { launchedAt: this.now, ordinal: this.nodes.length };
      return launcher.launch(original, template, this.random, position) ?? [];
    });
    this.nodes.push(...launched);
    this.launchesInLastPass = launched.length > 0;
    this.needsPass = this.launchesInLastPass;
    this.virtual = this.virtualPods(solved, groups);
  }

  private virtualPods(solved: SolvedInput, groups: readonly number[]): SettledFleet['virtual'] {
    const { pods } = this.base.input;
    if (pods.every(({ buffer }) => buffer === undefined)) return [];
    return podCountsOnFilledNodes(solved).map((filled) => ({
      node: filled.node,
      groups: new Map([...countsByGroup(filled, groups)].filter(([group]) => pods[group].buffer !== undefined)),
    }));
  }

  private nodeClasses(): ScheduleInput['nodeClasses'] {
    const reserved = this.nodes.flatMap(({ claim, offer, launchedAt, phase }) =>
      claim?.launch && offer && !(launchedAt === 0 && phase === 'ready' && this.isFromStart(claim.id))
        ? [{ launch: { ...claim.launch, cheapest: offer } }]
        : [],
    );
    return nodeClassesAfter(this.base.input.nodeClasses, reservedInstances(reserved));
  }

  /** The base has subtracted the reservations of static nodes already. */
  private isFromStart(id: string): boolean {
    return this.base.nodes.some(({ claim }) => claim?.id === id);
  }
}

/** Pod counts by the group of the input, from counts by the position in an order. */
function countsByGroup(
  { groups: counts }: Pick<FilledNode, 'groups'>,
  groups: readonly number[],
): ReadonlyMap<number, number> {
  const byGroup = new Map<number, number>();
  for (const [position, count] of counts) byGroup.set(groups[position], (byGroup.get(groups[position]) ?? 0) + count);
  return byGroup;
}
