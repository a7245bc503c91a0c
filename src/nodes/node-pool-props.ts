import { ApiObjectMetadata, Duration } from 'cdk8s';
import { NodePoolDisruption } from './disruption';
import { Expiration } from './expiration';
import { INodeClass } from './node-class';
import { Requirement } from './requirements/requirement';
import { Taint } from './requirements/taint';
import { NodePoolLimits } from './resource-limits';

/**
 * Properties of a NodePool.
 */
export interface NodePoolProps {
  /**
   * Name, labels and annotations of the NodePool itself.
   *
   * @default - a name made from the construct's path
   */
  readonly metadata?: ApiObjectMetadata;

  /**
   * Machine image, network and disks of the nodes.
   */
  readonly nodeClass: INodeClass;

  /**
   * Which nodes may be launched: instance types, zones, capacity types and other labels.
   *
   * @default - any node that the node class can launch, both amd64 and arm64, reserved, spot and on-demand; Karpenter
   * prefers reserved capacity, then spot
   */
  readonly requirements?: Requirement[];

  /**
   * Labels of the nodes.
   *
   * @default - those that Karpenter sets
   */
  readonly labels?: { [key: string]: string };

  /**
   * Annotations of the nodes.
   *
   * @default - those that Karpenter sets
   */
  readonly annotations?: { [key: string]: string };

  /**
   * Taints of the nodes. Only pods that tolerate the taints are scheduled there.
   *
   * @default - no taints
   */
  readonly taints?: Taint[];

  /**
   * Taints that a controller removes once the node is ready. Karpenter launches nodes for pods that do not tolerate
   * them, too.
   *
   * @default - no taints
   */
  readonly startupTaints?: Taint[];

  /**
   * Age at which a node expires and is replaced, or that it never expires. Disruption budgets do not delay this.
   *
   * @default Expiration.after(Duration.hours(720))
   */
  readonly expireAfter?: Expiration;

  /**
   * How long a node may drain. After this time its pods are deleted, even if a PodDisruptionBudget or an annotation
   * blocks their eviction.
   *
   * @default - a draining node waits for its pods indefinitely
   */
  readonly terminationGracePeriod?: Duration;

  /**
   * Consolidation and disruption budgets.
   *
   * @default - any node may be consolidated immediately, and at most 10% of the nodes are disrupted at a time
   */
  readonly disruption?: NodePoolDisruption;

  /**
   * How large the pool may grow.
   *
   * @default - no limit
   */
  readonly limits?: NodePoolLimits;

  /**
   * Priority among the NodePools that fit a pod, from 1 to 100. The NodePool with the highest weight is tried first.
   *
   * @default - 0, below every weight that can be set
   */
  readonly weight?: number;

  /**
   * Number of nodes of a static NodePool, which keeps its nodes even if no pod needs them. A static NodePool must not
   * have a `weight` or a limit other than `nodes`, and its nodes are not consolidated. `replicas` cannot be added or
   * removed after the NodePool was created. Requires the feature gate `StaticCapacity`.
   *
   * @default - nodes are launched and removed as pods need them
   * @see https://karpenter.sh/docs/concepts/nodepools/#specreplicas
   */
  readonly replicas?: number;
}
