import { objectsNotEvaluated } from '../context/not-evaluated';
import { podGroupIndices } from '../context/schedule-input';
import { READING_RULES } from '../manifest';
import { Finding } from '../report/verdict';
import { plural } from '../report/wording';
import { RuleContext } from '../rules';
import { targetsNonKarpenterNodes } from '../rules/common/pod-constraints';

/** The message names at most this many reasons. */
const MAX_REASONS = 3;

/** Kinds whose errors explain why pods are not evaluated. */
const CAUSES: readonly string[] = ['NodePool', 'EC2NodeClass', 'PersistentVolumeClaim'];

/**
 * Reports that no pod could be evaluated: such a result must not look like a success. Pods for nodes that Karpenter
 * does not launch do not count. An error about a NodePool, its class or a volume claim is the cause, and is enough.
 */
export function podsNotEvaluated(context: RuleContext, findings: readonly Finding[]): Finding[] {
  const { model, plan, options } = context;
  const { unknownPools, leftOut } = objectsNotEvaluated(model);
  const ofOtherNodes = new Set(model.workloads.filter(targetsNonKarpenterNodes).flatMap(podGroupIndices));
  const notEvaluated = plan.notEvaluated.filter(({ group }) => !ofOtherNodes.has(group));
  const unscheduled = plan.unschedulable.filter(({ group }) => !ofOtherNodes.has(group));
  const isJudged = plan.nodeClaims.length + plan.filledNodes.length > 0 || (unscheduled.length > 0 && unknownPools.length === 0);
  const pods = notEvaluated.reduce((sum, group) => sum + group.pods.length, 0) + unscheduled.length;
  const isExplained = findings.some(({ severity, rule, subject }) =>
    severity === 'error' && (rule === READING_RULES.unreadable.rule || ['KARP-003', 'KARP-101'].includes(rule) || CAUSES.includes(subject.kind)));
  if (isJudged || pods === 0 || isExplained) return [];
  const reasons = [...new Set(leftOut.length > 0 ? leftOut : unscheduled.length > 0 ? unknownPools : notEvaluated.flatMap(({ causes }) => causes))];
  const groups = new Set([...notEvaluated, ...unscheduled].map(({ group }) => group));
  const first = model.workloads.find((workload) => podGroupIndices(workload).some((group) => groups.has(group)));
  return [{
    ...READING_RULES.podsNotEvaluated,
    // Without a limit to one cluster, pods and NodePools may be in different inputs.
    severity: options.mayBeEmpty ? 'warning' : 'error',
    subject: { apiVersion: '', kind: '', namespace: '', name: '' },
    location: first?.object.locate([]) ?? { file: '', line: 1, column: 1, path: '' },
    message: `${pods === 1 ? 'the pod is' : `none of the ${plural(pods, 'pod')} is`} evaluated, so nothing is known about ${pods === 1 ? 'it' : 'them'}: `
      + `${reasons.slice(0, MAX_REASONS).join(', ')}${reasons.length > MAX_REASONS ? ` and ${reasons.length - MAX_REASONS} more` : ''}`,
    remedy: remedyOf(context),
    evidence: { pods, reasons },
  }];
}

function remedyOf({ model: { nodePools, nodeClasses, cluster } }: RuleContext): string {
  if (nodePools.length + (cluster?.nodePools.length ?? 0) === 0) return 'pass the manifests of the NodePools and EC2NodeClasses, too, or the state of the cluster (--cluster)';
  if (nodeClasses.length + (cluster?.nodeClasses.length ?? 0) === 0) return 'pass the manifests of the EC2NodeClasses, too, or the state of the cluster (--cluster)';
  return 'pass what is missing: the assumptions of the result name it';
}
