import { SPOT_NOTICE_SECONDS, SPOT_REACTION_SECONDS } from '../../contract';
import { WorkloadManifest } from '../manifest/model';
import { fail, notEvaluated, pass } from './private/outcome';
import { podSpecOf } from './private/pod-constraints';
import { drainSeconds } from './private/pod-times';
import { placedWorkloads, SpotShare, spotShareOf, spotShareText } from './private/spot-nodes';
import { findUnresolved } from './private/unresolved';
import { Outcome, Rule, RuleContext } from './rule';

const LONGEST_SECONDS = SPOT_NOTICE_SECONDS - SPOT_REACTION_SECONDS;

/** The delay of a preStop hook is part of the time that a pod has to end, and not added to it. */
export class GraceExceedsTwoMinutesOnSpot implements Rule {
  public readonly id = 'KARP-513';
  public readonly name = 'grace-exceeds-two-minutes-on-spot';
  public readonly severity = 'error';
  public readonly summary = 'Pods that may run on spot ask for more time to end than EC2 gives after its notice: what they still have to do is cut off.';

  public check(context: RuleContext): Outcome[] {
    return placedWorkloads(context).map((workload) => this.checkWorkload(context, workload));
  }

  private checkWorkload(context: RuleContext, workload: WorkloadManifest): Outcome {
    const { object } = workload;
    const unknown = findUnresolved(podSpecOf(workload)?.terminationGracePeriodSeconds);
    if (unknown !== undefined) return notEvaluated(object, `the value of ${unknown} is known only at deployment`);
    const seconds = drainSeconds(workload);
    if (seconds <= LONGEST_SECONDS) return pass(object);
    const share = spotShareOf(context, workload);
    if (share === undefined) return notEvaluated(object, 'the plan has no node for its pods');
    return share.spot === 0 ? pass(object) : this.finding(workload, seconds, share);
  }

  private finding({ object, podPath }: WorkloadManifest, seconds: number, share: SpotShare): Outcome {
    return fail({
      object,
      path: [...podPath, 'terminationGracePeriodSeconds'],
      message: `may take ${seconds} s to end, and ${spotShareText(share)}: EC2 ends the instance ${SPOT_NOTICE_SECONDS} s after its notice, of which about `
        + `${SPOT_REACTION_SECONDS} s pass until a pod is told, so that up to ${seconds - LONGEST_SECONDS} s of its work are cut off`,
      remedy: `require karpenter.sh/capacity-type In [on-demand, reserved] of its nodes, or let the pods end within ${LONGEST_SECONDS} s`,
      evidence: { terminationGracePeriodSeconds: seconds, nodes: share.nodes, spotNodes: share.spot },
    });
  }
}
