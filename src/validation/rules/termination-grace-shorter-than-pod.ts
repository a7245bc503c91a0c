import { DEFAULT_TERMINATION_GRACE_SECONDS } from '../../contract';
import { WorkloadManifest } from '../manifest/model';
import { fail, notEvaluated, pass } from './private/outcome';
import { podSpecOf } from './private/pod-constraints';
import { disruptionsByName, PoolDisruption, poolsWithEnd } from './private/pool-disruption';
import { findUnresolved } from './private/unresolved';
import { Outcome, Rule, RuleContext } from './rule';

/** For a volume to be unmounted and detached. */
const DETACH_SECONDS = 60;

/** @see https://karpenter.sh/docs/concepts/disruption/#terminationgraceperiod */
export class TerminationGraceShorterThanPod implements Rule {
  public readonly id = 'KARP-407';
  public readonly name = 'termination-grace-shorter-than-pod';
  public readonly severity = 'error';
  public readonly summary = 'The terminationGracePeriod of a NodePool is shorter than the time that its pods have to end, or than their volumes take to come off.';

  public check(context: RuleContext): Outcome[] {
    const pools = disruptionsByName(context);
    return context.model.workloads.flatMap((workload) => {
      const own = poolsWithEnd(context, workload, pools);
      if (own.length === 0) return [];
      const written: unknown = podSpecOf(workload)?.terminationGracePeriodSeconds;
      const unknown = findUnresolved(written);
      if (unknown !== undefined) return [notEvaluated(workload.object, `the value of ${unknown} is known only at deployment`)];
      const grace = typeof written === 'number' ? written : DEFAULT_TERMINATION_GRACE_SECONDS;
      const needed = grace + (hasVolumes(workload) ? DETACH_SECONDS : 0);
      const short = own.find(({ terminationGracePeriod }) => terminationGracePeriod! < needed * 1000);
      return [short === undefined ? pass(workload.object) : this.finding(workload, short, grace, needed)];
    });
  }

  private finding(workload: WorkloadManifest, pool: PoolDisruption, grace: number, needed: number): Outcome {
    const given = pool.terminationGracePeriod! / 1000;
    const cut = given < grace
      ? `are told to end as soon as the drain begins, whatever their budget says, and get ${given} of their ${grace} seconds`
      : `have ${given - grace} seconds left after their ${grace} for volumes to come off, which takes about ${DETACH_SECONDS}: the next node waits minutes for them`;
    return fail({
      object: workload.object,
      path: [...workload.podPath, 'terminationGracePeriodSeconds'],
      message: `NodePool ${pool.name} ends its nodes ${pool.terminationGracePeriodText} after the drain began; these pods ${cut}`,
      remedy: `write a terminationGracePeriod of at least ${needed}s in NodePool ${pool.name}, better of minutes more`,
      evidence: { nodePool: pool.name, terminationGracePeriodSeconds: given, podTerminationGracePeriodSeconds: grace },
      // Then the pod ends as it should, and only its successor waits.
      severity: given < grace ? undefined : 'warning',
    });
  }
}

function hasVolumes(workload: WorkloadManifest): boolean {
  const volumes: unknown = podSpecOf(workload)?.volumes;
  const claims = Array.isArray(volumes) && volumes.some((volume) => volume?.persistentVolumeClaim !== undefined || volume?.ephemeral !== undefined);
  return claims || (workload.object.raw?.spec?.volumeClaimTemplates?.length ?? 0) > 0;
}
