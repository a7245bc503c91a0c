import { scalesNodes, slowestChurn } from './consolidate-after-too-short';
import { cronRunsOf } from './cron-job-runs';
import { setField, unsafeFix } from '../../../../contract';
import { formatGoDuration, memoizeByIdentity, shortListText, workloadNames } from '../../../../model';
import { ManifestDisruption } from '../../../manifest/karpenter/pool-disruption';
import { WorkloadManifest } from '../../../manifest/model';
import { poolNamesOf, workloadsByPool } from '../../common/placements';
import { horizontalAutoscalerOf } from '../../common/replicas';
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
    if (disruption.consolidateAfter === undefined)
      return contradiction(disruption, whyNodesComeAndGo(context, disruption));
    const inPool = regularJobsOf(context).filter(({ pools }) => pools.includes(disruption.name));
    if (inPool.length === 0) return NOT_APPLICABLE;
    const frequent = inPool.find(({ gap }) => gap < disruption.consolidateAfter!);
    return frequent === undefined ? undefined : finding(context, disruption, frequent.workload, frequent.gap);
  },
});

/** Whether the manifest names a policy, which `Never` makes void. Static NodePools have neither. */
function contradictsPolicy(pool: ManifestDisruption): boolean {
  const { replicas, disruption } = pool.object.raw.spec ?? {};
  if (pool.consolidateAfterText !== 'Never' || replicas !== undefined) return false;
  return disruption?.consolidationPolicy !== undefined;
}

/** What makes nodes come and go: an autoscaler, or pods that end. */
function whyNodesComeAndGo(context: RuleContext, { name }: ManifestDisruption): string | undefined {
  const inPool = workloadsByPool(context).get(name) ?? [];
  const scalers = scalesNodes(context)
    ? inPool.flatMap((workload) => horizontalAutoscalerOf(context.model, workload)?.name ?? [])
    : [];
  const jobs = inPool.filter(({ kind }) => kind === 'Job' || kind === 'CronJob');
  if (scalers.length > 0) return `after a peak of HorizontalPodAutoscaler ${shortListText(scalers.sort(), 3)}`;
  return jobs.length === 0 ? undefined : `after the pods of ${shortListText(workloadNames(jobs), 3)}`;
}

function contradiction(
  { consolidationPolicy, expireAfter, expireAfterText }: ManifestDisruption,
  when: string | undefined,
): SubjectFinding {
  const end = expireAfter === undefined ? 'for good' : `until they expire after ${expireAfterText}`;
  const effect =
    when === undefined
      ? `${consolidationPolicy === 'WhenEmpty' ? 'empty' : 'empty and half-empty'} nodes go on costing money`
      : `${when}, empty nodes stay ${end}`;
  return {
    path: ['spec', 'disruption', 'consolidateAfter'],
    message: `never consolidates: consolidateAfter is Never, so consolidationPolicy ${consolidationPolicy} has no effect; ${effect}`,
    remedy: `${when === undefined ? 'keep it if that is intended; otherwise write' : 'write'} a duration such as consolidateAfter: 5m, and let budgets limit how many nodes it disrupts`,
    evidence: { consolidateAfter: 'Never', consolidationPolicy },
    severity: when === undefined ? 'info' : 'warning',
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
  context: RuleContext,
  { consolidateAfterText, name: pool }: ManifestDisruption,
  { name, object: cronJob }: WorkloadManifest,
  gap: number,
): SubjectFinding {
  const interval = formatGoDuration(gap / 1000);
  // Other pods of the NodePool may need more time to settle (KARP-421).
  const settled = slowestChurn(context, workloadsByPool(context).get(pool) ?? []);
  const seconds = Math.max(Math.floor(gap / 2000), settled?.seconds ?? 0);
  const shorter = seconds * 1000 < gap ? formatGoDuration(seconds) : undefined;
  return {
    path: ['spec', 'disruption', 'consolidateAfter'],
    message:
      `waits ${consolidateAfterText} after the last pod change on a node, but CronJob ${name} ("${cronJob.raw.spec?.schedule}") runs at least every ${interval}: ` +
      'nodes that get its pods are never consolidated',
    remedy:
      shorter === undefined
        ? `run the CronJob in a NodePool of its own, or less often: a consolidateAfter below ${interval} is too short, because ${settled!.why}`
        : `write a consolidateAfter below ${interval}, such as ${shorter}, or run the CronJob in a NodePool of its own`,
    evidence: { consolidateAfter: consolidateAfterText, cronJob: name, longestGapSeconds: gap / 1000 },
    ...(shorter === undefined ? {} : { fix: unsafeFix(setField(['spec', 'disruption', 'consolidateAfter'], shorter)) }),
  };
}
