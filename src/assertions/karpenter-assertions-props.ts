import { Duration } from 'cdk8s';
import { CapacityType } from '../nodes';
import { VerdictOptions } from '../plugins';

/** Facts about the cluster that the manifests do not contain, and durations for simulated scenarios. */
export interface KarpenterAssertionsProps extends VerdictOptions {
  /**
   * Time from the launch request to EC2 until the node is ready for pods, in whole seconds.
   *
   * @default Duration.seconds(60)
   */
  readonly nodeStart?: Duration;

  /**
   * Time from binding a pod to its node until the pod is ready, in whole seconds.
   *
   * @default Duration.seconds(20)
   */
  readonly podStart?: Duration;

  /**
   * Time from the deletion of a pod until its containers have stopped, in whole seconds. A shorter
   * `terminationGracePeriodSeconds` of the pod takes precedence.
   *
   * @default Duration.seconds(10)
   */
  readonly podStop?: Duration;

  /**
   * Time that Karpenter needs for one scheduling simulation, at most a minute. Disruption runs one simulation for each
   * candidate, so in large clusters this time determines how long it takes to replace all nodes.
   *
   * @default - estimated from the number of nodes and pending pods: 70 milliseconds for 100 nodes, plus 5 milliseconds
   * for each 100 pods
   */
  readonly simulation?: Duration;

  /**
   * Simulated time after which a scenario is cut off, in whole seconds.
   *
   * @default Duration.days(7), or longer if a scenario waits for nodes to expire
   */
  readonly horizon?: Duration;

  /**
   * Start time of scenarios. It matters for disruption budgets with a schedule.
   *
   * @default - the latest timestamp in `clusterFiles`; without them Monday, 5 January 2026, 12:00 UTC
   */
  readonly start?: Date;

  /**
   * EC2's quota of vCPUs of running on-demand instances in the account, which `Scenario.QUOTA` needs.
   *
   * @default - `Scenario.QUOTA` is refused
   */
  readonly vcpuQuota?: number;
}

/** The instance types and zones that an assertion counts. */
export interface InstanceTypesInEachZoneOptions {
  /**
   * Counts only types with an offering of this capacity type.
   *
   * @default - all capacity types that the NodePool allows
   */
  readonly capacityType?: CapacityType;

  /**
   * Zones to check, for example `eu-west-1a`.
   *
   * @default - all zones in which the NodePool can launch nodes
   */
  readonly zones?: string[];
}
