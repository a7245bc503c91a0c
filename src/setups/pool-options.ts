import { Duration } from 'cdk8s';
import { INodeClass, NodePoolDisruption, Requirement, Taint } from '../nodes';

/**
 * How EC2 capacity is bought for a pool.
 */
export enum PurchaseOption {
  /** Spot capacity, and on-demand capacity if no spot capacity is available. One NodePool allows both. */
  SPOT_WITH_ON_DEMAND_FALLBACK = 'spot-with-on-demand-fallback',
  /**
   * The same with two NodePools, each with its own limit: one for spot capacity, and one of lower weight for on-demand
   * capacity. With the feature gate `SpotToSpotConsolidation`, Karpenter also replaces spot nodes by cheaper ones.
   */
  SPOT_WITH_WEIGHTED_FALLBACK = 'spot-with-weighted-fallback',
  /** On-demand capacity, which EC2 does not interrupt. */
  ON_DEMAND_ONLY = 'on-demand-only',
}

/**
 * Settings that every pool of a setup can override.
 */
export interface PoolOptions {
  /**
   * EC2NodeClass of the nodes.
   *
   * @default - one that the setup creates
   */
  readonly nodeClass?: INodeClass;

  /**
   * Labels of the nodes, in addition to those of the setup.
   *
   * @default - none
   */
  readonly labels?: { [key: string]: string };

  /**
   * Taints of the nodes, instead of those of the setup. An empty list lets pods without tolerations use the nodes.
   *
   * @default - see the description of the pool
   */
  readonly taints?: Taint[];

  /**
   * Consolidation and disruption budgets, instead of those of the setup. Budgets replace the maintenance window, too.
   *
   * @default - see the description of the pool
   */
  readonly disruption?: NodePoolDisruption;
}

/**
 * Settings of a pool whose size follows the CPUs that pods request.
 */
export interface CpuPoolOptions extends PoolOptions {
  /**
   * Number of vCPUs that pods need at most. The limit of the pool is higher: 20% more, and at least 32 more, so that
   * drifted nodes can be replaced while the pool is full.
   *
   * @default 200
   */
  readonly cpu?: number;

  /**
   * How capacity is bought.
   *
   * @default PurchaseOption.SPOT_WITH_ON_DEMAND_FALLBACK
   */
  readonly purchaseOption?: PurchaseOption;

  /**
   * Instance types of the nodes, instead of those of the setup. Capacity type and zones are added.
   *
   * @default - see the description of the pool
   */
  readonly instanceRequirements?: Requirement[];
}

/**
 * Settings of the pool for batch jobs.
 */
export interface BatchPoolOptions extends CpuPoolOptions {
  /**
   * Longest time that a job runs. A node of the pool that must go waits this long for its jobs.
   *
   * @default Duration.hours(24)
   */
  readonly maxJobDuration?: Duration;
}

/**
 * Settings of the pool with GPUs.
 */
export interface GpuPoolOptions extends PoolOptions {
  /**
   * Number of GPUs that pods need at most. The limit of the pool is higher: 20% more, and at least 4 more, so that
   * drifted nodes can be replaced while the pool is full.
   *
   * @default 8
   */
  readonly gpus?: number;

  /**
   * How capacity is bought.
   *
   * @default PurchaseOption.ON_DEMAND_ONLY
   */
  readonly purchaseOption?: PurchaseOption;

  /**
   * Instance types of the nodes, instead of those of the setup. Capacity type and zones are added.
   *
   * @default - amd64 instances of category g from generation 5 on, with one to four NVIDIA GPUs
   */
  readonly instanceRequirements?: Requirement[];
}

/**
 * Settings of the static pool, which has a fixed number of nodes.
 */
export interface StaticPoolOptions extends PoolOptions {
  /**
   * Number of nodes. The limit of the pool is higher: 20% more, and at least one more, so that drifted nodes can be
   * replaced.
   */
  readonly replicas: number;

  /**
   * Instance types of the nodes, such as `m7i.large`. Karpenter launches the cheapest one that has capacity.
   */
  readonly instanceTypes: string[];
}
