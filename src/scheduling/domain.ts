import { NodeClassFacts } from '../catalog';
import { LabelSelector, RequirementSpec, ResourceList, Taint, Toleration } from '../model';

/** A NodePool as the scheduler sees it. */
export interface NodePoolSpec {
  readonly name: string;
  /** 1 to 100; an absent weight counts as 0. */
  readonly weight: number;
  /** Name of the node class in `ScheduleInput.nodeClasses`. */
  readonly nodeClass: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly requirements: readonly RequirementSpec[];
  readonly taints: readonly Taint[];
  /** A static pool: this many nodes, whatever pods there are. Its nodes take pods, but no pod makes it launch one. @default - it is not static */
  readonly replicas?: number;
  /** Absent keys are unlimited. The key `nodes` limits the number of nodes. */
  readonly limits: ResourceList;
}

/** A NodeOverlay: what Karpenter is told of instance types that EC2 does not say. */
export interface NodeOverlaySpec {
  readonly name: string;
  /** An absent weight counts as 0. Where overlays differ the heaviest is right; those of equal weight must not differ. */
  readonly weight: number;
  readonly requirements: readonly RequirementSpec[];
  /** A price in USD per hour, or a change of it with its sign: `0.25`, `-0.01`, `+10%`. @default - prices stay */
  readonly priceChange?: string;
  /** Extended resources that the types have besides their own. */
  readonly capacity: ResourceList;
}

/** An overlay that Karpenter rejects in all pools, because another of its weight says something else of the same. */
export interface OverlayConflict {
  readonly overlay: string;
  readonly nodePool: string;
  /** One of those that both are about. */
  readonly instanceType: string;
  /** `price`, or the resource. */
  readonly what: string;
}

/** One required node-affinity term, or the preference of a weighted one: its expressions are ANDed. */
export interface NodeSelectorTerm {
  readonly matchExpressions: readonly RequirementSpec[];
}

export interface PreferredTerm {
  readonly weight: number;
  readonly term: NodeSelectorTerm;
}

export interface TopologySpread {
  readonly maxSkew: number;
  readonly topologyKey: string;
  readonly whenUnsatisfiable: 'DoNotSchedule' | 'ScheduleAnyway';
  /** Absent: selects no pod. */
  readonly labelSelector?: LabelSelector;
  readonly minDomains?: number;
  /** @default 'Honor' */
  readonly nodeAffinityPolicy?: 'Honor' | 'Ignore';
  /** @default 'Ignore' */
  readonly nodeTaintsPolicy?: 'Honor' | 'Ignore';
  readonly matchLabelKeys?: readonly string[];
}

/** A term of pod affinity or anti-affinity. */
export interface PodAffinityTerm {
  readonly topologyKey: string;
  /** Absent: selects no pod. */
  readonly labelSelector?: LabelSelector;
  /** Without these and a `namespaceSelector`: the namespace of the pod. */
  readonly namespaces?: readonly string[];
  readonly namespaceSelector?: LabelSelector;
}

export interface PodAffinity {
  readonly required: readonly PodAffinityTerm[];
  readonly preferred: ReadonlyArray<{ readonly weight: number; readonly term: PodAffinityTerm }>;
}

/** A port of the node that a pod takes. */
export interface HostPort {
  /** `0.0.0.0` and `::` stand for every address. */
  readonly ip: string;
  readonly port: number;
  readonly protocol: string;
}

/** What of a pod decides where it can run. */
export interface PodShape {
  /** Effective requests (init containers, sidecars, overhead included), without the `pods` resource. */
  readonly requests: ResourceList;
  readonly nodeSelector: Readonly<Record<string, string>>;
  /** ORed. Empty: no required node affinity. */
  readonly requiredNodeAffinity: readonly NodeSelectorTerm[];
  readonly preferredNodeAffinity: readonly PreferredTerm[];
  readonly tolerations: readonly Toleration[];
  /** The pod's own labels, by which others select it. @default - none */
  readonly labels?: Readonly<Record<string, string>>;
  readonly topologySpread?: readonly TopologySpread[];
  readonly podAffinity?: PodAffinity;
  readonly podAntiAffinity?: PodAffinity;
  /** Whether it asks for devices by resource claims. @default false */
  readonly resourceClaims?: boolean;
  /** Of its regular containers. @default - none */
  readonly hostPorts?: readonly HostPort[];
  /** What its volumes need of the node, ORed. @default - they need nothing */
  readonly volumeTopology?: ReadonlyArray<readonly RequirementSpec[]>;
  /** Volumes by CSI driver: nodes that are there already hold no more than their limit of each. @default - none */
  readonly volumes?: ReadonlyMap<string, number>;
  /** Why Karpenter ignores the pod whatever else it needs, in its own words. @default - it does not */
  readonly ignored?: string;
  /**
   * What of this pod nothing in the input tells ('StorageClass gp3, which is not in the input', a value known only at deployment).
   * A pod with any is not placed by guess: it is reported as not evaluated.
   */
  readonly notEvaluated: readonly string[];
}

/** A workload's pods, all equal. Named `<name>-<ordinal>`. */
export interface PodGroup {
  readonly namespace: string;
  /** The workload's name. */
  readonly name: string;
  readonly count: number;
  readonly shape: PodShape;
  /** A bare Pod is named as it is, without an ordinal. */
  readonly bare?: boolean;
  /** The CapacityBuffer that Karpenter makes the pods up for: it asks no such pod whether it can be let in, and numbers them from 1. */
  readonly buffer?: string;
  /** The ordinal of the first one: as many pods of the workload run already. @default 0 */
  readonly running?: number;
}

/** A DaemonSet, by its name and the pod that it puts on every node that it matches. */
export interface DaemonSetSpec {
  readonly namespace: string;
  readonly name: string;
  readonly shape: PodShape;
}

export interface ScheduleInput {
  readonly nodePools: readonly NodePoolSpec[];
  /** By name. A NodePool whose class is missing here launches nothing. */
  readonly nodeClasses: ReadonlyMap<string, NodeClassFacts>;
  /** Nodes that are there already, in any order. @default - none */
  readonly nodes?: readonly ExistingNode[];
  /** Only where Karpenter's feature gate for them is on. @default - none */
  readonly nodeOverlays?: readonly NodeOverlaySpec[];
  /** In manifest order, which stands for the order of creation. */
  readonly pods: readonly PodGroup[];
  readonly daemonSets: readonly DaemonSetSpec[];
  readonly settings: SchedulingSettings;
  /** Labels by namespace, for namespace selectors. Those of the pods are known without. */
  readonly namespaces?: ReadonlyMap<string, Readonly<Record<string, string>>>;
}

/** A node that is there already, whoever launched it. */
export interface ExistingNode {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly taints: readonly Taint[];
  readonly allocatable: ResourceList;
  readonly capacity: ResourceList;
  /** Karpenter fills nodes that are ready to run pods before those that are not. */
  readonly initialized: boolean;
  /** Not terminated, daemonset pods included. */
  readonly pods: readonly RunningPod[];
  /** By CSI driver: how many volumes can be attached. Without: any number. */
  readonly volumeLimits?: ReadonlyMap<string, number>;
}

export interface RunningPod {
  readonly namespace: string;
  readonly name: string;
  readonly shape: PodShape;
  readonly daemon: boolean;
  /** Still takes resources, but spread and affinity no longer count it. */
  readonly terminating?: boolean;
}

export interface SchedulingSettings {
  /** @default 'Respect' */
  readonly preferencePolicy?: 'Respect' | 'Ignore';
  /** @default 'Strict' */
  readonly minValuesPolicy?: 'Strict' | 'BestEffort';
  /** Whether pods with resource claims are passed over. @default true */
  readonly ignoreDraRequests?: boolean;
}

export interface Offer {
  readonly instanceType: string;
  readonly zone: string;
  readonly capacityType: string;
  readonly usdPerHour: number;
  /** The id of the capacity reservation, of which this is one instance. */
  readonly reservation?: string;
}

/**
 * What Karpenter asks EC2 for, to launch one node.
 *
 * @see https://github.com/aws/karpenter-provider-aws/blob/v1.15.1/pkg/providers/instance/instance.go
 */
export interface LaunchRequest {
  /** Reserved where it can be, else spot wherever it may be: one request never mixes capacity types. */
  readonly capacityType: string;
  /**
   * How EC2 chooses among the types and zones: the first of `instanceTypes` for `lowest-price`, the one that it has capacity of
   * for `price-capacity-optimized`. The prioritized ones are those where a NodeOverlay sets a price. For capacity
   * blocks and interruptible reservations there is none.
   */
  readonly allocationStrategy: 'lowest-price' | 'prioritized' | 'price-capacity-optimized' | 'capacity-optimized-prioritized' | 'none';
  /** The types that EC2 chooses from, cheapest first: what the launch filters leave, at most 60. */
  readonly instanceTypes: readonly string[];
  readonly zones: readonly string[];
  /** What EC2 launches on demand; of spot, the least that the node can cost. */
  readonly cheapest: Offer;
}

/** A node that Karpenter would launch. */
export interface PlannedNodeClaim {
  /** `<pool>-<ordinal>`, in order of creation. */
  readonly id: string;
  readonly nodePool: string;
  /** `namespace/name`, in order of placement. */
  readonly pods: readonly string[];
  /** Index into `ScheduleInput.pods` → how many of that group run here. */
  readonly groups: ReadonlyMap<number, number>;
  /** Pods and daemonsets together, `pods` included. */
  readonly requests: ResourceList;
  /** Cheapest first, before truncation. */
  readonly instanceTypes: readonly string[];
  readonly zones: readonly string[];
  readonly capacityTypes: readonly string[];
  /** Of all offerings of `instanceTypes`, before the launch filters. */
  readonly cheapest?: Offer;
  /** Absent where Karpenter itself gives up: then `launchFailure` says why. */
  readonly launch?: LaunchRequest;
  /** In Karpenter's own words: it deletes the claim then, and plans the same one anew. */
  readonly launchFailure?: string;
}

/** Pods for a node that is there already. */
export interface FilledNode {
  readonly node: string;
  /** `namespace/name`, in order of placement. */
  readonly pods: readonly string[];
  /** Index into `ScheduleInput.pods` → how many of that group go here. */
  readonly groups: ReadonlyMap<number, number>;
}

export interface PoolRefusal {
  readonly nodePool: string;
  /** In Karpenter's own words. */
  readonly message: string;
  /** What really stands in the way, with figures, where it is known: 'short by 130Mi of memory on m6a.2xlarge'. */
  readonly diagnosis?: string;
  /** What each constraint leaves of the instance types, up to the one that leaves nothing; with the diagnosis. */
  readonly elimination?: readonly Elimination[];
}

export interface UnschedulablePod {
  readonly pod: string;
  readonly group: number;
  readonly reasons: readonly PoolRefusal[];
}

export interface UnevaluatedPods {
  readonly pods: readonly string[];
  readonly group: number;
  readonly what: readonly string[];
}

/** How many instance types are left after a constraint. */
export interface Elimination {
  readonly constraint: string;
  readonly left: number;
}

/** What a pool can launch at all, with no pod on the node but its daemonsets. */
export interface PoolView {
  readonly name: string;
  /** Cheapest first. */
  readonly instanceTypes: readonly string[];
  readonly zones: readonly string[];
  readonly capacityTypes: readonly string[];
  /** Instance types left after each constraint in turn, from the whole catalogue on: for explanations. */
  readonly elimination: readonly Elimination[];
  /** Per instance type of `instanceTypes`: the requests of the daemonsets that run on it, `pods` included. */
  readonly daemonOverhead: ReadonlyArray<ResourceList>;
}

export interface SchedulePlan {
  /** In name order. */
  readonly pools: readonly PoolView[];
  readonly nodeClaims: readonly PlannedNodeClaim[];
  /** Existing nodes that get pods, in Karpenter's order. */
  readonly filledNodes: readonly FilledNode[];
  readonly unschedulable: readonly UnschedulablePod[];
  readonly notEvaluated: readonly UnevaluatedPods[];
  readonly overlayConflicts: readonly OverlayConflict[];
}
