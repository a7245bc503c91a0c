import { Cluster, Instant } from '../cluster';
import { EndState } from './end-state';
import { ClusterBaseline } from '../scenario/cluster/cluster-baseline';
import { CONSOLIDATION_METHODS } from '../scenario/controllers/disruption/next-opportunity';
import { startedCluster } from '../scenario/scenario-start';
import { ScenarioTimes } from '../scenario/scenario-times';
import { simulate } from '../scenario/simulate';

/** A change of the cluster that may free nodes. */
export interface Change {
  /** In the imperative. Changes of equal text are the same change. */
  readonly text: string;
  readonly apply: (cluster: Cluster) => Cluster;
}

/** Simulates consolidation of one cluster until nothing more happens. */
export function consolidated(
  baseline: ClusterBaseline,
  start: Instant,
  times: ScenarioTimes,
  options: { readonly maxWork?: number; readonly onTick?: (simulatedSeconds: number) => void } = {},
): EndState {
  const cluster = startedCluster({ baseline, start, times, ...options });
  const report = simulate(cluster, {
    scenario: 'consolidation',
    methods: CONSOLIDATION_METHODS,
    onTick: options.onTick,
  });
  return new EndState(cluster, report);
}

/** The outcome of a change. */
export interface WhatIf {
  readonly changes: readonly Change[];
  readonly end: EndState;
  /** How much less the cluster costs. 0 if pods stay pending that had a node. */
  readonly savesUsdPerHour: number;
  /** Pods without a controller that are deleted, and nothing recreates. */
  readonly loses: readonly string[];
}

/** Simulates changes after a consolidation, within a limit of work for all simulations together. */
export class WhatIfs {
  private readonly results = new Map<string, WhatIf | undefined>();
  private workLeft: number;

  public constructor(
    private readonly before: EndState,
    private readonly times: ScenarioTimes,
    maxWork: number,
    private readonly maxSimulations: number,
  ) {
    this.workLeft = maxWork;
  }

  /** The outcome of all changes together; undefined if it is too much work to simulate. */
  public of(changes: readonly Change[]): WhatIf | undefined {
    const key = changes.map(({ text }) => text).join('\n');
    if (!this.results.has(key)) this.results.set(key, this.simulate(changes));
    return this.results.get(key);
  }

  private simulate(changes: readonly Change[]): WhatIf | undefined {
    if (this.workLeft <= 0 || this.results.size >= this.maxSimulations) return undefined;
    const { before, times } = this;
    const changed = changes.reduce((cluster, { apply }) => apply(cluster), before.cluster);
    const end = consolidated(before.baselineFor(changed), before.simulated.now, times, { maxWork: this.workLeft });
    this.workLeft -= end.simulated.work.spent;
    if (end.report.stopped) return undefined;
    const { pending, lost, after } = end.report;
    return {
      changes,
      end,
      savesUsdPerHour: pending.length > 0 ? 0 : before.report.after.usdPerHour - after.usdPerHour,
      loses: lost,
    };
  }
}
