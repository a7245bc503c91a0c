import { PodShape } from './pod-shape';
import { NodeClassFacts } from '../../catalog';
import { PackerBounds } from '../../kernel';
import { memoizeByIdentity, RequirementSpec, ResourceList, Taint } from '../../model';

/** A NodePool as the scheduler uses it. */
export interface NodePoolSpec {
  readonly name: string;
  /** 1 to 100; an absent weight counts as 0. */
  readonly weight: number;
  /** Name of the node class in `ScheduleInput.nodeClasses`. */
  readonly nodeClass: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly requirements: readonly RequirementSpec[];
  readonly taints: readonly Taint[];
  /**
   * Makes the pool static: it keeps this number of nodes. Its nodes accept pods, but pods do not make it launch nodes.
   *
   * @default - the pool is dynamic
   */
  readonly replicas?: number;
  /** Absent keys are unlimited. The key `nodes` limits the number of nodes. */
  readonly limits: ResourceList;
}

/** A NodeOverlay: prices and extended resources that replace or extend the data from EC2. */
export interface NodeOverlaySpec {
  readonly name: string;
  /** An absent weight counts as 0. The heaviest overlay wins; overlays of equal weight must not conflict. */
  readonly weight: number;
  readonly requirements: readonly RequirementSpec[];
  /** A price in USD per hour, or a signed change of the price: `0.25`, `-0.01`, `+10%`. @default - prices stay */
  readonly priceChange?: string;
  /** Extended resources to add to the instance types. */
  readonly capacity: ResourceList;
}

/** Identical pods of one workload, named `<name>-<ordinal>`. */
export interface PodGroup {
  readonly namespace: string;
  /** The workload's name. */
  readonly name: string;
  readonly count: number;
  readonly shape: PodShape;
  /** A Pod without a controller: its name has no ordinal. */
  readonly bare?: boolean;
  /** The CapacityBuffer of these virtual pods. Karpenter does not validate virtual pods, and numbers them from 1. */
  readonly buffer?: string;
  /**
   * Running pods that need a new node, or virtual pods: nodes with `pendingPodsOnly` do not accept them.
   *
   * @default false
   */
  readonly notPending?: boolean;
  /** Running pods that need a new node: Karpenter validates only pending pods. @default false */
  readonly rescheduled?: boolean;
  /** Sort key of an existing pod: creation timestamp and uid. @default - the pod does not exist yet */
  readonly age?: string;
  /** The ordinal of the group's first pod; lower ordinals are running pods or pods of another group. @default 0 */
  readonly firstOrdinal?: number;
}

/** A DaemonSet with the pod that it puts on every matching node. */
export interface DaemonSetSpec {
  readonly namespace: string;
  readonly name: string;
  /** The pod that Karpenter plans with. */
  readonly shape: PodShape;
  /** The pod as it runs later, if Karpenter plans with the template as long as no pod runs. @default - `shape` */
  readonly podShape?: PodShape;
}

export interface ScheduleInput {
  readonly nodePools: readonly NodePoolSpec[];
  /** By name. A NodePool whose class is missing here launches nothing. */
  readonly nodeClasses: ReadonlyMap<string, NodeClassFacts>;
  /** Existing nodes, in any order. @default - none */
  readonly nodes?: readonly ExistingNode[];
  /** Number of existing NodeClaims by NodePool; new claims continue their numbering. @default - none */
  readonly existingClaimCounts?: ReadonlyMap<string, number>;
  /** Set only if Karpenter's feature gate NodeOverlay is on. @default - none */
  readonly nodeOverlays?: readonly NodeOverlaySpec[];
  /** In manifest order, which is assumed to be the order of creation. */
  readonly pods: readonly PodGroup[];
  readonly daemonSets: readonly DaemonSetSpec[];
  readonly settings: SchedulingSettings;
  /** Namespace labels by namespace, for namespace selectors. The namespaces of `pods` are known without an entry. */
  readonly namespaces?: ReadonlyMap<string, Readonly<Record<string, string>>>;
  /** Names of NodePools that exist, but launch nothing until they are fixed. Pods may select them. @default - none */
  readonly unreadyPools?: ReadonlySet<string>;
}

/** A node that exists when scheduling starts, launched by Karpenter or not. */
export interface ExistingNode {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly taints: readonly Taint[];
  /**
   * Labels of the Node object, if Karpenter still uses those of the NodeClaim. Topology spread and pod affinity count
   * the node's pods by these labels.
   *
   * @default - `labels`
   */
  readonly nodeObjectLabels?: Readonly<Record<string, string>>;
  /**
   * Taints of the Node object, startup taints included, for spread constraints that honor taints.
   *
   * @default - `taints`
   */
  readonly nodeObjectTaints?: readonly Taint[];
  readonly allocatable: ResourceList;
  readonly capacity: ResourceList;
  /** Karpenter fills initialized nodes first. */
  readonly initialized: boolean;
  /** Accepts pending pods, and no pods with `notPending`. @default false */
  readonly pendingPodsOnly?: boolean;
  /** A NodeClaim without a Node: it accepts pods, but topology spread does not know its zone yet. @default false */
  readonly claimOnly?: boolean;
  /**
   * The node is being removed: it accepts no pod and counts towards no limit. Topology spread and pod affinity still
   * count the pods that remain on it.
   *
   * @default false
   */
  readonly markedForDeletion?: boolean;
  /** Pods that have not terminated, daemonset pods included. */
  readonly pods: readonly RunningPod[];
  /** Number of attachable volumes by CSI driver. @default - unlimited */
  readonly volumeLimits?: ReadonlyMap<string, number>;
}

export interface RunningPod {
  readonly namespace: string;
  readonly name: string;
  readonly shape: PodShape;
  readonly daemon: boolean;
  /** Uses resources until it is gone, but topology spread and pod affinity do not count it. */
  readonly terminating?: boolean;
}

export interface SchedulingSettings {
  /** @default 'Respect' */
  readonly preferencePolicy?: 'Respect' | 'Ignore';
  /** @default 'Strict' */
  readonly minValuesPolicy?: 'Strict' | 'BestEffort';
  /**
   * What a pod does if other NodeClaims hold the reservations that it could use. Provisioning waits until these claims
   * are launched (Strict); a disruption simulation tries other offerings (Fallback).
   *
   * @default 'Strict'
   */
  readonly reservedOfferings?: 'Strict' | 'Fallback';
  /** Whether Karpenter skips pods with resource claims. @default true */
  readonly ignoreDraRequests?: boolean;
  /**
   * Which of equally good domains of a topology spread a pod gets. Karpenter draws one on each try, so that a pod soon
   * gets one that a NodePool can launch. Conformance tests walk Karpenter's maps by key.
   *
   * @default 'launchable-first'
   */
  readonly domainOrder?: 'launchable-first' | 'by-key';
  /**
   * Seed of draws among equally good domains, as Karpenter draws them on each try: from 1 to 2^31 - 1.
   *
   * @default - the first domain in their order
   */
  readonly tieSeed?: number;
  /** Pods beyond these bounds are not evaluated. @default - 1 GiB of memory, and about one minute of work */
  readonly solverBounds?: PackerBounds;
}

/** Whether the pool keeps a fixed number of nodes, so that pods do not make it launch nodes. */
export function isStatic({ replicas }: NodePoolSpec): boolean {
  return replicas !== undefined;
}

/**
 * A static pool with 0 replicas, for callers that create its nodes themselves; a dynamic pool is returned unchanged.
 */
export const withoutReplicas = memoizeByIdentity(
  (pool: NodePoolSpec): NodePoolSpec => (isStatic(pool) ? { ...pool, replicas: 0 } : pool),
);

/**
 * The input with these nodes and pods. Hot path: all keys are written out, so that every result has the same hidden
 * class.
 */
export function withNodesAndPods(
  input: Omit<ScheduleInput, 'nodes' | 'pods'>,
  nodes: readonly ExistingNode[],
  pods: readonly PodGroup[],
): ScheduleInput {
  const { nodePools, nodeClasses, existingClaimCounts, nodeOverlays, daemonSets, settings, namespaces, unreadyPools } =
    input;
  const whole: { readonly [Key in keyof Required<ScheduleInput>]: ScheduleInput[Key] } = {
    nodePools,
    nodeClasses,
    nodes,
    existingClaimCounts,
    nodeOverlays,
    pods,
    daemonSets,
    settings,
    namespaces,
    unreadyPools,
  };
  return whole;
}
