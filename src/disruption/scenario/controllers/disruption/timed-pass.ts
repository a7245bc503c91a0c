import { Cluster, Instant } from '../../../cluster';
import { ClusterView, DisruptionContext, PassGenerator } from '../../../context';
import { DisruptionPass, disruptionPassSteps } from '../../../controller';
import { DisruptionMethod } from '../../../types';
import { SimulatedCluster } from '../../cluster/simulated-cluster';
import { simulationOf } from '../../scenario-times';

/**
 * One pass of the disruption controller, with the time that its scheduling simulations take. Each simulation sees the
 * cluster as it is then.
 */
export class TimedPass {
  /** The result; undefined until the pass has ended. */
  private endedPass?: DisruptionPass;
  private readonly steps: PassGenerator<DisruptionPass>;
  private readonly view: TimedView;

  public constructor(
    private readonly cluster: SimulatedCluster,
    methods: readonly DisruptionMethod[],
  ) {
    this.view = new TimedView(cluster);
    this.steps = disruptionPassSteps(this.view, methods, cluster.consolidation);
    // Candidates are determined before other controllers react to the commands of the same tick.
    this.advance(cluster.now + 1);
  }

  /** The result, if the pass has ended by now. */
  public get result(): DisruptionPass | undefined {
    return this.view.now <= this.cluster.now ? this.endedPass : undefined;
  }

  /**
   * Runs simulations while the cluster stays as it is.
   *
   * @param until when the cluster changes next
   * @returns when the pass ends; infinite if it does not end before `until`
   */
  public advance(until: Instant): Instant {
    const { view } = this;
    view.update(this.cluster.snapshot(), until);
    while (this.endedPass === undefined && view.now < until && !this.cluster.work.isSpent) {
      const step = this.steps.next();
      if (step.done) this.endedPass = step.value;
      else view.now += view.simulationMilliseconds;
    }
    return this.endedPass === undefined ? Infinity : view.now;
  }
}

class TimedView implements ClusterView {
  public context: DisruptionContext;
  public now: Instant;
  private until: Instant;
  /** Milliseconds, if the scenario sets the time of a simulation. */
  private readonly fixedTime?: number;
  /** Milliseconds, computed for the current context when needed. */
  private estimatedTime?: number;

  public constructor(private readonly cluster: SimulatedCluster) {
    const {
      now,
      times: { simulation },
    } = cluster;
    this.context = new DisruptionContext(cluster.snapshot(), now, cluster.session);
    this.now = this.until = now;
    this.fixedTime = simulation === undefined ? undefined : Math.round(simulation * 1_000);
  }

  /** @param until when the snapshot becomes outdated */
  public update(snapshot: Cluster, until: Instant): void {
    this.until = until;
    if (this.context.cluster === snapshot) return;
    this.context = new DisruptionContext(snapshot, this.now, this.cluster.session);
    this.estimatedTime = undefined;
  }

  /** How long a simulation takes that begins now. */
  public get simulationMilliseconds(): number {
    return this.fixedTime ?? (this.estimatedTime ??= this.estimateTime());
  }

  public get simulationsAhead(): number {
    const { simulationMilliseconds } = this;
    return simulationMilliseconds === 0 ? Infinity : Math.ceil((this.until - this.now) / simulationMilliseconds);
  }

  private estimateTime(): number {
    const { cluster, basePodCount } = this.context;
    return Math.round(simulationOf(cluster.nodes.length, basePodCount) * 1_000);
  }
}
