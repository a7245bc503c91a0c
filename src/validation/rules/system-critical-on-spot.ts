import { WorkloadManifest } from '../manifest/model';
import { CriticalTask, criticalTasks } from './private/critical-workloads';
import { fail, notEvaluated, pass } from './private/outcome';
import { placedWorkloads, SpotShare, spotShareOf, spotShareText } from './private/spot-nodes';
import { Outcome, Rule, RuleContext } from './rule';

/** @see https://docs.aws.amazon.com/eks/latest/best-practices/karpenter.html */
export class SystemCriticalOnSpot implements Rule {
  public readonly id = 'KARP-515';
  public readonly name = 'system-critical-on-spot';
  public readonly severity = 'error';
  public readonly summary = 'What the whole cluster needs, such as DNS, a controller, or a webhook that must answer, may run on spot.';

  public check(context: RuleContext): Outcome[] {
    const tasks = criticalTasks(context.model);
    return placedWorkloads(context).flatMap((workload) => {
      const task = tasks.get(workload);
      return task === undefined ? [] : [this.checkWorkload(context, workload, task)];
    });
  }

  private checkWorkload(context: RuleContext, workload: WorkloadManifest, task: CriticalTask): Outcome {
    const share = spotShareOf(context, workload);
    if (share === undefined) return notEvaluated(workload.object, 'the plan has no node for its pods');
    return share.spot === 0 ? pass(workload.object) : this.finding(workload, task, share);
  }

  private finding({ object, podPath, replicas }: WorkloadManifest, task: CriticalTask, share: SpotShare): Outcome {
    const { text, part } = task;
    const together = share.fullest > 1 && share.fullest === replicas ? `, all ${replicas} on one` : '';
    return fail({
      object,
      path: podPath,
      message: `${text}, and ${spotShareText(share)}${together}: when EC2 takes it back, ${part === undefined ? 'the whole cluster goes without' : `no change of ${part} is accepted until it answers again`}`,
      remedy: 'run it on a node group, or require karpenter.sh/capacity-type In [on-demand, reserved] of its nodes, and keep its pods apart',
      evidence: { task: text, nodes: share.nodes, spotNodes: share.spot, podsOnFullestSpotNode: share.fullest },
      severity: part === undefined ? undefined : 'warning',
    });
  }
}
