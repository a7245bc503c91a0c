import { Catalog } from '../catalog';
import { RepairPolicy } from '../contract';
import { LabelSelector } from '../model';
import { ExistingNode, PodGroup, RunningPod, ScheduleInput } from '../scheduling';

/** Milliseconds since 1970, UTC. Nothing here reads the system clock. */
export type Instant = number;

/** The workload that recreates a pod: a Deployment rather than its ReplicaSet. The kind is `Node` for a mirror pod. */
export interface PodOwner {
  readonly kind: string;
  readonly name: string;
}

export interface ClusterPod extends RunningPod {
  /** @default - a bare pod, which nothing recreates */
  readonly owner?: PodOwner;
  /**
   * Whether its StatefulSet has the podManagementPolicy Parallel, and creates all missing pods at once. Otherwise each
   * pod waits until the pods before it are ready.
   *
   * @default false
   */
  readonly parallel?: boolean;
  readonly annotations?: Readonly<Record<string, string>>;
  /** @default 0 */
  readonly priority?: number;
  /**
   * Whether its priority class is system-cluster-critical or system-node-critical. Such pods are drained last. @default
   * false
   */
  readonly critical?: boolean;
  /**
   * Its creation time and uid, as in the API server. Pods of one size are scheduled by age. @default - the time at
   * which it started
   */
  readonly age?: string;
  /** @default - unknown: a do-not-disrupt annotation with a duration is taken to last */
  readonly startedAt?: Instant;
  /**
   * When the activeDeadlineSeconds of its Job are over: the Job controller deletes the pod and creates no other.
   * @default - no deadline
   */
  readonly jobDeadline?: Instant;
  /** How long a pod of a Job runs once it is ready, in seconds. @default - until something else ends it */
  readonly runSeconds?: number;
  /** False if its condition Ready is false. @default true */
  readonly ready?: boolean;
  /** Whether none of its containers runs yet. Karpenter schedules such a pod like a pending one. @default false */
  readonly starting?: boolean;
  /** Whether it has succeeded or failed. @default false */
  readonly ended?: boolean;
  /** Whole seconds. @default 30 */
  readonly terminationGraceSeconds?: number;
  /** When the kubelet kills it at the latest, if it is terminating. @default - unknown: its grace period starts now */
  readonly killDeadline?: Instant;
}

/** The facts of a node that its NodeClaim has. */
export interface ClaimFacts {
  /** @default - the name of its node */
  readonly name?: string;
  readonly createdAt: Instant;
  /** @default - it is not initialized */
  readonly initializedAt?: Instant;
  /** When a pod last came to the node or left it. @default - never */
  readonly lastPodEventAt?: Instant;
  /** Milliseconds. @default - it never expires */
  readonly expireAfter?: number;
  /** Milliseconds. @default - draining has no time limit */
  readonly terminationGracePeriod?: number;
  /** @default - it is not deleted, or the time is unknown */
  readonly deletedAt?: Instant;
  /** Its condition Drifted, with Karpenter's own reason. @default - not drifted */
  readonly drifted?: { readonly reason: string; readonly since: Instant };
  /** Whether EC2 is terminating the instance. @default false */
  readonly instanceTerminating?: boolean;
}

/** A condition of a node for which Karpenter repairs it. */
export interface NodeFault extends RepairPolicy {
  readonly since: Instant;
}

/** A node with everything that decides whether it is disrupted. */
export interface ClusterNode extends ExistingNode {
  readonly pods: readonly ClusterPod[];
  readonly annotations?: Readonly<Record<string, string>>;
  /** @default - Karpenter does not manage the node */
  readonly claim?: ClaimFacts;
  /** Whether it has joined the cluster. @default true */
  readonly registered?: boolean;
  /** The node's condition Ready. @default true */
  readonly ready?: boolean;
  /** @default - the node is healthy */
  readonly faults?: readonly NodeFault[];
  /** Whether it is being deleted or marked for deletion. @default false */
  readonly deleting?: boolean;
  /** Until when it is nominated for a pending pod. @default - not nominated */
  readonly nominatedUntil?: Instant;
  /** Whether Karpenter last scheduled virtual pods of a CapacityBuffer to it. @default false */
  readonly hasBufferPods?: boolean;
}

export type ConsolidationPolicy = 'WhenEmpty' | 'WhenEmptyOrUnderutilized' | 'Balanced';

export type DisruptionReason = 'Empty' | 'Drifted' | 'Underutilized' | 'Unhealthy';

/** A disruption budget: how many nodes of a NodePool may be disrupted at a time. */
export interface Budget {
  /** A count or a percentage, as written. */
  readonly nodes: string;
  /** @default - all reasons; an empty list selects none */
  readonly reasons?: readonly DisruptionReason[];
  /** In UTC, as Karpenter's cron reads it. @default - always active */
  readonly schedule?: string;
  /** Milliseconds for which the budget is active after each hit of the schedule. */
  readonly duration?: number;
}

/** The disruption settings of a NodePool. */
export interface PoolDisruption {
  readonly consolidationPolicy: ConsolidationPolicy;
  /** Milliseconds; undefined is `Never`. */
  readonly consolidateAfter: number | undefined;
  /** An empty list limits nothing. */
  readonly budgets: readonly Budget[];
  /** Milliseconds, for new nodes. @default - they never expire */
  readonly expireAfter?: number;
  /** Milliseconds, for new nodes. @default - draining has no time limit */
  readonly terminationGracePeriod?: number;
  /** Annotations of new nodes. @default - none */
  readonly annotations?: Readonly<Record<string, string>>;
}

export interface PodDisruptionBudget {
  readonly namespace: string;
  readonly name: string;
  readonly selector: LabelSelector;
  /** A count or a percentage, as written. */
  readonly minAvailable?: number | string;
  readonly maxUnavailable?: number | string;
  /** @default 'IfHealthyBudget' */
  readonly unhealthyPodEvictionPolicy?: 'IfHealthyBudget' | 'AlwaysAllow';
}

/** Counts of the pods that a PodDisruptionBudget selects, without ended pods. */
export interface PdbTally {
  readonly pods: number;
  readonly healthy: number;
  /** Pods whose controller has no scale subresource. */
  readonly withoutScale: number;
  /** Pods of scalable controllers, by `workloadKey`. */
  readonly workloads: ReadonlyMap<string, number>;
}

/** Feature gates of Karpenter. */
export interface DisruptionSettings {
  /** @default false */
  readonly spotToSpotConsolidation?: boolean;
  /** @default false */
  readonly nodeRepair?: boolean;
  /**
   * Whether a drifted node is terminated before its replacement is launched, if only that makes the replacement
   * possible. @default false
   */
  readonly terminateFirstDrift?: boolean;
  /** The same for a node that is repaired. @default false */
  readonly terminateFirstRepair?: boolean;
}

/** One state of a cluster, with the NodePools of its nodes. */
export interface Cluster {
  readonly nodes: readonly ClusterNode[];
  /** By NodePool. */
  readonly pools: ReadonlyMap<string, PoolDisruption>;
  readonly pdbs: readonly PodDisruptionBudget[];
  /** For each of `pdbs`, the pods that it selects on `nodes`. @default - counted on demand */
  readonly pdbTallies?: readonly PdbTally[];
  /** Wanted replicas by `workloadKey`. @default - as many as there are pods */
  readonly replicas?: ReadonlyMap<string, number>;
  /** One pod of each DaemonSet. Each new node gets a copy of every pod that can run on it. @default - none */
  readonly daemons?: readonly ClusterPod[];
  /** How pods are scheduled. Its pods are pending. */
  readonly scheduling: Omit<ScheduleInput, 'nodes'>;
  /**
   * Further pending pods, kept apart so that `scheduling` stays the same object while pods come and go. @default - none
   */
  readonly pendingPods?: readonly PodGroup[];
  readonly catalog: Catalog;
  readonly settings?: DisruptionSettings;
}

/** Identifies a workload. */
export function workloadKey(namespace: string, { kind, name }: PodOwner): string {
  return `${kind} ${namespace}/${name}`;
}
