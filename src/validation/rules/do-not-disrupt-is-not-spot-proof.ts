import { DO_NOT_DISRUPT } from '../../contract';
import { fail, notEvaluated, pass } from './private/outcome';
import { targetsOtherNodes } from './private/pod-constraints';
import { podAnnotationsPath, protectionOfPods } from './private/protection';
import { spotShareOf, spotShareText } from './private/spot-nodes';
import { Outcome, Rule, RuleContext } from './rule';

/** @see https://karpenter.sh/docs/concepts/disruption/#pod-level-controls */
export class DoNotDisruptIsNotSpotProof implements Rule {
  public readonly id = 'KARP-410';
  public readonly name = 'do-not-disrupt-is-not-spot-proof';
  public readonly severity = 'warning';
  public readonly summary = 'Pods that are protected from disruption may land on spot, where EC2 ends the instance all the same.';

  public check(context: RuleContext): Outcome[] {
    const own = context.model.workloads.filter((workload) => workload.kind !== 'DaemonSet' && !targetsOtherNodes(workload));
    return own.filter((workload) => protectionOfPods(workload).kind !== 'none').map((workload) => {
      const share = spotShareOf(context, workload);
      if (share === undefined) return notEvaluated(workload.object, 'the plan has no node for its pods');
      if (share.spot === 0) return pass(workload.object);
      return fail({
        object: workload.object,
        path: [...podAnnotationsPath(workload), DO_NOT_DISRUPT],
        message: `${spotShareText(share)}: the annotation keeps Karpenter away, but not EC2, `
          + 'which ends the instance two minutes after its notice',
        remedy: 'require karpenter.sh/capacity-type In [on-demand, reserved] of its nodes, or save the state of the work often',
        evidence: { nodes: share.nodes, spotNodes: share.spot },
      });
    });
  }
}
