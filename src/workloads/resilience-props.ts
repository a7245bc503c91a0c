import { Duration } from 'cdk8s';
import { CapacityPlacement } from './capacity-placement';
import { DoNotDisrupt } from './do-not-disrupt';
import { Waiver } from './safeguard';
import { INodePool } from '../nodes';

/**
 * How a workload is kept running while its nodes are replaced.
 */
export interface ResilienceProps {
  /**
   * Fewest pods of a Deployment or StatefulSet, from 2. It counts where the manifest says nothing of `replicas`, and
   * where no autoscaler decides.
   *
   * @default 2
   */
  readonly minReplicas?: number;

  /**
   * How many pods may be missing at a time for evictions, from 1 and below `minReplicas`: `maxUnavailable` of the
   * PodDisruptionBudget. Of a workload that is written with fewer pods, one stays.
   *
   * @default 1
   */
  readonly maxUnavailable?: number;

  /**
   * Number of zones that nodes can be in. From 3 on, pods wait for a node in a further zone rather than all go into the
   * first one that has a node: `minDomains` of the spread over zones is one less, so that pods are still placed when a
   * zone is lost. Pods with volumes are spread without it, since their volumes hold them in a zone.
   *
   * @default - the zones that `nodePool` names; without them, the zones where nodes happen to be
   */
  readonly zoneCount?: number;

  /**
   * NodePool that the pods run on: they select it, and tolerate its taints. DaemonSets stay on all nodes.
   *
   * @default - any that fits
   */
  readonly nodePool?: INodePool;

  /**
   * On what kind of capacity the pods run. DaemonSets stay on all nodes.
   *
   * @default - on demand or reserved where `doNotDisrupt` is given; otherwise any that the NodePools allow
   */
  readonly capacity?: CapacityPlacement;

  /**
   * How long Karpenter leaves the nodes of these pods alone. Meant for workloads of one pod, and for work that starts
   * from the beginning when it is moved.
   *
   * @default - for Jobs and CronJobs their `activeDeadlineSeconds`, or their whole life where they have none; for
   * others not at all
   */
  readonly doNotDisrupt?: DoNotDisrupt;

  /**
   * How long a container keeps serving after the termination of its pod begins, up to 80 seconds. It needs Kubernetes
   * 1.30.
   *
   * @default Duration.seconds(10)
   */
  readonly preStopDelay?: Duration;

  /**
   * Safeguards that are not wanted, and why.
   *
   * @default - all hold
   */
  readonly waivers?: Waiver[];
}
