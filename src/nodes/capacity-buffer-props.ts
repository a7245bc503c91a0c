import { ApiObjectMetadata } from 'cdk8s';
import { defaultProvisioningStrategy } from '../contract';
import { BufferedPods } from './buffered-pods';
import { ResourceLimits } from './resource-limits';

/**
 * How an autoscaler keeps the spare capacity of a CapacityBuffer.
 */
export class ProvisioningStrategy {
  /** Nodes are launched for the buffer, and kept until the buffer is deleted. */
  public static readonly ACTIVE_CAPACITY = new ProvisioningStrategy(defaultProvisioningStrategy());

  /** A strategy that has no constant here yet. */
  public static of(value: string): ProvisioningStrategy {
    return new ProvisioningStrategy(value);
  }

  private constructor(
    /** Name of the strategy. */
    public readonly value: string,
  ) {}
}

/**
 * Properties of a CapacityBuffer.
 */
export interface CapacityBufferProps {
  /**
   * Name, namespace, labels and annotations of the CapacityBuffer itself.
   *
   * @default - a name made from the construct's path, in the namespace of the chart
   */
  readonly metadata?: ApiObjectMetadata;

  /**
   * Pods that the buffer keeps room for.
   */
  readonly pods: BufferedPods;

  /**
   * Number of pods that the buffer has room for. If `percentage` is given too, the larger number is used.
   *
   * @default - as many as `percentage` says, or as fit into `limits`
   */
  readonly replicas?: number;

  /**
   * Number of pods that the buffer has room for, in percent of the replicas of the workload of `pods`. It is rounded
   * up, and is at least 1.
   *
   * @default - as many as `replicas` says, or as fit into `limits`
   */
  readonly percentage?: number;

  /**
   * Highest sum of the requests of the buffer's pods. Without `replicas` and `percentage`, the buffer has as many pods
   * as fit into the limits.
   *
   * @default - no limit
   */
  readonly limits?: ResourceLimits;

  /**
   * How the capacity is kept.
   *
   * @default ProvisioningStrategy.ACTIVE_CAPACITY
   */
  readonly provisioningStrategy?: ProvisioningStrategy;
}
