import { DO_NOT_DISRUPT } from '../../contract';
import { formatGoDuration } from '../../model';
import { WorkloadManifest } from '../manifest/model';
import { fail, pass } from './private/outcome';
import { podSpecOf } from './private/pod-constraints';
import { disruptionsByName, PoolDisruption, poolsWithEnd } from './private/pool-disruption';
import { isBatch, podAnnotationsPath, protectionOfPods } from './private/protection';
import { Outcome, Rule, RuleContext } from './rule';

/** @see https://karpenter.sh/docs/concepts/disruption/#terminationgraceperiod */
export class TerminationGraceOverridesProtection implements Rule {
  public readonly id = 'KARP-408';
  public readonly name = 'termination-grace-overrides-protection';
  public readonly severity = 'warning';
  public readonly summary = 'Work that is protected from disruption may run for longer than the terminationGracePeriod of its nodes: drift kills it all the same.';

  public check(context: RuleContext): Outcome[] {
    const pools = disruptionsByName(context);
    return context.model.workloads.filter((workload) => isBatch(workload) && protectionOfPods(workload).kind !== 'none').flatMap((workload) => {
      const own = poolsWithEnd(context, workload, pools);
      if (own.length === 0) return [];
      const longest = longestRun(workload);
      const short = own.find(({ terminationGracePeriod }) => longest === undefined || terminationGracePeriod! < longest);
      return [short === undefined ? pass(workload.object) : this.finding(workload, short, longest)];
    });
  }

  private finding(workload: WorkloadManifest, pool: PoolDisruption, longest: number | undefined): Outcome {
    const runs = longest === undefined ? 'may run without an end' : `may run for ${formatGoDuration(longest / 1000)}`;
    return fail({
      object: workload.object,
      path: [...podAnnotationsPath(workload), DO_NOT_DISRUPT],
      message: `is protected from disruption and ${runs}, but NodePool ${pool.name} has a terminationGracePeriod: `
        + `drift and expiry begin to drain its node all the same, and kill it ${pool.terminationGracePeriodText} later`,
      remedy: `set activeDeadlineSeconds below the terminationGracePeriod of NodePool ${pool.name}, or run it in a NodePool of its own`,
      evidence: { nodePool: pool.name, longestRunSeconds: longest === undefined ? null : longest / 1000 },
    });
  }
}

/** Milliseconds: what is over ends the pod, or its protection. */
function longestRun(workload: WorkloadManifest): number | undefined {
  const protection = protectionOfPods(workload);
  const job = workload.kind === 'CronJob' ? workload.object.raw?.spec?.jobTemplate?.spec : workload.object.raw?.spec;
  const written = [job?.activeDeadlineSeconds, podSpecOf(workload)?.activeDeadlineSeconds];
  const deadlines = written.filter((seconds) => Number.isFinite(seconds)).map((seconds) => seconds * 1000);
  const ends = [...deadlines, ...protection.kind === 'until' ? [protection.milliseconds] : []];
  return ends.length === 0 ? undefined : Math.min(...ends);
}
