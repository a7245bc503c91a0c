import { misspeltGroup, waitsForMore } from './gang-minimum';
import { countText } from '../../../model';
import { podGroupIndices } from '../../context/schedule-input';
import { WorkloadManifest } from '../../manifest/model';
import { gangsOf, Gang } from '../common/gangs';
import { MORE_SPECIFIC_RULES, triedRemedy } from '../common/unscheduled-pods';
import { defineRule, SubjectFinding, unknown } from '../define-rule';
import { RuleContext } from '../rule';
import { subjectsWith } from '../subjects';

/**
 * Karpenter does not know gangs: it launches nodes for the pods that fit.
 *
 * @see https://github.com/kubernetes-sigs/karpenter/issues/742
 */
export const gangPartlyScheduled = defineRule<Gang | SubjectFinding>({
  id: 'KARP-323',
  name: 'gang-partly-scheduled',
  severity: 'error',
  summary:
    'Only a part of the pods that must start together gets a node, or they wait for more pods than there are: the nodes are paid, and nothing runs.',
  supersededBy: MORE_SPECIFIC_RULES,
  subjects: (context) => [
    ...context.model.workloads.flatMap((workload) => {
      const found = misspeltGroup(workload, context.model);
      return found === undefined ? [] : [{ object: workload.object, facts: found }];
    }),
    ...subjectsWith<Gang | SubjectFinding>(
      ({ object }) => object!,
      ({ model }) => gangsOf(model),
    )(context),
  ],
  judge(gang, context) {
    if ('message' in gang) return gang;
    const { plan, model } = context;
    const waiting = waitsForMore(gang, model);
    if (waiting !== undefined) return waiting;
    const groups = new Set(gang.members.flatMap(podGroupIndices));
    const unevaluated = plan.notEvaluated.find(({ group }) => groups.has(group));
    if (unevaluated !== undefined) return unknown(`its pods are not evaluated: ${unevaluated.causes.join(', ')}`);
    const members = gang.members.map((workload) => ({ workload, pending: pendingOf(context, workload) }));
    const pods = gang.members.reduce((sum, { replicas }) => sum + replicas, 0);
    const placed = members.reduce((sum, { workload, pending }) => sum + workload.replicas - pending, 0);
    const short = members.find(({ pending }) => pending > 0)?.workload;
    const started = gang.startedPods(members.map(({ workload, pending }) => workload.replicas - pending));
    if (short === undefined || placed === started) return undefined;
    const { remedy, related, isTypo: _, ...edits } = triedRemedy(context, short);
    const idle = placed - started;
    return {
      object: short.object,
      path: short.podPath,
      message: `only ${placed} of the ${pods} pods of ${gang.name} ${placed === 1 ? 'fits' : 'fit'}, and ${gang.rule}: ${countText(idle, 'pod gets a node that is paid, and waits', 'pods get nodes that are paid, and wait')} for the others`,
      remedy: remedy ?? `let a NodePool take all ${pods} pods, or make the gang smaller`,
      evidence: { gang: gang.name, pods, placed, idle },
      ...edits,
      ...(related === undefined ? {} : { related }),
    };
  },
});

function pendingOf({ plan }: RuleContext, workload: WorkloadManifest): number {
  const groups = new Set(podGroupIndices(workload));
  return plan.unschedulable.filter(({ group }) => groups.has(group)).length;
}
