import { formatGoDuration } from '../../model';
import { WorkloadManifest } from '../manifest/model';
import { cronRunsOf } from './private/cron-runs';
import { fail, notEvaluated, pass } from './private/outcome';
import { poolNamesOf } from './private/placements';
import { PoolDisruption, poolDisruptions } from './private/pool-disruption';
import { Outcome, Rule, RuleContext } from './rule';

/** @see https://karpenter.sh/docs/concepts/disruption/#consolidation */
export class ConsolidateAfterNeverReached implements Rule {
  public readonly id = 'KARP-422';
  public readonly name = 'consolidate-after-never-reached';
  public readonly severity = 'warning';
  public readonly summary = 'A CronJob comes to the NodePool more often than consolidateAfter: the nodes that take its pods are never quiet for long enough.';

  public check(context: RuleContext): Outcome[] {
    const jobs = context.model.workloads.flatMap((workload) => {
      const gap = cronRunsOf(workload)?.longestGap;
      return gap === undefined ? [] : [{ workload, gap, pools: poolNamesOf(context, workload) }];
    });
    return poolDisruptions(context).flatMap((pool) => {
      if (pool.why !== undefined) return [notEvaluated(pool.object, pool.why)];
      const { disruption } = pool;
      const own = jobs.filter(({ pools }) => pools.includes(disruption.name));
      if (own.length === 0 || disruption.consolidateAfter === undefined) return [];
      const often = own.find(({ gap }) => gap < disruption.consolidateAfter!);
      return [often === undefined ? pass(disruption.object) : this.finding(disruption, often.workload, often.gap)];
    });
  }

  private finding({ object, consolidateAfterText }: PoolDisruption, { name, object: job }: WorkloadManifest, gap: number): Outcome {
    const every = formatGoDuration(gap / 1000);
    return fail({
      object,
      path: ['spec', 'disruption', 'consolidateAfter'],
      message: `waits ${consolidateAfterText} after the last pod that came or went, but CronJob ${name} ("${job.raw.spec.schedule}") brings one every ${every} at the latest: `
        + 'a node that takes its pods is never consolidated',
      remedy: `write a consolidateAfter below ${every}, or let the CronJob run in a NodePool of its own`,
      evidence: { consolidateAfter: consolidateAfterText, cronJob: name, longestGapSeconds: gap / 1000 },
    });
  }
}
