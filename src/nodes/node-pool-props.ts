import { ApiObjectMetadata, Duration } from 'cdk8s';
import { Disruption } from './disruption';
import { INodeClass } from './node-class';
import { NodeRequirement } from './requirements/node-requirement';
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
   * What may be launched.
   *
   * @default - whatever the node class can launch; Karpenter then takes Linux on amd64, on demand
   */
  readonly requirements?: NodeRequirement[];

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
   * Taints of the nodes: only pods that tolerate them are placed there.
   *
   * @default - no taints
   */
  readonly taints?: Taint[];

  /**
   * Taints that something else removes once the node is ready. Pods need not tolerate them for a node to be launched.
   *
   * @default - no taints
   */
  readonly startupTaints?: Taint[];

  /**
   * Age at which a node is replaced, whatever runs on it.
   *
   * @default Duration.hours(720)
   */
  readonly expireAfter?: Duration;

  /**
   * Nodes do not expire: `expireAfter` is `Never`.
   *
   * @default false
   */
  readonly neverExpire?: boolean;

  /**
   * How long a node may drain before its pods are deleted, whatever PodDisruptionBudgets and annotations say.
   *
   * @default - it waits for its pods without an end
   */
  readonly terminationGracePeriod?: Duration;

  /**
   * How nodes may be removed that the pool could do without.
   *
   * @default - any node, at once, 10% of the nodes at a time
   */
  readonly disruption?: Disruption;

  /**
   * How large the pool may grow.
   *
   * @default - no limit
   */
  readonly limits?: NodePoolLimits;

  /**
   * Priority among the NodePools that fit a pod, from 1 to 100: the highest is tried first.
   *
   * @default - 0, below every weight that can be set
   */
  readonly weight?: number;

  /**
   * Number of nodes that the pool keeps whether pods need them or not: the pool is static. It then has no `weight`, no
   * limit but on `nodes`, and no consolidation. A pool cannot become static, or cease to be, after it was created. It
   * needs Karpenter's feature gate `StaticCapacity`.
   *
   * @default - nodes come and go as pods need them
   * @see https://karpenter.sh/docs/concepts/nodepools/#specreplicas
   */
  readonly replicas?: number;
}
