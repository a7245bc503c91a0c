import { dedicatedNodesOf } from './dedicated-nodes';
import { blockingTaint, foreignConstraint, requirementAlternatives, targetsNonKarpenterNodes } from './pod-constraints';
import { poolsOf } from './pool';
import { AGENT_STARTUP_TAINTS } from '../../../contract';
import {
  Label,
  memoizeByIdentity,
  normalizeLabelKey,
  Requirements,
  RequirementSpec,
  WELL_KNOWN_LABELS,
} from '../../../model';
import { PodShape, PoolRefusal } from '../../../scheduling';
import { NodeGroupFacts, nodeGroupsOf } from '../../cluster/node-groups';
import { podGroupIndices } from '../../context/schedule-input';
import { ManifestModel, WorkloadManifest } from '../../manifest/model';
import { RuleContext } from '../rule';

/** Whether the pods are for nodes that Karpenter does not launch: by their constraints, or by a node group's labels. */
export function targetsOtherNodes(model: ManifestModel, workload: WorkloadManifest): boolean {
  return (
    targetsNonKarpenterNodes(workload) ||
    nodeGroupsOf(model).some((group) => selectsNodeGroup(workload, group)) ||
    avoidsLabelOfNodePools(model, workload)
  );
}

/**
 * Whether the pods are kept off the nodes of Karpenter on purpose: each alternative of their node affinity excludes a
 * custom label that every NodePool gives its nodes, such as `node-type NotIn [karpenter]`.
 */
function avoidsLabelOfNodePools({ nodePools, cluster }: ManifestModel, { shape }: WorkloadManifest): boolean {
  if (!shape || cluster || nodePools.length === 0) return false;
  return requirementAlternatives(shape).every((specs) =>
    specs.some(({ key, operator, values = [] }) => {
      if (WELL_KNOWN_LABELS.has(key) || (operator !== 'NotIn' && operator !== 'DoesNotExist')) return false;
      const labels = nodePools.map(({ spec }) => spec?.labels[key]);
      return labels.every((label) => label !== undefined && (operator === 'DoesNotExist' || values.includes(label)));
    }),
  );
}

/**
 * The node group that may run pods which no NodePool accepts, as `node group system`: it has no taint that they do not
 * tolerate, and no label that contradicts them. What only Terraform knows is assumed to fit. Undefined if there is
 * none, and with the state of a cluster, which has the nodes.
 */
export function nodeGroupFor(model: ManifestModel, { shape }: WorkloadManifest): string | undefined {
  const { nodeGroupsElsewhere = [], cluster } = model;
  if (!shape || cluster || [...shape.requests.keys()].some((resource) => resource.includes('/'))) return undefined;
  const groups: ReadonlyArray<Partial<NodeGroupFacts>> = [...nodeGroupsOf(model), ...nodeGroupsElsewhere];
  const group = groups.find(({ labels, taints, instanceTypes }) => {
    if (taints && blockingTaint(shape, taints) !== undefined) return false;
    if (topologyKeysOf(shape).some((key) => !mayHaveLabel(key, labels))) return false;
    const known = labels && Requirements.fromLabels(labels);
    return requirementAlternatives(shape).some((specs) => {
      if (specs.some(({ key }) => OF_KARPENTER.test(key)) || excludesTypes(specs, instanceTypes)) return false;
      const custom = specs.filter(({ key }) => !WELL_KNOWN_LABELS.has(key));
      return known === undefined || known.compatible(Requirements.from(custom), WELL_KNOWN_LABELS) === undefined;
    });
  });
  return group && `node group ${group.name ?? ''}`.trim();
}

/**
 * The labels that a node must have for kube-scheduler to bind the pod. A node without the key of an anti-affinity is
 * accepted.
 */
function topologyKeysOf({ topologySpread = [], podAffinity }: PodShape): string[] {
  const spreads = topologySpread.filter(({ whenUnsatisfiable }) => whenUnsatisfiable === 'DoNotSchedule');
  return [...spreads, ...(podAffinity?.required ?? [])].map(({ topologyKey }) => topologyKey);
}

/** Whether nodes of a node group may have the label: EKS or its agents set it, or the group does. */
function mayHaveLabel(key: string, labels: NodeGroupFacts['labels'] | undefined): boolean {
  if (OF_KARPENTER.test(key)) return false;
  if (WELL_KNOWN_LABELS.has(normalizeLabelKey(key)) || key === Label.HOSTNAME || OF_EKS.test(key)) return true;
  return labels === undefined ? !RESERVED.test(key) : Object.hasOwn(labels, key);
}

/** Whether no node of these instance types meets the requirements. */
function excludesTypes(specs: readonly RequirementSpec[], types: readonly string[] | undefined): boolean {
  const requirements = Requirements.from(specs);
  return types !== undefined && types.every((type) => !requirements.get(Label.INSTANCE_TYPE).has(type));
}

/** Labels that only nodes of Karpenter have. */
const OF_KARPENTER = /^karpenter\./;
/** Labels that EKS, eksctl, and the cloud provider set on nodes of node groups. */
const OF_EKS = /^(eks\.amazonaws\.com|alpha\.eksctl\.io|topology\.k8s\.aws)\//;
/** The kubelet sets no other label in these domains than the well-known ones. */
const RESERVED = /^(topology\.|failure-domain\.beta\.)?kubernetes\.io\//;

/** Whether the pods tolerate the taints of a node group, and require only labels that it sets, at least one of them. */
function selectsNodeGroup({ shape }: WorkloadManifest, { labels, taints }: NodeGroupFacts): boolean {
  if (!shape || blockingTaint(shape, taints) !== undefined) return false;
  const known = Requirements.fromLabels(labels);
  return requirementAlternatives(shape).some((specs) => {
    const custom = specs.filter(({ key }) => !WELL_KNOWN_LABELS.has(key));
    return (
      custom.some(({ key }) => Object.hasOwn(labels, key)) &&
      known.compatible(Requirements.from(custom), WELL_KNOWN_LABELS) === undefined
    );
  });
}

/**
 * Whether nodes that Karpenter does not launch may be meant for the pods: every NodePool has taints, and the pods have
 * neither a toleration nor a constraint that is for one of them. Such a cluster has other nodes, at least for
 * Karpenter itself. With the state of a cluster, its nodes are known.
 */
export function isForOrdinaryNodes(context: RuleContext, { shape }: WorkloadManifest): boolean {
  if (context.model.cluster || !shape || shape.tolerations.length > 0) return false;
  const pools = poolsOf(context);
  const selects = requirementAlternatives(shape).some((specs) => specs.length > 0);
  const extended = [...shape.requests.keys()].some((resource) => resource.includes('/'));
  return (
    !selects &&
    !extended &&
    pools.length > 0 &&
    pools.every(({ spec }) => {
      const taint = spec && blockingTaint(shape, spec.taints);
      // The taint of an agent is not there to keep pods off: it is meant for startupTaints.
      return taint && AGENT_STARTUP_TAINTS.every(({ key }) => key !== taint.key);
    })
  );
}

/** Whether every NodePool refuses the pod for another reason than instance size and limits. */
export function isRefusedByConstraints(reasons: readonly PoolRefusal[]): boolean {
  return reasons.length > 0 && reasons.every(({ independentOfSize }) => independentOfSize);
}

/**
 * Pod groups for nodes that Karpenter does not launch, and those that only a node group may run. Without cluster files,
 * these nodes are unknown.
 */
export const groupsForOtherNodes = memoizeByIdentity(
  (context: RuleContext): ReadonlySet<number> => new Set(otherNodesReasons(context).keys()),
);

/** Why pods are for nodes that Karpenter does not launch. */
export interface OtherNodesReason {
  readonly workload: WorkloadManifest;
  /** The reason, and what to write if Karpenter is to launch their nodes. */
  readonly why: string;
  /** The node group that may run pods which no NodePool takes. @default - the pods are for other nodes on purpose */
  readonly nodeGroup?: string;
}

/** The reasons by pod group. */
export const otherNodesReasons = memoizeByIdentity((context: RuleContext): ReadonlyMap<number, OtherNodesReason> => {
  const { model, plan } = context;
  if (model.cluster) return new Map();
  const refused = new Map(
    plan.unschedulable
      .filter(({ reasons }) => isRefusedByConstraints(reasons))
      .map(({ group, reasons: [reason] }) => [group, reason]),
  );
  return new Map(
    model.workloads.flatMap((workload): Array<readonly [number, OtherNodesReason]> => {
      const groups = podGroupIndices(workload);
      const why = whyOtherNodes(model, workload);
      if (why !== undefined) return groups.map((group) => [group, { workload, why }]);
      const nodeGroup = groups.some((group) => refused.has(group)) ? nodeGroupFor(model, workload) : undefined;
      return groups.flatMap((group): Array<readonly [number, OtherNodesReason]> => {
        const reason = refused.get(group);
        if (nodeGroup === undefined || reason === undefined) return [];
        const refusal = `no NodePool takes the pods (${refusalText(reason)}), and ${nodeGroup} may have room for them`;
        return [[group, { workload, nodeGroup, why: refusal }]];
      });
    }),
  );
});

function refusalText({ nodePool, message, diagnosis }: PoolRefusal): string {
  return `${nodePool === '' ? '' : `${nodePool}: `}${diagnosis ?? message}`;
}

function whyOtherNodes(model: ManifestModel, workload: WorkloadManifest): string | undefined {
  const foreign = foreignConstraint(workload);
  if (foreign !== undefined) return `the pods require ${foreign}; remove that if Karpenter is to launch their nodes`;
  const nodeGroup = nodeGroupsOf(model).find((group) => selectsNodeGroup(workload, group));
  if (nodeGroup !== undefined)
    return `the pods select labels of ${`node group ${nodeGroup.name}`.trim()}; select a label of a NodePool if Karpenter is to launch their nodes`;
  if (avoidsLabelOfNodePools(model, workload)) return 'the pods exclude a label that each NodePool gives its nodes';
  const dedicated = dedicatedNodesOf(model, workload);
  return (
    dedicated &&
    `the pods select and tolerate ${dedicated}, which no NodePool has; add both to a NodePool if Karpenter is to launch their nodes`
  );
}
