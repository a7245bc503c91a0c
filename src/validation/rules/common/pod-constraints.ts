import { Pool } from './pool';
import { FieldEdit, renameField, setField } from '../../../contract';
import {
  Label,
  LabelSelector,
  memoizeByIdentity,
  merge,
  normalizeLabelKey,
  Requirements,
  RequirementSpec,
  selects,
  Taint,
  untolerated,
  WELL_KNOWN_LABELS,
} from '../../../model';
import { matchingTypes, PodShape } from '../../../scheduling';
import { fitsOnType } from '../../instance-types/node-fit';
import { findUnresolved } from '../../manifest/find-unresolved';
import { FieldPath, WorkloadManifest } from '../../manifest/model';

/** Labels that no node launched by Karpenter has. */
export const FOREIGN_NODE_LABELS: ReadonlySet<string> = new Set([
  'eks.amazonaws.com/nodegroup',
  'eks.amazonaws.com/nodegroup-image',
  'eks.amazonaws.com/capacityType',
  'eks.amazonaws.com/compute-type',
  'alpha.eksctl.io/nodegroup-name',
  'alpha.eksctl.io/cluster-name',
  'alpha.eksctl.io/instance-id',
  'node-role.kubernetes.io/control-plane',
  'node-role.kubernetes.io/master',
  // Set by the Terraform module of EKS, among others, on the node group for Karpenter. A NodePool may not set it.
  'karpenter.sh/controller',
  'kubernetes.io/hostname',
]);

/** Operators that fail on a node without the label. */
const LABEL_REQUIRING_OPERATORS: ReadonlySet<string> = new Set(['In', 'Exists', 'Gt', 'Lt', 'Gte', 'Lte']);

/** Path below a pod's spec. */
export const REQUIRED_TERMS = [
  'affinity',
  'nodeAffinity',
  'requiredDuringSchedulingIgnoredDuringExecution',
  'nodeSelectorTerms',
];

/** The node selector combined with each required node affinity term. A node has to meet one of the combinations. */
export function requirementAlternatives(shape: PodShape): RequirementSpec[][] {
  const selector = Object.entries(shape.nodeSelector).map(
    ([key, value]): RequirementSpec => ({ key, operator: 'In', values: [value] }),
  );
  if (shape.requiredNodeAffinity.length === 0) {
    return [selector];
  }
  return shape.requiredNodeAffinity.map((term) => [...selector, ...term.matchExpressions]);
}

/** Whether the label selector of a spread constraint or affinity term selects the workload's own pods. */
export function selectsOwnPods(
  { labelSelector }: { readonly labelSelector?: LabelSelector },
  { shape }: WorkloadManifest,
): boolean {
  return labelSelector !== undefined && selects(labelSelector, shape?.labels ?? {});
}

export function requiresLabel(spec: RequirementSpec): boolean {
  return LABEL_REQUIRING_OPERATORS.has(spec.operator);
}

/** The label of Karpenter's nodes, and that of releases before 0.32. */
const NODE_POOL_LABELS: readonly string[] = [Label.NODE_POOL, 'karpenter.sh/provisioner-name'];

/**
 * Whether the pods can only run on nodes that Karpenter does not launch: they name the node, or every alternative
 * of their node affinity requires such a node.
 */
export const targetsNonKarpenterNodes = memoizeByIdentity(
  (workload: WorkloadManifest): boolean =>
    namesNodes(podSpecOf(workload)) ||
    (workload.shape !== undefined && requirementAlternatives(workload.shape).every((specs) => specs.some(isForeign))),
);

function isForeign(spec: RequirementSpec): boolean {
  return (
    (FOREIGN_NODE_LABELS.has(spec.key) && requiresLabel(spec)) ||
    (NODE_POOL_LABELS.includes(spec.key) && spec.operator === 'DoesNotExist')
  );
}

/** What keeps pods on nodes that Karpenter does not launch: a label of such nodes, or the name of a node. */
export function foreignConstraint(workload: WorkloadManifest): string | undefined {
  if (!targetsNonKarpenterNodes(workload)) return undefined;
  if (workload.shape === undefined || namesNodes(podSpecOf(workload))) return 'a node by its name';
  const [spec] = requirementAlternatives(workload.shape).flatMap((specs) => specs.filter(isForeign));
  return spec.operator === 'DoesNotExist' ? `that nodes lack ${spec.key}` : spec.key;
}

/** The only field that `matchFields` supports is the node's name. */
export function namesNodes(pod: any): boolean {
  const terms = pod?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms;
  return (
    (typeof pod?.nodeName === 'string' && pod.nodeName !== '') ||
    (Array.isArray(terms) && terms.some((term) => Array.isArray(term?.matchFields) && term.matchFields.length > 0))
  );
}

/**
 * Requirements of pod and NodePool together, for each alternative of the pod that is compatible with the NodePool.
 */
export function commonRequirements(shape: PodShape, pool: Pool): Requirements[] {
  return requirementAlternatives(shape).flatMap((specs) => {
    const wanted = Requirements.from(specs);
    if (pool.requirements === undefined || pool.requirements.compatible(wanted, WELL_KNOWN_LABELS) !== undefined) {
      return [];
    }
    const common = pool.requirements.copy();
    common.add(...wanted.values());
    return [common];
  });
}

/** Whether an empty node of some instance type that pod and NodePool allow holds the pod. Unknown types count. */
export function canHold(pool: Pool, shape: PodShape): boolean {
  const { launch } = pool;
  if (launch === undefined) return true;
  const { table, indices, view } = launch;
  const requests = merge(shape.requests, new Map([['pods', 1n]]));
  const allowed = new Set(
    commonRequirements(shape, pool).flatMap((requirements) => matchingTypes(table, requirements, indices)),
  );
  return indices.some(
    (index, position) => allowed.has(index) && fitsOnType(table, index, requests, view.daemonOverhead[position]),
  );
}

/**
 * Whether some instance type that pod and NodePool allow has every extended resource of the pod. Unknown types count.
 */
export function hasExtendedResources(pool: Pool, shape: PodShape): boolean {
  const { launch } = pool;
  const extended = [...shape.requests]
    .filter(([resource, amount]) => resource.includes('/') && amount > 0n)
    .map(([resource]) => resource);
  if (launch === undefined || extended.length === 0) return true;
  const { table, indices } = launch;
  const columns = extended.map((resource) => table.capacity[table.resources.indexOf(resource)]);
  return commonRequirements(shape, pool).some((requirements) =>
    matchingTypes(table, requirements, indices).some((type) =>
      columns.every((column) => column !== undefined && column[type] > 0),
    ),
  );
}

/**
 * Taints that keep the pod away. PreferNoSchedule never does: Karpenter adds a toleration for it when nothing else
 * fits.
 */
export function blockingTaints(shape: PodShape, taints: readonly Taint[]): Taint[] {
  return untolerated(
    taints.filter((taint) => taint.effect !== 'PreferNoSchedule'),
    shape.tolerations,
  );
}

export function blockingTaint(shape: PodShape, taints: readonly Taint[]): Taint | undefined {
  return blockingTaints(shape, taints)[0];
}

/** The first text in the workload's scheduling constraints or requests that is known only at deployment. */
export const unresolvedConstraint = memoizeByIdentity((workload: WorkloadManifest): string | undefined => {
  const pod = podSpecOf(workload);
  return (
    findUnresolved([pod?.nodeSelector, pod?.affinity, pod?.tolerations]) ??
    findUnresolved([pod?.containers, pod?.initContainers].flat().map((container) => container?.resources))
  );
});

/** The pod's spec as written; undefined if it is missing. */
export function podSpecOf(workload: WorkloadManifest): any {
  return workload.podPath.reduce((value: any, key) => value?.[key], workload.object.raw);
}

/**
 * Path of the workload's constraint on a label: in the node selector, else in the required node affinity, else the
 * pod's spec.
 */
export function constraintPath(
  { podPath }: Pick<WorkloadManifest, 'podPath'>,
  shape: PodShape,
  key: string,
): FieldPath {
  const written = Object.keys(shape.nodeSelector).find(
    (candidate) => normalizeLabelKey(candidate) === normalizeLabelKey(key),
  );
  if (written !== undefined) {
    return [...podPath, 'nodeSelector', written];
  }
  for (const [term, { matchExpressions }] of shape.requiredNodeAffinity.entries()) {
    const index = matchExpressions.findIndex(
      (expression) => normalizeLabelKey(expression.key) === normalizeLabelKey(key),
    );
    if (index >= 0) {
      return [...podPath, ...REQUIRED_TERMS, term, 'matchExpressions', index, 'key'];
    }
  }
  return podPath;
}

/** Writes another label key at the place of `constraintPath`: a key of a node selector, or the value of `key`. */
export function labelKeyEdit(path: FieldPath, key: string): FieldEdit {
  return path[path.length - 2] === 'nodeSelector' ? renameField(path, key) : setField(path, key);
}
