import { Pool } from './pool';
import { findUnresolved } from './unresolved';
import { Label, LabelSelector, RequirementSpec, Requirements, selects, Taint, untolerated, WELL_KNOWN_LABELS } from '../../../model';
import { PodShape } from '../../../scheduling';
import { WorkloadManifest } from '../../manifest/model';
import { oncePer } from '../../once-per';

/** Labels that only nodes made by something else than Karpenter carry. */
const FOREIGN_NODE_LABELS: ReadonlySet<string> = new Set([
  'eks.amazonaws.com/nodegroup',
  'eks.amazonaws.com/nodegroup-image',
  'eks.amazonaws.com/capacityType',
  'eks.amazonaws.com/compute-type',
  'alpha.eksctl.io/nodegroup-name',
  'alpha.eksctl.io/cluster-name',
  'alpha.eksctl.io/instance-id',
  'node-role.kubernetes.io/control-plane',
  'node-role.kubernetes.io/master',
  // What the Terraform module of EKS and others give to the node group meant for Karpenter: no NodePool may give it.
  'karpenter.sh/controller',
  'kubernetes.io/hostname',
]);

/** Operators that a node without the label fails. */
const NEEDS_LABEL: ReadonlySet<string> = new Set(['In', 'Exists', 'Gt', 'Lt', 'Gte', 'Lte']);

/** The ways in which a pod's hard constraints can be met: one for each required term, or a single one. */
export function alternatives(shape: PodShape): RequirementSpec[][] {
  const selector = Object.entries(shape.nodeSelector).map(([key, value]): RequirementSpec => ({ key, operator: 'In', values: [value] }));
  if (shape.requiredNodeAffinity.length === 0) {
    return [selector];
  }
  return shape.requiredNodeAffinity.map((term) => [...selector, ...term.matchExpressions]);
}

/** Whether a constraint on where pods are is about those of the workload itself, too. */
export function selectsOwnPods({ labelSelector }: { readonly labelSelector?: LabelSelector }, { shape }: WorkloadManifest): boolean {
  return labelSelector !== undefined && selects(labelSelector, shape?.labels ?? {});
}

export function needsLabel(spec: RequirementSpec): boolean {
  return NEEDS_LABEL.has(spec.operator);
}

/** Whether the pods are for nodes that Karpenter does not make: by name, or because every way to meet their constraints leads there. */
export const targetsOtherNodes = oncePer((workload: WorkloadManifest): boolean =>
  namesNodes(podSpecOf(workload)) || (workload.shape !== undefined && alternatives(workload.shape).every((specs) => specs.some((spec) =>
    (FOREIGN_NODE_LABELS.has(spec.key) && needsLabel(spec))
    || (spec.key === Label.NODE_POOL && spec.operator === 'DoesNotExist')))));

/** `matchFields` knows no field but a node's name. */
function namesNodes(pod: any): boolean {
  const terms = pod?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms;
  return (typeof pod?.nodeName === 'string' && pod.nodeName !== '')
    || (Array.isArray(terms) && terms.some((term) => Array.isArray(term?.matchFields) && term.matchFields.length > 0));
}

/** Constraints of the pod, joined with the pool's, for each alternative that the pool does not rule out. */
export function commonRequirements(shape: PodShape, pool: Pool): Requirements[] {
  return alternatives(shape).flatMap((specs) => {
    const wanted = Requirements.from(specs);
    if (pool.requirements === undefined || pool.requirements.compatible(wanted, WELL_KNOWN_LABELS) !== undefined) {
      return [];
    }
    const common = pool.requirements.copy();
    common.add(...wanted.values());
    return [common];
  });
}

/** Karpenter lets a pod tolerate PreferNoSchedule when nothing else works, so only the hard effects refuse it. */
export function refusingTaints(shape: PodShape, taints: readonly Taint[]): Taint[] {
  return untolerated(taints.filter((taint) => taint.effect !== 'PreferNoSchedule'), shape.tolerations);
}

export function refusingTaint(shape: PodShape, taints: readonly Taint[]): Taint | undefined {
  return refusingTaints(shape, taints)[0];
}

/** Text within the workload's scheduling constraints or requests that is not known before deployment. */
export const unresolvedConstraint = oncePer((workload: WorkloadManifest): string | undefined => {
  const pod = podSpecOf(workload);
  return findUnresolved([pod?.nodeSelector, pod?.affinity, pod?.tolerations])
    ?? findUnresolved([pod?.containers, pod?.initContainers].flat().map((container) => container?.resources));
});

/** The pod's spec as written; undefined where there is none. */
export function podSpecOf(workload: WorkloadManifest): any {
  return workload.podPath.reduce((value: any, key) => value?.[key], workload.object.raw);
}
