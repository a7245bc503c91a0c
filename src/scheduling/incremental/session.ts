import { BoundGroups } from './bindings';
import { CreateResult, IncrementalSolver } from './incremental-solver';
import { SchedulerName } from './node-table';
import { RemovedNode } from './what-if-queries';
import { Catalog } from '../../catalog';
import { NodePoolSpec, PodGroup, ScheduleInput, SchedulingSettings } from '../input/schedule-input';
import { SolvedInput, solveInput } from '../provisioning/solve';

/**
 * Simulations and provisioning alternate with settings of their own, and offerings become unavailable and available
 * again.
 */
const MAX_SOLVERS = 8;

const PAIRS_PER_UNIT = 1000;
/** Kinds of pods that are encoded although they are gone. More of them would take more than encoding them again. */
const MAX_EARLIER_KINDS = 1_000;

interface Entry {
  readonly input: ScheduleInput;
  readonly result: CreateResult;
}

/**
 * Solves many queries about one cluster, and owns everything that is kept between them. Create one for a cluster or for
 * the run of a scenario, pass it to everything that solves, and drop it afterwards.
 *
 * Pools, node classes, DaemonSets, nodes and pod shapes are compared by identity. Pass the same objects again, and do
 * not modify them.
 */
export class SchedulingSession {
  /** The most recently used first. */
  private readonly entries: Entry[] = [];
  private doneWork = 0;
  /** The pods of Jobs and rollouts come and go, and each new kind needs a new solver. */
  private earlierKinds: readonly PodGroup[] = [];

  public constructor(public readonly catalog: Catalog) {}

  /**
   * The work of all solves so far: one unit for each node and each group of pods of a query, and one for a thousand
   * pairs of them. It depends only on the queries, and not on what is kept between them.
   */
  public get work(): number {
    return this.doneWork;
  }

  /** The same result as `solveInput`. */
  public solve(input: ScheduleInput, scheduler: SchedulerName = 'Karpenter'): SolvedInput {
    const [nodes, groups] = [input.nodes?.length ?? 0, input.pods.length];
    this.doneWork += nodes + groups + Math.ceil((nodes * groups) / PAIRS_PER_UNIT);
    const index = this.entries.findIndex((entry) => haveSamePools(entry.input, input));
    const [cached] = index < 0 ? [] : this.entries.splice(index, 1);
    const answer = cached && solveWith(cached.result, input, scheduler);
    // A solver that lacks a pod or a node of this query is replaced by a new one. An input that no solver supports is
    // not tried again.
    const entry =
      cached && (answer || cached.result.kind === 'unsupported') ? cached : { input, result: this.createSolver(input) };
    this.entries.unshift(entry);
    this.entries.splice(MAX_SOLVERS);
    return answer ?? solveWith(entry.result, input, scheduler) ?? solveInput(input, this.catalog);
  }

  /**
   * Pod counts by node if kube-scheduler binds the pods to the nodes of the input, in the order of the groups.
   * Undefined if `solve` has not had a similar input before, or if the incremental solver does not support it.
   */
  public bind(input: ScheduleInput): BoundGroups[] | undefined {
    const entry = this.entries.find((candidate) => haveSamePools(candidate.input, input));
    return entry?.result.kind === 'created' ? entry.result.solver.bind(input) : undefined;
  }

  /**
   * Per what-if query: whether a pod of the removed node is certain to end on a node that is not initialized. All
   * queries are answered together, which is faster than solving each. The answer is `false` if the solver cannot tell,
   * or if `solve` has not had a similar input before.
   *
   * @param input the base query, with all nodes
   */
  public wouldUseUninitializedNodes(input: ScheduleInput, removedNodes: readonly RemovedNode[]): boolean[] {
    const entry = this.entries.find((candidate) => haveSamePools(candidate.input, input));
    if (entry?.result.kind !== 'created') return removedNodes.map(() => false);
    return entry.result.solver.wouldUseUninitializedNodes(input, removedNodes);
  }

  private createSolver(input: ScheduleInput): CreateResult {
    for (const { input: cachedInput, result } of this.entries) {
      if (result.kind === 'unsupported' || !canShareEncoding(cachedInput, input)) continue;
      const shared = result.solver.withPools(input, this.catalog);
      if (shared.kind === 'created') return shared;
    }
    const result = IncrementalSolver.create(input, this.catalog, this.earlierKinds);
    if (result.kind === 'unsupported')
      return this.earlierKinds.length === 0 ? result : IncrementalSolver.create(input, this.catalog);
    const { podKinds } = result.solver;
    if (podKinds.length <= MAX_EARLIER_KINDS) this.earlierKinds = podKinds;
    return result;
  }
}

function solveWith(result: CreateResult, input: ScheduleInput, scheduler: SchedulerName): SolvedInput | undefined {
  const answer = result.kind === 'created' ? result.solver.solve(input, scheduler) : result;
  return answer.kind === 'solved' ? answer.solved : undefined;
}

/** Whether pools, instance types and settings are the same. Nodes and pods may differ. */
function haveSamePools(left: ScheduleInput, right: ScheduleInput): boolean {
  return (
    left.nodeClasses === right.nodeClasses &&
    haveSameItems(left.nodePools, right.nodePools) &&
    haveSameSettings(left, right)
  );
}

/** Whether pools differ only in what they launch. */
function canShareEncoding(left: ScheduleInput, right: ScheduleInput): boolean {
  return (
    left.nodePools.length === right.nodePools.length &&
    left.nodePools.every((pool, index) => differOnlyInRequirements(pool, right.nodePools[index])) &&
    haveSameSettings(left, right)
  );
}

function differOnlyInRequirements(left: NodePoolSpec, right: NodePoolSpec): boolean {
  return (
    left === right ||
    (left.name === right.name &&
      left.weight === right.weight &&
      left.taints === right.taints &&
      left.labels === right.labels &&
      left.limits === right.limits &&
      left.replicas === right.replicas &&
      left.nodeClass === right.nodeClass)
  );
}

function haveSameSettings(left: ScheduleInput, right: ScheduleInput): boolean {
  return (
    left.nodeOverlays === right.nodeOverlays &&
    left.daemonSets === right.daemonSets &&
    left.namespaces === right.namespaces &&
    (left.settings === right.settings || haveSameItems(solverSettings(left), solverSettings(right)))
  );
}

/** The settings that a solver is created with. `reservedOfferings` and `tieSeed` are part of each query instead. */
function solverSettings({ settings }: ScheduleInput): readonly unknown[] {
  const { preferencePolicy, minValuesPolicy, ignoreDraRequests, domainOrder, solverBounds } = settings;
  // Typed so that a new setting has to be added here.
  const values: Readonly<Record<Exclude<keyof SchedulingSettings, 'reservedOfferings' | 'tieSeed'>, unknown>> = {
    preferencePolicy,
    minValuesPolicy,
    ignoreDraRequests,
    domainOrder,
    solverBounds,
  };
  return Object.values(values);
}

function haveSameItems(left: readonly unknown[], right: readonly unknown[]): boolean {
  return left.length === right.length && left.every((item, index) => item === right[index]);
}
