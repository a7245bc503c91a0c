import { Elimination, Offer } from '../schedule-plan';

/** What a NodePool had to say to a pod. */
export interface PoolStory {
  readonly nodePool: string;
  readonly weight: number;
  /** `not tried` where one before it took the pod, `no instance types` where Karpenter drops it before it looks at any pod. */
  readonly outcome: 'takes it' | 'refuses' | 'not tried' | 'no instance types';
  /** In Karpenter's own words, of a refusal. */
  readonly message?: string;
  /** What really stands in the way, with figures. */
  readonly diagnosis?: string;
  /** From the whole catalogue on; up to the constraint that leaves nothing. */
  readonly elimination: readonly Elimination[];
}

/** The node that a pod gets. */
export interface NodeStory {
  /** Of the NodeClaim, or the name of an existing node. */
  readonly name: string;
  /** Of a NodeClaim. */
  readonly nodePool?: string;
  readonly kind: 'new NodeClaim' | 'open NodeClaim' | 'existing node';
  /** Pods that it had before. */
  readonly podsBefore: number;
  /** Of a NodeClaim: the instance types that were possible before the pod came, once it was there, and in the end. */
  readonly instanceTypesBefore?: number;
  readonly instanceTypes?: number;
  readonly instanceTypesInTheEnd?: number;
  /** Of an open NodeClaim: from the whole catalogue on, by its pool, the pods on it and this one. */
  readonly elimination: readonly Elimination[];
  /** In the end, with all of its pods. */
  readonly cheapest?: Offer;
}

/** How a pod came to its node, or why it has none. */
export interface PodExplanation {
  readonly pod: string;
  /** The how-manieth pod that is placed, from 1; absent where it is not. */
  readonly position?: number;
  readonly placedPods: number;
  /** What Karpenter gave up of the pod's constraints before it was placed, or before it was left over. */
  readonly givenUp: readonly string[];
  /** NodeClaims that were open when it was tried. */
  readonly openNodeClaims: number;
  /** In the order in which Karpenter tries them. Empty where a node was there that took the pod. */
  readonly nodePools: readonly PoolStory[];
  readonly node?: NodeStory;
  /** Why no NodePool was asked. */
  readonly notTried?: string;
}
