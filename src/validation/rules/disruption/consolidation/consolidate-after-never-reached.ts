import { cronRunsOf } from './cron-job-runs';
import { setField, unsafeFix } from '../../../../contract';
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
    'A consolidateAfter is Never although a policy is written, or a CronJob runs more often: nodes are never consolidated.',
  subjects: disruptedPools({
    where: (disruption) => disruption.consolidateAfter !== undefined || contradictsPolicy(disruption),
  }),
  judge(disruption, context) {
    if (disruption.consolidateAfter === undefined) return contradiction(disruption);
    const inPool = regularJobsOf(context).filter(({ pools }) => pools.includes(disruption.name));
    if (inPool.length === 0) return NOT_APPLICABLE;
    const frequent = inPool.find(({ gap }) => gap < disruption.consolidateAfter!);
    return frequent === undefined ? undefined : finding(disruption, frequent.workload, frequent.gap);
  },
});

/** Whether the manifest names a policy, which `Never` makes void. Static NodePools have neither. */
function contradictsPolicy(pool: ManifestDisruption): boolean {
  const { replicas, disruption } = pool.object.raw.spec ?? {};
  if (pool.consolidateAfterText !== 'Never' || replicas !== undefined) return false;
  return disruption?.consolidationPolicy !== undefined;
}

function contradiction({ consolidationPolicy }: ManifestDisruption): SubjectFinding {
  return {
    path: ['spec', 'disruption', 'consolidateAfter'],
    message: `never consolidates: consolidateAfter is Never, so consolidationPolicy ${consolidationPolicy} has no effect; ${consolidationPolicy === 'WhenEmpty' ? 'empty' : 'empty and half-empty'} nodes go on costing money`,
    remedy:
      'keep it if that is intended; otherwise write a duration such as consolidateAfter: 5m, and let budgets limit how many nodes it disrupts',
    evidence: { consolidateAfter: 'Never', consolidationPolicy },
    severity: 'info',
    fix: unsafeFix(setField(['spec', 'disruption', 'consolidateAfter'], '5m')),
  };
}

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
  const shorter = formatGoDuration(Math.floor(gap / 2000));
  return {
    path: ['spec', 'disruption', 'consolidateAfter'],
    message:
      `waits ${consolidateAfterText} after the last pod change on a node, but CronJob ${name} ("${cronJob.raw.spec?.schedule}") runs at least every ${interval}: ` +
      'nodes that get its pods are never consolidated',
    remedy: `write a consolidateAfter below ${interval}, such as ${shorter}, or run the CronJob in a NodePool of its own`,
    evidence: { consolidateAfter: consolidateAfterText, cronJob: name, longestGapSeconds: gap / 1000 },
    fix: unsafeFix(setField(['spec', 'disruption', 'consolidateAfter'], shorter)),
  };
}
