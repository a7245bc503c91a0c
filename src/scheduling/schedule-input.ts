import { NodeClassFacts } from '../catalog';
import { PackerBounds } from '../kernel';
import { RequirementSpec, ResourceList, Taint } from '../model';
import { PodShape } from './pod-shape';

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
  /** Pods that Karpenter does not take for waiting, as they run or are made up: they do not go to nodes that are `settling`. @default false */
  readonly moving?: boolean;
  /** Of a pod that is there: when it was made, and its uid, as the API server tells. @default - it is still to be made */
  readonly age?: string;
  /** The number in the name of the first one: those before it run already, or are another group. @default 0 */
  readonly firstOrdinal?: number;
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
  /** By NodePool: how many claims there are already, which the names of new ones follow. @default - none */
  readonly claimsBefore?: ReadonlyMap<string, number>;
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
  /** Those of its Node, while Karpenter goes by its NodeClaim: spread and affinity count the pods on it by these. @default - `labels` */
  readonly writtenLabels?: Readonly<Record<string, string>>;
  /** Those of its Node, with what it loses as it comes up: spread that honors taints goes by these. @default - `taints` */
  readonly writtenTaints?: readonly Taint[];
  readonly allocatable: ResourceList;
  readonly capacity: ResourceList;
  /** Karpenter fills nodes that are ready to run pods before those that are not. */
  readonly initialized: boolean;
  /** Takes pods that wait for a node, and none that are `moving`. @default false */
  readonly settling?: boolean;
  /** Still a NodeClaim alone: it takes pods, but spread does not know its zone before there is a Node. @default false */
  readonly claimOnly?: boolean;
  /** On its way out: it takes no pod and counts for no limit, but spread and affinity count the pods that stay on it. @default false */
  readonly leaving?: boolean;
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
  /**
   * What becomes of a pod where other claims keep the reservations that it could use: provisioning waits for these to be launched, and a
   * simulation of disruption has it go elsewhere. @default 'Strict'
   */
  readonly reservedOfferings?: 'Strict' | 'Fallback';
  /** Whether pods with resource claims are passed over. @default true */
  readonly ignoreDraRequests?: boolean;
  /** Pods that need more are not evaluated. @default - 1 GiB, and about a minute's work */
  readonly solverBounds?: PackerBounds;
}
