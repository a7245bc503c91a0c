import { Duration } from 'cdk8s';
import { CapacityType } from '../../nodes';
import { VerdictOptions } from '../verdict-options';

/** What the manifests do not say of the cluster, and how long things take when nodes go. */
export interface KarpenterAssertionsProps extends VerdictOptions {
  /**
   * From the request to EC2 until a node takes pods, in whole seconds.
   *
   * @default Duration.seconds(60)
   */
  readonly nodeStart?: Duration;

  /**
   * From the node of a pod until the pod is ready, in whole seconds.
   *
   * @default Duration.seconds(20)
   */
  readonly podStart?: Duration;

  /**
   * From the order to end until a pod is gone, in whole seconds. Its own `terminationGracePeriodSeconds` counts where
   * that is less.
   *
   * @default Duration.seconds(10)
   */
  readonly podStop?: Duration;

  /**
   * For how long Karpenter simulates where the pods of a node would go, once for each node that it tries, a minute at
   * most. In a large cluster it is this that a roll takes its time for.
   *
   * @default - by the nodes of the cluster and the pods on their way by then: 70 milliseconds with 100 nodes, and 5
   * more for each hundred pods
   */
  readonly simulation?: Duration;

  /**
   * For how long scenarios are followed, in whole seconds.
   *
   * @default Duration.days(7), and to the end where nodes expire
   */
  readonly horizon?: Duration;

  /**
   * When scenarios begin: disruption budgets have their hours.
   *
   * @default - the latest moment that `clusterFiles` tell; without them Monday, 5 January 2026, 12:00 UTC
   */
  readonly start?: Date;
}

/** Which instance types are counted, and where. */
export interface InstanceTypesInZones {
  /**
   * Only types that can be launched as this.
   *
   * @default - any that the NodePool allows
   */
  readonly capacityType?: CapacityType;

  /**
   * The zones that are looked at, like `eu-west-1a`.
   *
   * @default - those that the NodePool can launch in
   */
  readonly zones?: string[];
}
