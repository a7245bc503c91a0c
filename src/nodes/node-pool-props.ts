import { ApiObjectMetadata, Duration, Size } from 'cdk8s';
import { Disruption } from './disruption';
import { INodeClass } from './node-class';
import { Requirement } from './requirement';
import { Taint } from './taint';

/**
 * How large a NodePool may grow: the sums over its nodes.
 *
 * @see https://karpenter.sh/docs/concepts/nodepools/#speclimits
 */
export interface NodePoolLimits {
  /**
   * Number of vCPUs; a fraction is allowed.
   *
   * @default - no limit
   */
  readonly cpu?: number;

  /**
   * Memory.
   *
   * @default - no limit
   */
  readonly memory?: Size;

  /**
   * Number of nodes.
   *
   * @default - no limit
   */
  readonly nodes?: number;

  /**
   * Any other resource, as a Kubernetes quantity: `{ 'nvidia.com/gpu': '8' }`.
   *
   * @default - no limit
   */
  readonly other?: { [resource: string]: string };
}

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
}
