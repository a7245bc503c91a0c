import { ScenarioReport } from '../../disruption';
import { formatGoDuration } from '../../model';
import { WorkloadManifest } from '../manifest/model';
import { BetweenRuns, mostBetweenRuns } from './private/between-runs';
import { cronRunsOf } from './private/cron-runs';
import { fail, notEvaluated, pass } from './private/outcome';
import { workloadsByPool } from './private/placements';
import { startSeconds } from './private/pod-times';
import { PoolDisruption, poolDisruptions } from './private/pool-disruption';
import { horizontalAutoscalerOf } from './private/replicas';
import { consolidationOf } from './private/simulated';
import { count } from './private/wording';
import { Outcome, Rule, RuleContext } from './rule';

/** How long a HorizontalPodAutoscaler waits, unless it says otherwise, until it removes pods. */
const STABILIZATION_SECONDS = 300;
/** Within which CronJobs that follow each other leave a node and want it again. */
const CRON_JOB_SECONDS = 300;

interface Churn {
  readonly seconds: number;
  readonly why: string;
}

/** @see https://karpenter.sh/docs/concepts/disruption/#consolidation */
export class ConsolidateAfterTooShort implements Rule {
  public readonly id = 'KARP-421';
  public readonly name = 'consolidate-after-too-short';
  public readonly severity = 'warning';
  public readonly summary = 'Karpenter consolidates sooner than the pods of the NodePool come to rest: nodes are replaced over and over.';

  public check(context: RuleContext): Outcome[] {
    const workloads = workloadsByPool(context);
    return poolDisruptions(context).flatMap((pool) => {
      if (pool.why !== undefined) return [notEvaluated(pool.object, pool.why)];
      const { disruption } = pool;
      if (disruption.consolidationPolicy !== 'WhenEmptyOrUnderutilized' || disruption.consolidateAfter === undefined) return [];
      const own = workloads.get(disruption.name) ?? [];
      const [slowest] = churnOf(context, own).sort((a, b) => b.seconds - a.seconds);
      const rests = slowest === undefined || disruption.consolidateAfter >= slowest.seconds * 1000;
      return [rests ? pass(disruption.object) : this.finding(context, disruption, slowest, own)];
    });
  }

  private finding(
    context: RuleContext, { object, consolidateAfterText }: PoolDisruption, { seconds, why }: Churn, workloads: readonly WorkloadManifest[],
  ): Outcome {
    const consolidation = consolidationOf(context);
    const between = mostBetweenRuns(context, workloads);
    return fail({
      object,
      path: ['spec', 'disruption', 'consolidateAfter'],
      message: `consolidates ${consolidateAfterText} after the last change on a node, and ${why}: nodes go that are wanted again at once${betweenText(between) || consolidationText(consolidation)}`,
      remedy: `${remedyOf(seconds, workloads)}, or write consolidationPolicy: Balanced (Karpenter 1.14 or newer)`,
      evidence: {
        consolidateAfter: consolidateAfterText,
        seconds,
        consolidation: consolidation ? summaryOf(consolidation) : null,
        betweenRuns: between ?? null,
      },
    });
  }
}

/** To wait longer than a CronJob pauses is to wait for ever. */
function remedyOf(seconds: number, workloads: readonly WorkloadManifest[]): string {
  const often = workloads.find((workload) => (cronRunsOf(workload)?.longestGap ?? Infinity) < seconds * 1000);
  return often ? `let CronJob ${often.name} run in a NodePool of its own` : `write consolidateAfter: ${formatGoDuration(seconds)} or more`;
}

/** How long a run lasts nothing says, and so not whether there is time between two. */
function betweenText(between: BetweenRuns | undefined): string {
  if (!between) return '';
  const { cronJob, nodesWith, nodesWithout, seconds, runsPerDay } = between;
  const goes = nodesWith - nodesWithout === 1 ? '1 node goes and comes' : `${nodesWith - nodesWithout} nodes go and come`;
  const often = runsPerDay < 1 ? 'with each of them' : `${Number(runsPerDay.toFixed(1))} times a day`;
  return `; simulated: ${count(nodesWith, 'node')} with the pods of CronJob ${cronJob}, and ${nodesWithout} left ${seconds} s after they have ended: `
    + `where runs end so long before the next, ${goes} again ${often}`;
}

/** Once: how often it happens the input does not tell. */
function consolidationText(consolidation: ScenarioReport | undefined): string {
  if (!consolidation) return '';
  const { nodes, nodesAfter, evictions } = summaryOf(consolidation);
  return evictions === 0 ? '' : `; simulated: consolidation of the planned cluster, from ${count(nodes, 'node')} to ${nodesAfter}, evicts ${count(evictions, 'pod')}`;
}

function summaryOf({ before, after, workloads }: ScenarioReport): { nodes: number; nodesAfter: number; evictions: number } {
  return { nodes: before.nodes, nodesAfter: after.nodes, evictions: workloads.reduce((sum, { evictions }) => sum + evictions, 0) };
}

/** What keeps pods in motion, and for how long it takes to come to rest. */
function churnOf(context: RuleContext, workloads: readonly WorkloadManifest[]): Churn[] {
  return workloads.flatMap((workload) => {
    const start = startSeconds(workload);
    return [
      ...start > 0 ? [{ seconds: start, why: `the pods of ${workload.kind} ${workload.name} take at least ${start} s to start` }] : [],
      ...workload.kind === 'CronJob' ? [{ seconds: CRON_JOB_SECONDS, why: `the pods of CronJob ${workload.name} come and go` }] : [],
      ...autoscaled(context, workload),
    ];
  });
}

function autoscaled({ model }: RuleContext, workload: WorkloadManifest): Churn[] {
  const scaler = horizontalAutoscalerOf(model, workload);
  if (!scaler) return [];
  const window: unknown = scaler.raw?.spec?.behavior?.scaleDown?.stabilizationWindowSeconds ?? STABILIZATION_SECONDS;
  const seconds = typeof window === 'number' ? window : STABILIZATION_SECONDS;
  return [{ seconds, why: `HorizontalPodAutoscaler ${scaler.name} changes its mind within ${seconds} s` }];
}
