import { setField, unsafeFix } from '../../../contract';
import { firstUntolerated, Toleration } from '../../../model';
import { Controller, installedControllers } from '../../controller';
import { AddedObject } from '../../manifest/edit/fix-of';
import { findUnresolved } from '../../manifest/find-unresolved';
import { ManifestObject, WorkloadManifest } from '../../manifest/model';
import { recordsOf } from '../../manifest/records';
import { TerminationHandler, terminationHandlers } from '../../termination-handler';
import { budgetFor } from '../common/edits/budget-to-add';
import { isSystemPriorityClass, essentialWorkloads } from '../common/essential-workloads';
import { FARGATE_UNKNOWN, isOnFargate } from '../common/fargate';
import { podSpecOf } from '../common/pod-constraints';
import { pdbsSelecting, unusablePdb } from '../common/pod-disruption-budgets';
import { optOutReason } from '../common/serving-workloads';
import { fail, notEvaluated, Outcome, pass, Rule, RuleContext } from '../rule';

/** @see https://kubernetes.io/docs/tasks/administer-cluster/guaranteed-scheduling-critical-addon-pods/ */
export const controllerUnprotected: Rule = {
  id: 'KARP-904',
  name: 'controller-unprotected',
  severity: 'error',
  summary:
    'Karpenter, AWS Node Termination Handler or cluster DNS has no system priority class, no PodDisruptionBudget, or no toleration for its node group.',
  check(context: RuleContext): Outcome[] {
    const releases = installedControllers(context.controllers).filter(({ helmRelease }) => helmRelease !== undefined);
    return [
      ...releases.map((controller) => checkRelease(context, controller)),
      ...terminationHandlers(context.model).flatMap((handler) => (handler.release ? checkHandler(handler) : [])),
      ...essentialWorkloads(context).map((workload) => checkWorkload(context, workload)),
    ];
  },
};

function checkRelease({ model: { aws } }: RuleContext, controller: Controller): Outcome {
  const { object, values } = controller;
  if (!controller.complete || findUnresolved([values.priorityClassName, values.tolerations]) !== undefined)
    return notEvaluated(object, 'its values are known only at deployment');
  const path = controller.pathOf('priorityClassName');
  if (!isSystemPriorityClass(values.priorityClassName))
    return noPriority(object, path, 'Karpenter', values.priorityClassName);
  const { nodeGroups } = aws;
  if (nodeGroups.length === 0 || aws.autoScalingGroups.length > 0 || aws.clusters.length === 0) return pass(object);
  const fargate = isOnFargate(aws, controller);
  if (fargate !== 'no') return fargate === 'yes' ? pass(object) : notEvaluated(object, FARGATE_UNKNOWN);
  const untolerated = nodeGroups.map(({ taints }) =>
    firstUntolerated(
      taints.filter(({ effect }) => effect !== 'PreferNoSchedule'),
      recordsOf(values.tolerations) as unknown as Toleration[],
    ),
  );
  const [taint] = untolerated;
  if (taint === undefined || untolerated.includes(undefined)) return pass(object);
  const text = `${taint.key}${taint.value === undefined ? '' : `=${taint.value}`}:${taint.effect}`;
  return fail({
    object,
    path: controller.pathOf('tolerations'),
    message: `Karpenter does not tolerate the taints of any node group, such as ${text}: it stays Pending and launches nothing`,
    remedy: `add a toleration for ${taint.key} to the values, or remove the taint`,
    evidence: { taint: text },
  });
}

function checkHandler({ object, settings }: TerminationHandler): Outcome[] {
  if (!settings) return [notEvaluated(object, 'its settings are known only at deployment')];
  if (settings.mode !== 'queue') return [];
  if (!isSystemPriorityClass(settings.priorityClass))
    return [
      noPriority(object, settings.pathOf('priorityClassName'), 'AWS Node Termination Handler', settings.priorityClass),
    ];
  if (settings.replicas === undefined) return [notEvaluated(object, 'its replica count is known only at deployment')];
  return [
    settings.hasBudget || settings.replicas < 2
      ? pass(object)
      : noBudget(object, settings.pathOf('podDisruptionBudget'), 'AWS Node Termination Handler', settings.replicas),
  ];
}

function checkWorkload({ model }: RuleContext, workload: WorkloadManifest): Outcome {
  const { object, podPath, replicas, kind, name, namespace } = workload;
  const written = podSpecOf(workload)?.priorityClassName;
  if (findUnresolved(written) !== undefined) return notEvaluated(object, 'its priority is known only at deployment');
  if (!isSystemPriorityClass(written)) {
    // A custom class may have a high enough priority.
    if (typeof written === 'string' && written !== '')
      return notEvaluated(object, `the priority of PriorityClass ${written} is not compared with that of other pods`);
    return noPriority(object, [...podPath, 'priorityClassName'], `${kind} ${name}`, written);
  }
  if (
    replicas < 2 ||
    pdbsSelecting(model, workload).length > 0 ||
    optOutReason(workload, 'pod-disruption-budget') !== undefined
  )
    return pass(object);
  const unusable = unusablePdb(model, namespace);
  return unusable
    ? notEvaluated(object, `PodDisruptionBudget ${unusable.name} may select its pods, but is invalid`)
    : noBudget(object, ['spec'], `${kind} ${name}`, replicas, budgetFor(workload, model));
}

function noPriority(
  object: ManifestObject,
  path: readonly (string | number)[],
  who: string,
  written: unknown,
): Outcome {
  return fail({
    object,
    path,
    message: `${who} has ${typeof written === 'string' && written !== '' ? `priority class ${written}` : 'no priority class'}: pods of higher priority can preempt it, and the cluster loses its service`,
    remedy: 'write priorityClassName: system-cluster-critical',
    evidence: { priorityClassName: written ?? null },
    fix: path.at(-1) === 'priorityClassName' ? unsafeFix(setField(path, 'system-cluster-critical')) : undefined,
  });
}

function noBudget(
  object: ManifestObject,
  path: readonly (string | number)[],
  who: string,
  replicas: number,
  adds?: AddedObject,
): Outcome {
  return fail({
    object,
    path,
    message: `no PodDisruptionBudget protects the ${replicas} pods of ${who}: node drains may evict all of them at once`,
    remedy: 'add a PodDisruptionBudget with maxUnavailable: 1',
    evidence: { replicas },
    severity: 'warning',
    adds,
  });
}
