import { DO_NOT_DISRUPT, setField, unsafeFix } from '../../../../contract';
import { durationText, formatGoDuration } from '../../../../model';
import { disruptionsByName, ManifestDisruption } from '../../../manifest/karpenter/pool-disruption';
import { WorkloadManifest } from '../../../manifest/model';
import { poolsWithTerminationGrace } from '../../common/placements';
import { podSpecOf } from '../../common/pod-constraints';
import { defineRule, NOT_APPLICABLE, SubjectFinding } from '../../define-rule';
import { workloads } from '../../subjects';
import { isBatch, podAnnotationsPath, protectionOfPods } from '../eviction/pod-protection';

const GRACE = ['spec', 'template', 'spec', 'terminationGracePeriod'];

/** @see https://karpenter.sh/docs/concepts/disruption/#terminationgraceperiod */
export const terminationGraceOverridesProtection = defineRule({
  id: 'KARP-408',
  name: 'termination-grace-overrides-protection',
  severity: 'warning',
  summary:
    'A protected Job may run longer than the terminationGracePeriod of its nodes: drift and expiry kill it anyway.',
  subjects: workloads({ where: (workload) => isBatch(workload) && protectionOfPods(workload).kind !== 'none' }),
  judge(workload, context) {
    const poolsWithGrace = poolsWithTerminationGrace(context, workload, disruptionsByName(context));
    if (poolsWithGrace.length === 0) return NOT_APPLICABLE;
    const longest = longestRun(workload);
    const short = poolsWithGrace.find(
      ({ terminationGracePeriod }) => longest === undefined || terminationGracePeriod! < longest,
    );
    return short === undefined ? undefined : finding(workload, short, longest);
  },
});

function finding(workload: WorkloadManifest, pool: ManifestDisruption, longest: number | undefined): SubjectFinding {
  const runs = longest === undefined ? 'may run without a time limit' : `may run for ${durationText(longest / 1000)}`;
  return {
    path: [...podAnnotationsPath(workload), DO_NOT_DISRUPT],
    message:
      `is protected from disruption and ${runs}, but drift and expiry of NodePool ${pool.name} still drain its node: ` +
      `they kill it after the terminationGracePeriod of ${durationText(pool.terminationGracePeriod! / 1000)}`,
    remedy:
      longest === undefined
        ? `set activeDeadlineSeconds to the longest run, and a longer terminationGracePeriod in NodePool ${pool.name}, or run it in a NodePool of its own`
        : `set terminationGracePeriod of NodePool ${pool.name} to ${formatGoDuration(Math.ceil(longest / 1000))} or more, or run it in a NodePool of its own`,
    evidence: { nodePool: pool.name, longestRunSeconds: longest === undefined ? null : longest / 1000 },
    ...(longest === undefined
      ? {}
      : {
          also: [{ object: pool.object, fix: unsafeFix(setField(GRACE, formatGoDuration(Math.ceil(longest / 1000)))) }],
        }),
  };
}

/** Milliseconds until a deadline ends the pod or its protection ends; undefined if neither ever happens. */
function longestRun(workload: WorkloadManifest): number | undefined {
  const protection = protectionOfPods(workload);
  const job = workload.kind === 'CronJob' ? workload.object.raw?.spec?.jobTemplate?.spec : workload.object.raw?.spec;
  const written = [job?.activeDeadlineSeconds, podSpecOf(workload)?.activeDeadlineSeconds];
  const deadlines = written.filter((seconds) => Number.isFinite(seconds)).map((seconds) => seconds * 1000);
  const ends = [...deadlines, ...(protection.kind === 'until' ? [protection.milliseconds] : [])];
  return ends.length === 0 ? undefined : Math.min(...ends);
}
