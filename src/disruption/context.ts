import { InstanceTypeTable } from '../catalog';
import { poolTables } from '../scheduling';
import { PdbLimits } from './budgets/pdb-limits';
import { findCandidates } from './candidates/candidates';
import { priceTables } from './candidates/prices';
import { Cluster, Instant } from './cluster';
import { ClusterState, DisruptionSession } from './session';
import { buildSimulationBase, SimulationBase } from './simulation/simulation-base';
import { CandidateSearch, DisruptionClass } from './types';

/** One state of a cluster, with the results that several methods of a pass share. */
export class DisruptionContext implements ClusterState {
  public readonly limits: PdbLimits;
  public readonly tables: ReadonlyMap<string, InstanceTypeTable>;
  public readonly prices: ReadonlyMap<string, InstanceTypeTable>;
  private readonly searches = new Map<DisruptionClass, CandidateSearch>();
  private base?: SimulationBase;
  private settlingBase?: SimulationBase;

  public constructor(
    public readonly cluster: Cluster,
    public readonly now: Instant,
    public readonly session: DisruptionSession = new DisruptionSession(cluster),
  ) {
    this.limits = new PdbLimits(cluster, session.pdbs);
    this.tables = poolTables(cluster.scheduling, cluster.catalog).tables;
    this.prices = priceTables(cluster);
  }

  /** Checks every node of the cluster. */
  public candidates(disruptionClass: DisruptionClass): CandidateSearch {
    const search = this.searches.get(disruptionClass) ?? findCandidates(this, disruptionClass);
    this.searches.set(disruptionClass, search);
    return search;
  }

  /**
   * @param avoidsSettlingNodes whether running pods may not move to nodes whose consolidateAfter is not over, as in
   * consolidation
   */
  public simulationBase(avoidsSettlingNodes: boolean): SimulationBase {
    if (avoidsSettlingNodes) return (this.settlingBase ??= buildSimulationBase(this, true));
    return (this.base ??= buildSimulationBase(this, false));
  }

  /** How many pods each simulation schedules besides those of its candidates. */
  public get basePodCount(): number {
    // Both bases have the same pods; consolidation has built the settling one by now.
    return (this.settlingBase ?? this.simulationBase(false)).pods.count;
  }
}

/**
 * The cluster as a running pass sees it. Simulations take time, so the cluster may change between two simulations of a
 * pass.
 */
export interface ClusterView {
  /** The current state. */
  readonly context: DisruptionContext;
  /** When the next simulation begins. */
  readonly now: Instant;
  /** How many simulations begin before `context` can change, the next one included. */
  readonly simulationsAhead: number;
}

/** A computation that yields after each simulation, so that its caller can advance the clock. */
export type PassGenerator<Result> = Generator<void, Result, void>;

/** Runs a computation as if simulations took no time. */
export function runToCompletion<Result>(
  compute: (view: ClusterView) => PassGenerator<Result>,
  context: DisruptionContext,
): Result {
  const steps = compute({ context, now: context.now, simulationsAhead: Infinity });
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}
