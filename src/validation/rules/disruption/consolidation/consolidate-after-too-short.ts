import { CronJobChurn, cronRunsOf, worstCronJobChurn } from './cron-job-runs';
import { setField, unsafeFix } from '../../../../contract';
import { ScenarioReport } from '../../../../disruption';
import { countText, formatGoDuration, memoizeByIdentity } from '../../../../model';
import { ManifestDisruption } from '../../../manifest/karpenter/pool-disruption';
import { WorkloadManifest } from '../../../manifest/model';
import { autoscalersNeedNodes } from '../../../scenario/peak';
import { originalOf } from '../../common/class-use';
import { workloadsByPool } from '../../common/placements';
import { allowedStartSeconds, podStartSeconds } from '../../common/pod-times';
import { horizontalAutoscalerOf } from '../../common/replicas';
import { defineRule, NOT_APPLICABLE, SubjectFinding } from '../../define-rule';
import { RuleContext } from '../../rule';
import { disruptedPools } from '../../subjects';
import { simulatedConsolidation } from '../simulations';

/** Default stabilization window of a HorizontalPodAutoscaler that removes pods. */
const STABILIZATION_SECONDS = 300;
const PATH = ['spec', 'disruption', 'consolidateAfter'];
/** Time for which a node should outlast the pods of a CronJob, because the next run may need it. */
const CRON_JOB_SECONDS = 300;

/** A probe that allows less is no sign of a slow start. */
const SLOW_START_SECONDS = 600;

/** Pods of a NodePool that come and go, and for how long after a change they are still in motion. */
export interface PodChurn {
  readonly seconds: number;
  readonly why: string;
}

/** @see https://karpenter.sh/docs/concepts/disruption/#consolidation */
export const consolidateAfterTooShort = defineRule({
  id: 'KARP-421',
  name: 'consolidate-after-too-short',
  severity: 'warning',
  summary: 'Karpenter consolidates before the pods of the NodePool have settled: nodes are replaced again and again.',
  subjects: disruptedPools({
    where: ({ consolidationPolicy, consolidateAfter }) =>
      consolidationPolicy === 'WhenEmptyOrUnderutilized' && consolidateAfter !== undefined,
  }),
  judge(disruption, context) {
    // Older API versions have no such field beside this policy: the value is that of the conversion.
    if (originalOf(context.model, disruption.object) !== undefined) return NOT_APPLICABLE;
    const inPool = workloadsByPool(context).get(disruption.name) ?? [];
    const isTooLong = (churn?: PodChurn) => churn !== undefined && disruption.consolidateAfter! < churn.seconds * 1000;
    const slowest = slowestChurn(context, inPool);
    if (isTooLong(slowest)) return finding(context, disruption, slowest!, inPool);
    const allowed = longestAllowedStart(inPool);
    return isTooLong(allowed) ? { ...finding(context, disruption, allowed!, inPool), severity: 'info' } : undefined;
  },
});

function finding(
  context: RuleContext,
  { consolidateAfterText }: ManifestDisruption,
  { seconds, why }: PodChurn,
  workloads: readonly WorkloadManifest[],
): SubjectFinding {
  const consolidation = simulatedConsolidation(context);
  const cronJobChurn = worstCronJobChurn(context, workloads);
  return {
    path: PATH,
    message:
      `consolidates ${consolidateAfterText} after the last change on a node, but ${why}: nodes are removed and soon needed again` +
      `${cronJobText(cronJobChurn) || consolidationText(consolidation)}`,
    remedy: `${remedyOf(seconds, workloads)}, or write consolidationPolicy: Balanced (Karpenter 1.14 or later)`,
    evidence: {
      consolidateAfter: consolidateAfterText,
      seconds,
      consolidation: consolidation ? summaryOf(consolidation) : null,
      betweenRuns: cronJobChurn ?? null,
    },
    fix:
      frequentCronJob(seconds, workloads) === undefined
        ? unsafeFix(setField(PATH, formatGoDuration(seconds)))
        : undefined,
  };
}

/** A consolidateAfter longer than the gap between runs of a CronJob would never be reached. */
function frequentCronJob(seconds: number, workloads: readonly WorkloadManifest[]): WorkloadManifest | undefined {
  return workloads.find((workload) => (cronRunsOf(workload)?.longestGap ?? Infinity) < seconds * 1000);
}

function remedyOf(seconds: number, workloads: readonly WorkloadManifest[]): string {
  const frequent = frequentCronJob(seconds, workloads);
  return frequent
    ? `run CronJob ${frequent.name} in a NodePool of its own`
    : `write consolidateAfter: ${formatGoDuration(seconds)} or more`;
}

/**
 * Conditional, because the input does not say how long a run lasts, and so whether a gap remains before the next
 * run.
 */
function cronJobText(churn: CronJobChurn | undefined): string {
  if (!churn) return '';
  const { cronJob, nodesWith, nodesWithout, seconds, runsPerDay } = churn;
  const removed = countText(nodesWith - nodesWithout, 'node');
  const frequency = runsPerDay < 1 ? 'each run' : `${Number(runsPerDay.toFixed(1))} runs a day`;
  return (
    `; simulated: ${countText(nodesWith, 'node')} with the pods of CronJob ${cronJob}, ${nodesWithout} left ${seconds} s after they finish: ` +
    `if runs finish that long before the next, ${frequency} ${runsPerDay < 1 ? 'removes' : 'remove'} ${removed} and ${runsPerDay < 1 ? 'adds' : 'add'} ${removed}`
  );
}

/** The effect of one consolidation: the input does not say how often it happens. */
function consolidationText(consolidation: ScenarioReport | undefined): string {
  if (!consolidation) return '';
  const { nodes, nodesAfter, evictions } = summaryOf(consolidation);
  return evictions === 0
    ? ''
    : `; simulated: consolidation of the planned cluster, from ${countText(nodes, 'node')} to ${nodesAfter}, evicts ${countText(evictions, 'pod')}`;
}

function summaryOf({ before, after, workloads }: ScenarioReport): {
  nodes: number;
  nodesAfter: number;
  evictions: number;
} {
  return {
    nodes: before.nodes,
    nodesAfter: after.nodes,
    evictions: workloads.reduce((sum, { evictions }) => sum + evictions, 0),
  };
}

/** The pods that are in motion for the longest time after a change. */
export function slowestChurn(context: RuleContext, workloads: readonly WorkloadManifest[]): PodChurn | undefined {
  return podChurnsOf(context, workloads).sort((a, b) => b.seconds - a.seconds)[0];
}

/** The slowest start that a probe allows. Most pods that have a few minutes start sooner. */
function longestAllowedStart(workloads: readonly WorkloadManifest[]): PodChurn | undefined {
  const [slowest] = workloads
    .map((workload) => ({ workload, seconds: allowedStartSeconds(workload) }))
    .sort((a, b) => b.seconds - a.seconds);
  if (slowest === undefined || slowest.seconds < SLOW_START_SECONDS) return undefined;
  const { workload, seconds } = slowest;
  return {
    seconds,
    why: `the startup probe of ${workload.kind} ${workload.name} gives its pods up to ${seconds} s to start`,
  };
}

function podChurnsOf(context: RuleContext, workloads: readonly WorkloadManifest[]): PodChurn[] {
  return workloads.flatMap((workload) => {
    const start = podStartSeconds(workload);
    return [
      ...(start > 0
        ? [{ seconds: start, why: `the pods of ${workload.kind} ${workload.name} take at least ${start} s to start` }]
        : []),
      ...(workload.kind === 'CronJob'
        ? [{ seconds: CRON_JOB_SECONDS, why: `the pods of CronJob ${workload.name} come and go` }]
        : []),
      ...autoscalerChurn(context, workload),
    ];
  });
}

/** An autoscaler whose pods all fit on the planned nodes makes no node come or go. */
export const scalesNodes = memoizeByIdentity((context: RuleContext): boolean => autoscalersNeedNodes(context));

function autoscalerChurn(context: RuleContext, workload: WorkloadManifest): PodChurn[] {
  const scaler = horizontalAutoscalerOf(context.model, workload);
  if (!scaler || !scalesNodes(context)) return [];
  const window: unknown = scaler.raw?.spec?.behavior?.scaleDown?.stabilizationWindowSeconds ?? STABILIZATION_SECONDS;
  const seconds = typeof window === 'number' ? window : STABILIZATION_SECONDS;
  return [{ seconds, why: `HorizontalPodAutoscaler ${scaler.name} may change the replicas again within ${seconds} s` }];
}
