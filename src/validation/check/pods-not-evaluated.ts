import { countText, listText, shortListText } from '../../model';
import { objectsNotEvaluated } from '../context/not-evaluated';
import { podGroupIndices } from '../context/schedule-input';
import { isAutoMode } from '../eks-auto-mode';
import { READING_RULES } from '../manifest';
import { isCdkToken } from '../manifest/field-reader';
import { findUnresolved } from '../manifest/find-unresolved';
import { ManifestObject, WorkloadManifest } from '../manifest/model';
import { fillerOf, fillInRemedy, hasPlaceholder } from '../manifest/placeholders/placeholder';
import { subjectOf } from '../manifest/problem-log';
import { RuleContext } from '../rules';
import { dedicatedNodesOf } from '../rules/common/dedicated-nodes';
import { targetsNonKarpenterNodes } from '../rules/common/pod-constraints';
import { Finding } from '../vocabulary/verdict';

/** The message names at most this many reasons. */
const MAX_REASONS = 3;

/** Kinds whose errors explain why pods are not evaluated. */
const CAUSES: readonly string[] = ['NodePool', 'EC2NodeClass', 'PersistentVolumeClaim'];
/** Reasons that are CDK tokens, or facts that the input lacks. */
const UNKNOWN = /\bknown only at deployment$|\bunknown$|\(pass |^StorageClass \S+, which is not in the input$/;
/** The name of a StorageClass that the input lacks. */
const MISSING_CLASS = /^StorageClass (\S+), which is not in the input$/;

/**
 * Reports that no pod could be evaluated: such a result must not look like a success. Pods for nodes that Karpenter
 * does not launch do not count. An error about a NodePool, its class or a volume claim is the cause, and is enough.
 */
export function reportNoEvaluatedPods(context: RuleContext, findings: readonly Finding[]): Finding[] {
  const { model, plan, options } = context;
  const { unknownPools, leftOut } = objectsNotEvaluated(model);
  const isForOthers = (workload: WorkloadManifest) =>
    targetsNonKarpenterNodes(workload) || dedicatedNodesOf(model, workload) !== undefined;
  const ofOtherNodes = new Set(model.workloads.filter(isForOthers).flatMap(podGroupIndices));
  const notEvaluated = plan.notEvaluated.filter(({ group }) => !ofOtherNodes.has(group));
  const unscheduled = plan.unschedulable.filter(({ group }) => !ofOtherNodes.has(group));
  const isJudged =
    plan.nodeClaims.length + plan.filledNodes.length > 0 || (unscheduled.length > 0 && unknownPools.length === 0);
  const pods = notEvaluated.reduce((sum, group) => sum + group.pods.length, 0) + unscheduled.length;
  const isExplained = findings.some(
    ({ severity, rule, subject }) =>
      rule === 'KARP-003' ||
      (severity === 'error' &&
        (rule === READING_RULES.unreadable.rule || rule === 'KARP-101' || CAUSES.includes(subject.kind))),
  );
  if (isJudged || pods === 0 || isExplained) return [];
  const autoMode = autoModeReason(context);
  const reasons =
    autoMode !== undefined
      ? [autoMode]
      : [
          ...new Set(
            leftOut.length > 0
              ? leftOut
              : unscheduled.length > 0
                ? unknownPools
                : notEvaluated.flatMap(({ causes }) => causes),
          ),
        ];
  if (reasons.length > 0 && reasons.every(isMisspelt(findings))) return [];
  const filledInLater = reasons.every((reason) => FILLED_IN.test(reason))
    ? model.nodePools.find(({ object }) => placeholderOf(object) !== undefined)?.object
    : undefined;
  const groups = new Set([...notEvaluated, ...unscheduled].map(({ group }) => group));
  const first = model.workloads.find((workload) => podGroupIndices(workload).some((group) => groups.has(group)));
  return [
    {
      ...READING_RULES.podsNotEvaluated,
      // Without a limit to one cluster, pods and NodePools may be in different inputs. A synth often has unknown
      // values.
      severity:
        options.mayBeEmpty ||
        autoMode !== undefined ||
        filledInLater !== undefined ||
        (options.isSynth && reasons.every((reason) => UNKNOWN.test(reason)))
          ? 'warning'
          : 'error',
      subject: filledInLater ? subjectOf(filledInLater) : { apiVersion: '', kind: '', namespace: '', name: '' },
      location: (filledInLater ?? first?.object)?.locate([]) ?? { file: '', line: 1, column: 1, path: '' },
      message:
        `${pods === 1 ? 'the only pod is not' : `none of the ${countText(pods, 'pod')} is`} evaluated, so nothing is known about ${pods === 1 ? 'it' : 'them'}: ` +
        `${shortListText(reasons, MAX_REASONS)}`,
      remedy:
        autoMode === undefined
          ? filledInLater
            ? `${placeholderOf(filledInLater)} is not known: ${fillInRemedy(fillerOf(placeholderOf(filledInLater)!, filledInLater.locate([]).file) ?? '')}`
            : remedyOf(context, reasons)
          : 'read the other findings: they do not depend on nodes; to plan pods, pass a NodePool with an EC2NodeClass',
      evidence: { pods, reasons },
    },
  ];
}

/** NodePools, or their classes, with placeholders: a program fills them in, and that is no mistake. */
const FILLED_IN = /^(?:NodePool|EC2NodeClass) .*, whose values are known only at deployment$/;

/** The first placeholder of an object. Tokens of CDK are none. */
function placeholderOf({ raw }: ManifestObject): string | undefined {
  const unresolved = findUnresolved(raw.spec);
  return unresolved === undefined || isCdkToken(unresolved) || !hasPlaceholder(unresolved) ? undefined : unresolved;
}

/** No input helps if EKS Auto Mode launches the nodes of all NodePools. */
function autoModeReason({ model: { nodePools, cluster } }: RuleContext): string | undefined {
  const pools = [...nodePools, ...(cluster?.nodePools ?? [])];
  if (pools.length === 0 || !pools.every(isAutoMode)) return undefined;
  const names = pools.map(({ object: { name } }) => name).sort();
  return `EKS Auto Mode launches the nodes of NodePool ${listText(names)}, and their instance types are unknown`;
}

/** Whether a finding says that another class of the input was meant. */
function isMisspelt(findings: readonly Finding[]): (reason: string) => boolean {
  const missing = findings.flatMap(({ rule, severity, evidence }) => {
    if (severity !== 'error') return [];
    if (rule === 'KARP-821') return [`StorageClass ${evidence.storageClassName}`];
    return rule === 'KARP-123' ? [`RuntimeClass ${evidence.runtimeClassName}`] : [];
  });
  const reasons = new Set(missing.map((name) => `${name}, which is not in the input`));
  return (reason) => reasons.has(reason);
}

function remedyOf(
  { model: { nodePools, nodeClasses, cluster }, options }: RuleContext,
  reasons: readonly string[],
): string {
  if (nodePools.length + (cluster?.nodePools.length ?? 0) === 0)
    return 'pass the manifests of the NodePools and EC2NodeClasses, too, or the state of the cluster (--cluster)';
  if (nodeClasses.length + (cluster?.nodeClasses.length ?? 0) === 0)
    return 'pass the manifests of the EC2NodeClasses, too, or the state of the cluster (--cluster)';
  const classes = reasons.flatMap((reason) => MISSING_CLASS.exec(reason)?.[1] ?? []);
  if (classes.length > 0) {
    const [flag, property] = [classes.join(','), classes.map((name) => `'${name}'`).join(', ')];
    return `if the cluster has ${classes.length === 1 ? 'it' : 'them'}, ${options.isSynth ? `set storageClasses: [${property}] of the verdict` : `pass --storage-classes ${flag}`}`;
  }
  return 'pass what is missing: the assumptions of the result name it';
}
