import { firstUntolerated, Toleration } from '../../model';
import { Controller, installed } from '../controller';
import { ManifestObject, WorkloadManifest } from '../manifest/model';
import { recordsOf } from '../manifest/records';
import { TerminationHandler, terminationHandlers } from '../termination-handler';
import { budgetsOf, unusableBudget } from './private/budgets-of-pods';
import { FARGATE_UNKNOWN, isOnFargate } from './private/fargate';
import { isSystemClass, neededWorkloads } from './private/needed-workloads';
import { fail, notEvaluated, pass } from './private/outcome';
import { podSpecOf } from './private/pod-constraints';
import { waiverOf } from './private/serving';
import { findUnresolved } from './private/unresolved';
import { Outcome, Rule, RuleContext } from './rule';

/** @see https://kubernetes.io/docs/tasks/administer-cluster/guaranteed-scheduling-critical-addon-pods/ */
export class ControllerUnprotected implements Rule {
  public readonly id = 'KARP-904';
  public readonly name = 'controller-unprotected';
  public readonly severity = 'error';
  public readonly summary = 'Karpenter, AWS Node Termination Handler or the DNS of the cluster may be displaced by any other pod, may be evicted all at a time, or does not tolerate the nodes that are meant for it.';

  public check(context: RuleContext): Outcome[] {
    const releases = installed(context.controllers).filter(({ release }) => release !== undefined);
    return [
      ...releases.map((controller) => this.checkRelease(context, controller)),
      ...terminationHandlers(context.model).flatMap((handler) => handler.release ? this.checkHandler(handler) : []),
      ...neededWorkloads(context).map((workload) => this.checkWorkload(context, workload)),
    ];
  }

  private checkRelease({ model: { aws } }: RuleContext, controller: Controller): Outcome {
    const { object, values } = controller;
    if (!controller.complete || findUnresolved([values.priorityClassName, values.tolerations]) !== undefined) return notEvaluated(object, 'its values are known only at deployment');
    const path = controller.pathOf('priorityClassName');
    if (!isSystemClass(values.priorityClassName)) return this.noPriority(object, path, 'Karpenter', values.priorityClassName);
    const { nodeGroups } = aws;
    if (nodeGroups.length === 0 || aws.autoScalingGroups.length > 0 || aws.clusters.length === 0) return pass(object);
    const fargate = isOnFargate(aws, controller);
    if (fargate !== 'no') return fargate === 'yes' ? pass(object) : notEvaluated(object, FARGATE_UNKNOWN);
    const refused = nodeGroups.map(({ taints }) =>
      firstUntolerated(taints.filter(({ effect }) => effect !== 'PreferNoSchedule'), recordsOf(values.tolerations) as unknown as Toleration[]));
    const [taint] = refused;
    if (taint === undefined || refused.some((each) => each === undefined)) return pass(object);
    const text = `${taint.key}${taint.value === undefined ? '' : `=${taint.value}`}:${taint.effect}`;
    return fail({
      object,
      path: controller.pathOf('tolerations'),
      message: `Karpenter tolerates the taint of no node group (${text}): it stays Pending, and nothing is ever launched`,
      remedy: `add a toleration of ${taint.key} to the values, or leave the taint away`,
      evidence: { taint: text },
    });
  }

  private checkHandler({ object, settings }: TerminationHandler): Outcome[] {
    if (!settings) return [notEvaluated(object, 'its settings are known only at deployment')];
    if (settings.mode !== 'queue') return [];
    if (!isSystemClass(settings.priorityClass)) return [this.noPriority(object, settings.pathOf('priorityClassName'), 'AWS Node Termination Handler', settings.priorityClass)];
    if (settings.replicas === undefined) return [notEvaluated(object, 'its number of replicas is known only at deployment')];
    return [settings.hasBudget || settings.replicas < 2 ? pass(object) : this.noBudget(object, settings.pathOf('podDisruptionBudget'), 'AWS Node Termination Handler', settings.replicas)];
  }

  private checkWorkload({ model }: RuleContext, workload: WorkloadManifest): Outcome {
    const { object, podPath, replicas, kind, name, namespace } = workload;
    const written = podSpecOf(workload)?.priorityClassName;
    if (findUnresolved(written) !== undefined) return notEvaluated(object, 'its priority is known only at deployment');
    if (!isSystemClass(written)) {
      // A class of one's own may be as good.
      if (typeof written === 'string' && written !== '') return notEvaluated(object, `how PriorityClass ${written} compares with those of other pods is not judged`);
      return this.noPriority(object, [...podPath, 'priorityClassName'], `${kind} ${name}`, written);
    }
    if (replicas < 2 || budgetsOf(model, workload).length > 0 || waiverOf(workload, 'pod-disruption-budget') !== undefined) return pass(object);
    const unusable = unusableBudget(model, namespace);
    return unusable ? notEvaluated(object, `PodDisruptionBudget ${unusable.name} may select its pods, but cannot be used as it is written`) : this.noBudget(object, ['spec'], `${kind} ${name}`, replicas);
  }

  private noPriority(object: ManifestObject, path: readonly (string | number)[], who: string, written: unknown): Outcome {
    return fail({
      object,
      path,
      message: `${who} has ${typeof written === 'string' && written !== '' ? `the priority class ${written}` : 'no priority class'}: on a full node any pod of more priority displaces it, and the cluster goes without`,
      remedy: 'write priorityClassName: system-cluster-critical',
      evidence: { priorityClassName: written ?? null },
    });
  }

  private noBudget(object: ManifestObject, path: readonly (string | number)[], who: string, replicas: number): Outcome {
    return fail({
      object,
      path,
      message: `no PodDisruptionBudget keeps the ${replicas} pods of ${who}: a drain of two nodes may evict all of them at a time`,
      remedy: 'add a PodDisruptionBudget of maxUnavailable: 1',
      evidence: { replicas },
      severity: 'warning',
    });
  }
}
