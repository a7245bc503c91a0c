import { Duration } from 'cdk8s';
import { IConstruct } from 'constructs';
import { Expiration } from './expiration';
import { Taint } from './requirements/taint';

/**
 * A NodePool that other constructs refer to. It is created in this app or elsewhere.
 */
export interface INodePool extends IConstruct {
  /**
   * Name of the object in the cluster, which its nodes carry in the label `karpenter.sh/nodepool`.
   */
  readonly name: string;

  /**
   * Known taints of its nodes, which its pods must tolerate.
   */
  readonly taints: Taint[];

  /**
   * Zones of its nodes, if the NodePool is known to be limited to certain zones.
   */
  readonly zones?: string[];

  /**
   * When its nodes expire, if known.
   */
  readonly expireAfter?: Expiration;

  /**
   * How long its nodes may drain before their pods are deleted, if there is a known limit.
   */
  readonly terminationGracePeriod?: Duration;
}

/**
 * Known attributes of a NodePool that is created elsewhere.
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
   * When its nodes expire.
   *
   * @default - not known
   */
  readonly expireAfter?: Expiration;

  /**
   * How long its nodes may drain before their pods are deleted.
   *
   * @default - not known
   */
  readonly terminationGracePeriod?: Duration;
}
