import { InstanceTypeTable } from '../catalog';
import { SchedulingSession } from '../scheduling';
import { BudgetWindows } from './budgets/budget-windows';
import { NodePoolStats } from './budgets/node-pool-stats';
import { PdbIndex } from './budgets/pdb-index';
import { PdbLimits } from './budgets/pdb-limits';
import { CandidateCache } from './candidates/candidate-cache';
import { DriftOrder } from './candidates/drift-order';
import { Cluster, Instant } from './cluster';
import { BasePodsCache, DeletingNodePodsCache } from './simulation/base-pods';
import { NodeRemovals } from './simulation/node-removals';

/**
 * Caches for passes over one cluster, owned by the caller that creates the session. All passes must share the catalog
 * and the PodDisruptionBudgets given here; NodePools, nodes and pods may differ between passes.
 *
 * Nodes, pods and lists of pods are copied on write, so the identity of an object serves as its version: an entry for a
 * node is valid as long as later states of the cluster contain the same object.
 */
export class DisruptionSession {
  public readonly scheduling: SchedulingSession;
  public readonly pdbs: PdbIndex;
  public readonly budgetWindows = new BudgetWindows();
  public readonly nodePoolStats = new NodePoolStats();
  public readonly candidates = new CandidateCache();
  public readonly driftOrder = new DriftOrder();
  public readonly removals = new NodeRemovals();
  public readonly deletingNodePods = new DeletingNodePodsCache();
  public readonly basePods = new BasePodsCache(this.deletingNodePods);
  /**
   * Whether drift last refused a candidate. It only decides which candidates `UnreadyNodeFilter` checks; results do not
   * depend on it.
   */
  public hasRefusedDrift = false;

  public constructor({ catalog, pdbs }: Pick<Cluster, 'catalog' | 'pdbs'>) {
    this.scheduling = new SchedulingSession(catalog);
    this.pdbs = new PdbIndex(pdbs);
  }
}

/** One state of a cluster, with the values that all methods need. */
export interface ClusterState {
  readonly session: DisruptionSession;
  readonly cluster: Cluster;
  readonly now: Instant;
  readonly limits: PdbLimits;
  /** Instance types that can be launched, by NodePool. */
  readonly tables: ReadonlyMap<string, InstanceTypeTable>;
  /** Prices of running nodes, by NodePool. */
  readonly prices: ReadonlyMap<string, InstanceTypeTable>;
}
