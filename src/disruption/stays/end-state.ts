import { poolTables } from '../../scheduling';
import { costOf } from '../candidates/prices';
import { Cluster, ClusterNode } from '../cluster';
import { DisruptionContext } from '../context';
import { BalancedEvaluator } from '../methods/balanced';
import { ClusterBaseline } from '../scenario/cluster/cluster-baseline';
import { SimulatedCluster } from '../scenario/cluster/simulated-cluster';
import { ScenarioReport } from '../scenario/report/scenario-report';
import { Candidate } from '../types';

/** A cluster after the simulation of consolidation. */
export class EndState {
  public readonly cluster: Cluster;
  public readonly context: DisruptionContext;
  public readonly candidates: ReadonlyMap<string, Candidate>;
  /** Nodes that Karpenter does not consider, with its reason. */
  public readonly blocked: ReadonlyMap<string, string>;
  public readonly evaluator: BalancedEvaluator;
  private baseline?: ClusterBaseline;

  public constructor(
    public readonly simulated: SimulatedCluster,
    public readonly report: ScenarioReport,
  ) {
    const snapshot = simulated.snapshot();
    this.cluster = { ...simulated.config, nodes: snapshot.nodes, pendingPods: snapshot.pendingPods };
    this.context = new DisruptionContext(snapshot, simulated.now, simulated.session);
    const { candidates, blocked } = this.context.candidates('graceful');
    this.candidates = new Map(candidates.map((candidate) => [candidate.node.name, candidate]));
    this.blocked = new Map(blocked.map(({ node, why }) => [node, why]));
    this.evaluator = new BalancedEvaluator(this.context, candidates);
  }

  /** The nodes at the end. */
  public get nodes(): readonly ClusterNode[] {
    return this.cluster.nodes;
  }

  public has(node: string): boolean {
    const state = this.simulated.nodes.get(node);
    return state !== undefined && !state.isDeleting;
  }

  /** USD per hour; 0 if it is not known. */
  public priceOf(node: ClusterNode): number {
    return costOf([node], this.cluster);
  }

  /** The instance types of a NodePool's node class, allowed or not. */
  public tableOf(pool: string) {
    return poolTables(this.cluster.scheduling, this.cluster.catalog).tables.get(pool);
  }

  /** A baseline for a simulation that goes on from here. The caches are kept if the change does not concern them. */
  public baselineFor(changed: Cluster): ClusterBaseline {
    const { pdbs, scheduling, settings } = this.cluster;
    const isSame = changed.pdbs === pdbs && changed.scheduling === scheduling && changed.settings === settings;
    if (!isSame) return new ClusterBaseline(changed);
    this.baseline ??= new ClusterBaseline(this.cluster, this.simulated.session);
    return this.baseline.derive(changed);
  }
}
