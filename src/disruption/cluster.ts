import { Catalog } from '../catalog';
import { RepairPolicy } from '../contract';
import { LabelSelector } from '../model';
import { ExistingNode, PodGroup, RunningPod, ScheduleInput } from '../scheduling';

/** Milliseconds since 1970, UTC. Nothing here looks at a clock. */
export type Instant = number;

/** What made a pod, and makes it again: the workload itself rather than its ReplicaSet; kind `Node` for a mirror pod. */
export interface PodOwner {
  readonly kind: string;
  readonly name: string;
}

export interface ClusterPod extends RunningPod {
  /** @default - a bare pod, which nothing makes again */
  readonly owner?: PodOwner;
  /** Whether its StatefulSet makes all that it lacks at once: otherwise each only when those before it are ready. @default false */
  readonly madeAtOnce?: boolean;
  readonly annotations?: Readonly<Record<string, string>>;
  /** @default 0 */
  readonly priority?: number;
  /** Whether its priority class is one of the two that Kubernetes comes with: such pods are drained last. @default false */
  readonly critical?: boolean;
  /** When it was made, and its uid, as the API server tells: by it pods of one size are placed. @default - since it started */
  readonly age?: string;
  /** @default - not known: then a protection for some time is taken to last */
  readonly startedAt?: Instant;
  /** Whether it has not said that it is not ready. @default true */
  readonly ready?: boolean;
  /** Whether no container of it runs yet: then Karpenter finds places for it as for pods that wait. @default false */
  readonly starting?: boolean;
  /** Succeeded or failed. @default false */
  readonly ended?: boolean;
  /** Whole seconds. @default 30 */
  readonly terminationGraceSeconds?: number;
  /** Of one that is terminating: when the kubelet kills it at the latest. @default - not known, as if it had been told just now */
  readonly killedAt?: Instant;
}

/** What the NodeClaim of a node tells. */
export interface ClaimFacts {
  /** @default - that of its node */
  readonly name?: string;
  readonly createdAt: Instant;
  /** @default - it is not initialized */
  readonly initializedAt?: Instant;
  /** When a pod last came or went. @default - none has yet */
  readonly lastPodEventAt?: Instant;
  /** Milliseconds. @default - it never expires */
  readonly expireAfter?: number;
  /** Milliseconds. @default - draining may last for ever */
  readonly terminationGracePeriod?: number;
  /** When it was deleted. @default - it is not, or not known */
  readonly deletedAt?: Instant;
  /** Its condition Drifted, with Karpenter's own reason. @default - it has none */
  readonly drifted?: { readonly reason: string; readonly since: Instant };
  /** Whether EC2 has been told to terminate the instance. @default false */
  readonly instanceTerminating?: boolean;
}

/** A condition of a node that tells what Karpenter repairs. */
export interface NodeFault extends RepairPolicy {
  readonly since: Instant;
}

/** A node with all that decides whether it is disrupted. */
export interface ClusterNode extends ExistingNode {
  readonly pods: readonly ClusterPod[];
  readonly annotations?: Readonly<Record<string, string>>;
  /** @default - Karpenter does not manage the node */
  readonly claim?: ClaimFacts;
  /** Whether it has joined the cluster. @default true */
  readonly registered?: boolean;
  /** The node's condition Ready. @default true */
  readonly ready?: boolean;
  /** What of it Karpenter repairs. @default - it is well */
  readonly faults?: readonly NodeFault[];
  /** Being deleted, or chosen for it. @default false */
  readonly deleting?: boolean;
  /** Until when it is kept for a pod that waits. @default - for none */
  readonly nominatedUntil?: Instant;
  /** Whether Karpenter, when it last looked for places, found them here for pods of a CapacityBuffer. @default false */
  readonly buffered?: boolean;
}

export type ConsolidationPolicy = 'WhenEmpty' | 'WhenEmptyOrUnderutilized' | 'Balanced';

export type DisruptionReason = 'Empty' | 'Drifted' | 'Underutilized' | 'Unhealthy';

/** How many nodes of a NodePool may be disrupted at a time. */
export interface Budget {
  /** A count or a percentage, as written. */
  readonly nodes: string;
  /** @default - all; an empty list is for none */
  readonly reasons?: readonly DisruptionReason[];
  /** In UTC, as Karpenter's cron reads it. @default - always active */
  readonly schedule?: string;
  /** Milliseconds that it is active from each hit of the schedule on. */
  readonly duration?: number;
}

/** What a NodePool says of disruption. */
export interface PoolDisruption {
  readonly consolidationPolicy: ConsolidationPolicy;
  /** Milliseconds; undefined is `Never`. */
  readonly consolidateAfter: number | undefined;
  /** An empty list limits nothing. */
  readonly budgets: readonly Budget[];
  /** Milliseconds that its new nodes may live. @default - for ever */
  readonly expireAfter?: number;
  /** Milliseconds that draining one of its new nodes may last. @default - for ever */
  readonly terminationGracePeriod?: number;
  /** Of its new nodes. @default - none */
  readonly annotations?: Readonly<Record<string, string>>;
}

/** A PodDisruptionBudget. */
export interface PodBudget {
  readonly namespace: string;
  readonly name: string;
  readonly selector: LabelSelector;
  /** A count or a percentage, as written. */
  readonly minAvailable?: number | string;
  readonly maxUnavailable?: number | string;
  /** @default 'IfHealthyBudget' */
  readonly unhealthyPodEvictionPolicy?: 'IfHealthyBudget' | 'AlwaysAllow';
}

export interface DisruptionSettings {
  /** Karpenter's feature gate. @default false */
  readonly spotToSpotConsolidation?: boolean;
  /** Karpenter's feature gate. @default false */
  readonly nodeRepair?: boolean;
  /** Karpenter's feature gate: whether a drifted node may go before there is another, where there can be none before. @default false */
  readonly terminateFirstDrift?: boolean;
  /** Karpenter's feature gate: the same of a node that is repaired. @default false */
  readonly terminateFirstRepair?: boolean;
}

/** A cluster at one moment, with the pools that its nodes are of. */
export interface Cluster {
  readonly nodes: readonly ClusterNode[];
  /** By NodePool. */
  readonly pools: ReadonlyMap<string, PoolDisruption>;
  readonly pdbs: readonly PodBudget[];
  /** By `workloadKey`: the replicas that it is to have. @default - as many as there are pods */
  readonly replicas?: ReadonlyMap<string, number>;
  /** One pod of each DaemonSet, by the name of that: its like comes to each node that is new and that it can run on. @default - none */
  readonly daemons?: readonly ClusterPod[];
  /** How pods are scheduled; its pods are those that wait for a node. */
  readonly scheduling: Omit<ScheduleInput, 'nodes'>;
  /** Others that wait: what the pools can launch lasts while these come and go. @default - none */
  readonly waiting?: readonly PodGroup[];
  readonly catalog: Catalog;
  readonly settings?: DisruptionSettings;
}

/** Tells workloads apart. */
export function workloadKey(namespace: string, { kind, name }: PodOwner): string {
  return `${kind} ${namespace}/${name}`;
}
