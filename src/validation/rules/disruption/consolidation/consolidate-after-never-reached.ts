import { cronRunsOf } from './cron-job-runs';
import { formatGoDuration, memoizeByIdentity } from '../../../../model';
import { ManifestDisruption } from '../../../manifest/karpenter/pool-disruption';
import { WorkloadManifest } from '../../../manifest/model';
import { poolNamesOf } from '../../common/placements';
import { defineRule, NOT_APPLICABLE, SubjectFinding } from '../../define-rule';
import { RuleContext } from '../../rule';
import { disruptedPools } from '../../subjects';

/** @see https://karpenter.sh/docs/concepts/disruption/#consolidation */
export const consolidateAfterNeverReached = defineRule({
  id: 'KARP-422',
  name: 'consolidate-after-never-reached',
  severity: 'warning',
  summary:
    'A CronJob runs in the NodePool more often than consolidateAfter: nodes that get its pods are never consolidated.',
  subjects: disruptedPools({ where: ({ consolidateAfter }) => consolidateAfter !== undefined }),
  judge(disruption, context) {
    const inPool = regularJobsOf(context).filter(({ pools }) => pools.includes(disruption.name));
    if (inPool.length === 0) return NOT_APPLICABLE;
    const frequent = inPool.find(({ gap }) => gap < disruption.consolidateAfter!);
    return frequent === undefined ? undefined : finding(disruption, frequent.workload, frequent.gap);
  },
});

/** The CronJobs that run regularly, with the longest time between two runs in milliseconds. */
const regularJobsOf = memoizeByIdentity((context: RuleContext) =>
  context.model.workloads.flatMap((workload) => {
    const gap = cronRunsOf(workload)?.longestGap;
    return gap === undefined ? [] : [{ workload, gap, pools: poolNamesOf(context, workload) }];
  }),
);

function finding(
  { consolidateAfterText }: ManifestDisruption,
  { name, object: cronJob }: WorkloadManifest,
  gap: number,
): SubjectFinding {
  const interval = formatGoDuration(gap / 1000);
  return {
    path: ['spec', 'disruption', 'consolidateAfter'],
    message:
      `waits ${consolidateAfterText} after the last pod change on a node, but CronJob ${name} ("${cronJob.raw.spec?.schedule}") runs at least every ${interval}: ` +
      'nodes that get its pods are never consolidated',
    remedy: `write a consolidateAfter below ${interval}, or run the CronJob in a NodePool of its own`,
    evidence: { consolidateAfter: consolidateAfterText, cronJob: name, longestGapSeconds: gap / 1000 },
  };
}
