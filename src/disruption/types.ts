import { Offer, PlannedNodeClaim } from '../scheduling';
import { ClusterNode, ClusterPod, DisruptionReason } from './cluster';

/** @see https://github.com/kubernetes-sigs/karpenter/blob/v1.15.0/pkg/controllers/disruption/types.go */

export type DisruptionMethod =
  | 'Repair'
  | 'Emptiness'
  | 'StaticDrift'
  | 'Drift'
  | 'MultiNodeConsolidation'
  | 'SingleNodeConsolidation';

/** The reason by which disruption budgets select each method. */
export const REASON_BY_METHOD: Readonly<Record<DisruptionMethod, DisruptionReason>> = {
  Repair: 'Unhealthy',
  Emptiness: 'Empty',
  StaticDrift: 'Drifted',
  Drift: 'Drifted',
  MultiNodeConsolidation: 'Underutilized',
  SingleNodeConsolidation: 'Underutilized',
};

/**
 * What a method may override. `eventual` (drift) ignores PodDisruptionBudgets and do-not-disrupt pods on nodes with a
 * terminationGracePeriod, because that ends the drain; `repair` ignores them on every node.
 */
export type DisruptionClass = 'graceful' | 'eventual' | 'repair';

/** A node that may be disrupted, with the savings and the cost of doing so. */
export interface Candidate {
  readonly node: ClusterNode;
  readonly nodePool: string;
  /** Absent if the node class no longer offers the type. */
  readonly instanceType?: string;
  /** USD per hour; 0 if the price is not known. */
  readonly price: number;
  readonly rescheduleCost: number;
  readonly reschedulable: readonly ClusterPod[];
}

/** A node that cannot be disrupted, and the reason in Karpenter's own words. */
export interface BlockedNode {
  readonly node: string;
  readonly why: string;
}

/** The outcome of checking nodes: each one is a candidate or blocked. */
export interface CandidateSearch {
  readonly candidates: readonly Candidate[];
  readonly blocked: readonly BlockedNode[];
}

/** A node that Karpenter launches and waits for before it drains the candidates. */
export interface Replacement {
  readonly nodePool: string;
  /** The types that may be launched, the cheapest first; empty for a static pool, which leaves the choice to EC2. */
  readonly instanceTypes: readonly string[];
  readonly zones: readonly string[];
  readonly capacityTypes: readonly string[];
  /** The cheapest offer among these types. */
  readonly cheapest?: Offer;
  /** Absent for a static pool. */
  readonly claim?: PlannedNodeClaim;
}

/** Why a replacement can only be launched after the candidate is terminated, in Karpenter's own words. */
export type TerminateFirstReason = 'no-reserved-capacity' | 'static-at-limit';

/** One decision: candidates to terminate, and the nodes to launch first. */
export interface Command {
  readonly method: DisruptionMethod;
  readonly decision: 'delete' | 'replace' | 'terminate-first';
  readonly candidates: readonly Candidate[];
  readonly replacements: readonly Replacement[];
  /**
   * Set if the candidate is terminated before its replacement is launched: for its pending pods, or because its static
   * pool lacks a node.
   *
   * @default - replacements are launched first
   */
  readonly terminateFirst?: TerminateFirstReason;
  /** USD per hour, by the cheapest type of each replacement. */
  readonly savings: number;
  /** Names of the nodes that the simulation schedules pods to. @default - the method simulates nothing */
  readonly destinations?: () => readonly string[];
  /** The longest that draining may take, in milliseconds. @default - the terminationGracePeriod of each node */
  readonly drainBound?: number;
}

/** Why a method does not disrupt these nodes, in Karpenter's own words. */
export interface Refusal {
  readonly nodes: readonly string[];
  readonly why: string;
  /** The NodePool whose disruption budgets refuse the nodes. @default - the reason is not a budget */
  readonly limitedByBudgetsOf?: string;
}

/** Computes its reason on demand, because few reasons are read and some need a simulation. */
export class LazyRefusal implements Refusal {
  public constructor(
    public readonly nodes: readonly string[],
    private readonly explain: () => string,
  ) {}

  public get why(): string {
    return this.explain();
  }
}

/** The result of one method in one pass. */
export interface MethodOutcome {
  readonly commands: readonly Command[];
  readonly refusals: readonly Refusal[];
  /**
   * Whether Karpenter marks the cluster as consolidated, and skips the method until the cluster changes. @default false
   */
  readonly isConsolidated?: boolean;
}

export function commandOf(
  method: DisruptionMethod,
  candidates: readonly Candidate[],
  replacements: readonly Replacement[] = [],
  destinations?: Command['destinations'],
): Command {
  const replacementPrice = replacements.reduce((sum, { cheapest }) => sum + (cheapest?.usdPerHour ?? 0), 0);
  return {
    method,
    decision: replacements.length === 0 ? 'delete' : 'replace',
    candidates,
    replacements,
    ...(destinations ? { destinations } : {}),
    savings: totalPrice(candidates) - replacementPrice,
  };
}

export function totalPrice(candidates: readonly Candidate[]): number {
  return candidates.reduce((sum, { price }) => sum + price, 0);
}
