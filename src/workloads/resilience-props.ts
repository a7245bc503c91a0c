import { Duration } from 'cdk8s';
import { CapacityPlacement } from './capacity-placement';
import { DoNotDisrupt } from './do-not-disrupt';
import { Waiver } from './safeguard';
import { INodePool } from '../nodes';

/**
 * Settings of the safeguards that keep a workload running while its nodes are replaced.
 */
export interface ResilienceProps {
  /**
   * Minimum number of pods of a Deployment or StatefulSet, at least 2. It is used if the manifest has no `replicas` and
   * no autoscaler sets them.
   *
   * @default 2
   */
  readonly minReplicas?: number;

  /**
   * `maxUnavailable` of the PodDisruptionBudget: how many pods may be unavailable at a time because of evictions. At
   * least 1, and less than `minReplicas`. If a workload has fewer pods, the budget keeps at least one of them.
   *
   * @default 1
   */
  readonly maxUnavailable?: number;

  /**
   * Number of zones in which nodes can be launched. From 3 on, the zone spread gets `minDomains`, so that pods wait for
   * a node in another zone instead of all running in the first zone that has a node. `minDomains` is one less than
   * `zoneCount`, so that pods are still scheduled if a zone fails. Pods with volumes get no `minDomains`, because their
   * volumes bind them to a zone.
   *
   * @default - the number of zones of the NodePools; if unknown, the zones that have nodes
   */
  readonly zoneCount?: number;

  /**
   * NodePool that the pods run on. They select it, and tolerate its taints. If it is the spot pool of a
   * `ProductionSetup` with a weighted fallback, the pods may run on the fallback, too. DaemonSets still run on all
   * nodes.
   *
   * @default - `nodePools`, or any NodePool that fits
   */
  readonly nodePool?: INodePool;

  /**
   * NodePools that the pods run on: each pod runs on one of them. They select them by node affinity, and tolerate the
   * taints of all of them. A `ProductionSetup` has such lists: `setup.generalPools`.
   *
   * @default - `nodePool`, or any NodePool that fits
   */
  readonly nodePools?: INodePool[];

  /**
   * Capacity types on which the pods run. DaemonSets still run on all nodes.
   *
   * @default - on-demand or reserved if `doNotDisrupt` is given, otherwise any capacity type that the NodePools allow
   */
  readonly capacity?: CapacityPlacement;

  /**
   * How long Karpenter does not disrupt the nodes of these pods. Use it for workloads with a single pod, and for work
   * that starts from the beginning after an eviction.
   *
   * @default - `activeDeadlineSeconds` for Jobs and CronJobs, or always if they have none; other workloads can be
   * disrupted
   */
  readonly doNotDisrupt?: DoNotDisrupt;

  /**
   * Name of the PriorityClass of DaemonSets that have none, such as the `name` of a `DaemonSetPriorityClass`.
   *
   * @default system-node-critical
   */
  readonly daemonSetPriorityClass?: string;

  /**
   * How long a container keeps serving after the termination of its pod begins, up to 80 seconds. Requires Kubernetes
   * 1.30.
   *
   * @default Duration.seconds(10)
   */
  readonly preStopDelay?: Duration;

  /**
   * Safeguards to leave out, each with a reason.
   *
   * @default - all safeguards apply
   */
  readonly waivers?: Waiver[];
}
