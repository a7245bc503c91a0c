import { cronRunsOf } from './cron-job-runs';
import { formatGoDuration } from '../../../../model';
import { WorkloadManifest } from '../../../manifest/model';
import { poolNamesOf } from '../../common/placements';
import { PoolDisruption, poolDisruptions } from '../../common/pool-disruption';
import { fail, notEvaluated, Outcome, pass, Rule, RuleContext } from '../../rule';

/** @see https://karpenter.sh/docs/concepts/disruption/#consolidation */
export const consolidateAfterNeverReached: Rule = {
  id: 'KARP-422',
  name: 'consolidate-after-never-reached',
  severity: 'warning',
  summary:
    'A CronJob runs in the NodePool more often than consolidateAfter: nodes that get its pods are never consolidated.',
  check(context: RuleContext): Outcome[] {
    const cronJobs = context.model.workloads.flatMap((workload) => {
      const gap = cronRunsOf(workload)?.longestGap;
      return gap === undefined ? [] : [{ workload, gap, pools: poolNamesOf(context, workload) }];
    });
    return poolDisruptions(context).flatMap((pool) => {
      if (pool.why !== undefined) return [notEvaluated(pool.object, pool.why)];
      const { disruption } = pool;
      const inPool = cronJobs.filter(({ pools }) => pools.includes(disruption.name));
      if (inPool.length === 0 || disruption.consolidateAfter === undefined) return [];
      const frequent = inPool.find(({ gap }) => gap < disruption.consolidateAfter!);
      return [frequent === undefined ? pass(disruption.object) : finding(disruption, frequent.workload, frequent.gap)];
    });
  },
};

function finding(
  { object, consolidateAfterText }: PoolDisruption,
  { name, object: cronJob }: WorkloadManifest,
  gap: number,
): Outcome {
  const interval = formatGoDuration(gap / 1000);
  return fail({
    object,
    path: ['spec', 'disruption', 'consolidateAfter'],
    message:
      `waits ${consolidateAfterText} after the last pod change on a node, but CronJob ${name} ("${cronJob.raw.spec.schedule}") runs at least every ${interval}: ` +
      'nodes that get its pods are never consolidated',
    remedy: `write a consolidateAfter below ${interval}, or run the CronJob in a NodePool of its own`,
    evidence: { consolidateAfter: consolidateAfterText, cronJob: name, longestGapSeconds: gap / 1000 },
  });
}
