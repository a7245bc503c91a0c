import { FieldPath } from '../../../contract';
import { memoizeByIdentity, RequirementSpec } from '../../../model';
import { PodShape } from '../../../scheduling';
import { WorkloadManifest } from '../../manifest/model';
import {
  constraintPath,
  namesNodes,
  podSpecOf,
  REQUIRED_TERMS,
  requirementAlternatives,
} from '../common/pod-constraints';

/** Labels that every node of a managed node group has, or every node of eksctl. */
const LABELS_OF_GROUPS: readonly string[] = [
  'eks.amazonaws.com/nodegroup',
  'eks.amazonaws.com/nodegroup-image',
  'eks.amazonaws.com/capacityType',
  'alpha.eksctl.io/nodegroup-name',
];
const CLUSTER_LABEL = 'alpha.eksctl.io/cluster-name';
const COMPUTE_TYPE = 'eks.amazonaws.com/compute-type';
/** The values that EKS gives the label. Nodes of node groups do not have it. */
const COMPUTE_TYPES: readonly string[] = ['fargate', 'auto', 'hybrid'];

/** A label that was meant to select every node, and that Karpenter gives to none. */
export interface RestrictionToNodeGroups {
  readonly label: string;
  readonly path: FieldPath;
  /** The field to remove, if removing one field lifts the restriction and leaves a valid constraint. */
  readonly removed?: FieldPath;
  /** The pod without the restriction. */
  readonly shape: PodShape;
}

/** Undefined for pods that choose some nodes, such as those of a node group by its name. */
export const restrictionToNodeGroups = memoizeByIdentity(
  (workload: WorkloadManifest): RestrictionToNodeGroups | undefined => {
    const { shape } = workload;
    if (shape === undefined || namesNodes(podSpecOf(workload))) return undefined;
    const alternatives = requirementAlternatives(shape);
    const [found] = alternatives.flatMap((specs) => specs.filter(meansEveryNode));
    if (found === undefined || !alternatives.every((specs) => specs.some(meansEveryNode))) return undefined;
    const path = constraintPath(workload, shape, found.key);
    const removed = removedField(path, shape, workload.podPath);
    return { label: found.key, path, shape: unrestricted(shape), ...(removed === undefined ? {} : { removed }) };
  },
);

function meansEveryNode({ key, operator, values = [] }: RequirementSpec): boolean {
  if (operator === 'Exists') return [...LABELS_OF_GROUPS, CLUSTER_LABEL, COMPUTE_TYPE].includes(key);
  if (operator !== 'In') return false;
  return key === CLUSTER_LABEL || (key === COMPUTE_TYPE && !values.some((value) => COMPUTE_TYPES.includes(value)));
}

function unrestricted(shape: PodShape): PodShape {
  return {
    ...shape,
    nodeSelector: Object.fromEntries(
      Object.entries(shape.nodeSelector).filter(
        ([key, value]) => !meansEveryNode({ key, operator: 'In', values: [value] }),
      ),
    ),
    requiredNodeAffinity: shape.requiredNodeAffinity.map((term) => ({
      ...term,
      matchExpressions: term.matchExpressions.filter((spec) => !meansEveryNode(spec)),
    })),
  };
}

/** A term without expressions selects no node, so that the whole affinity goes with its only expression. */
function removedField(path: FieldPath, shape: PodShape, podPath: FieldPath): FieldPath | undefined {
  if (path.includes('nodeSelector')) return path;
  const [only, ...others] = shape.requiredNodeAffinity;
  if (others.length > 0) return undefined;
  return only.matchExpressions.length > 1 ? path.slice(0, -1) : [...podPath, ...REQUIRED_TERMS.slice(0, -1)];
}
