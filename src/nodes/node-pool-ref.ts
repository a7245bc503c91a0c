import { Duration } from 'cdk8s';
import { IConstruct } from 'constructs';
import { Taint } from './requirements/taint';

/**
 * A NodePool that other constructs refer to, created here or elsewhere.
 */
export interface INodePool extends IConstruct {
  /**
   * Name of the object in the cluster, which its nodes carry in the label `karpenter.sh/nodepool`.
   */
  readonly name: string;

  /**
   * Taints that its pods must tolerate, as far as they are known.
   */
  readonly taints: Taint[];

  /**
   * Zones that its nodes can be in, where it is known to be limited to some.
   */
  readonly zones?: string[];

  /**
   * Whether its nodes never expire, where that is known.
   */
  readonly neverExpire?: boolean;

  /**
   * How long its nodes may drain before their pods are deleted, where there is a known end.
   */
  readonly terminationGracePeriod?: Duration;
}

/**
 * What is known of a NodePool that something else creates.
 */
export interface NodePoolAttributes {
  /**
   * Name of the object in the cluster.
   */
  readonly name: string;

  /**
   * Taints that its pods must tolerate.
   *
   * @default - no taints
   */
  readonly taints?: Taint[];

  /**
   * Zones that its nodes can be in.
   *
   * @default - not known
   */
  readonly zones?: string[];

  /**
   * Whether its nodes never expire.
   *
   * @default - not known
   */
  readonly neverExpire?: boolean;

  /**
   * How long its nodes may drain before their pods are deleted.
   *
   * @default - not known
   */
  readonly terminationGracePeriod?: Duration;
}
