import { ApiObjectMetadata } from 'cdk8s';
import { defaultProvisioningStrategy } from '../contract';
import { ResourceLimits } from './resource-limits';
import { ScalableRef } from './scalable-ref';

/**
 * How an autoscaler keeps the capacity of a buffer.
 */
export class ProvisioningStrategy {
  /** Nodes are launched for the buffer, and stay while it is there. */
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
   * Workload whose pods the buffer is for, in the buffer's namespace. Exactly one of `scalableRef` and
   * `podTemplateName` must be given.
   *
   * @default - `podTemplateName` names the pods
   */
  readonly scalableRef?: ScalableRef;

  /**
   * Name of the PodTemplate whose pods the buffer is for, in the buffer's namespace.
   *
   * @default - `scalableRef` names the pods
   */
  readonly podTemplateName?: string;

  /**
   * Number of pods that the buffer has room for. Where `percentage` is given as well, the larger number counts.
   *
   * @default - as many as `percentage` says, or as fit into `limits`
   */
  readonly replicas?: number;

  /**
   * Number of pods that the buffer has room for, in percent of the replicas of `scalableRef`: rounded up, and at least
   * one.
   *
   * @default - as many as `replicas` says, or as fit into `limits`
   */
  readonly percentage?: number;

  /**
   * What the pods of the buffer may request together. Without `replicas` and `percentage`, it has as many pods as fit.
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
