import { Offer, PlannedNodeClaim } from '../scheduling';
import { Candidate } from './candidates';
import { DisruptionReason } from './cluster';

export type DisruptionMethod = 'Repair' | 'Emptiness' | 'StaticDrift' | 'Drift' | 'MultiNodeConsolidation' | 'SingleNodeConsolidation';

/** What budgets know each method by. */
export const REASON_OF: Readonly<Record<DisruptionMethod, DisruptionReason>> = {
  Repair: 'Unhealthy',
  Emptiness: 'Empty',
  StaticDrift: 'Drifted',
  Drift: 'Drifted',
  MultiNodeConsolidation: 'Underutilized',
  SingleNodeConsolidation: 'Underutilized',
};

/** A node that Karpenter launches, and waits for, before those that it stands for go. */
export interface Replacement {
  readonly nodePool: string;
  /** What may be launched, the cheapest first; empty for a static pool, which leaves the choice to EC2. */
  readonly instanceTypes: readonly string[];
  readonly zones: readonly string[];
  readonly capacityTypes: readonly string[];
  /** The least that it can cost. */
  readonly cheapest?: Offer;
  /** Absent for a static pool. */
  readonly claim?: PlannedNodeClaim;
}

/** Why there can be no node in the place of another before that has gone, in Karpenter's own words. */
export type TerminateFirstReason = 'no-reserved-capacity' | 'static-at-limit';

/** What Karpenter decides to do at one time. */
export interface Command {
  readonly method: DisruptionMethod;
  readonly decision: 'delete' | 'replace' | 'terminate-first';
  readonly candidates: readonly Candidate[];
  readonly replacements: readonly Replacement[];
  /** Of a node that goes first: what comes in its place is launched when its pods wait, or its static pool lacks it. @default - it does not */
  readonly terminateFirst?: TerminateFirstReason;
  /** USD per hour, by the cheapest type of each replacement. */
  readonly savings: number;
  /** Names of the nodes that pods come to. @default - nobody has looked for places for them */
  readonly destinations?: () => readonly string[];
  /** Milliseconds that pods may be kept, once the nodes drain. @default - the terminationGracePeriod of each node */
  readonly drainBound?: number;
}

/** Why a method leaves a node, or several of them, in Karpenter's own words. */
export interface Refusal {
  readonly nodes: readonly string[];
  /** Worked out when it is asked for, where few will. */
  readonly why: string;
  /** The NodePool whose disruption budgets keep them. @default - something else does */
  readonly heldIn?: string;
}

/** One of which nobody may ask why. */
export class LazyRefusal implements Refusal {
  public constructor(public readonly nodes: readonly string[], private readonly tell: () => string) {}

  public get why(): string {
    return this.tell();
  }
}

/** What a method comes to. */
export interface Outcome {
  readonly commands: readonly Command[];
  readonly refusals: readonly Refusal[];
  /** Whether Karpenter takes the cluster for consolidated, and does not look again as long as it stays as it is. @default false */
  readonly isConsolidated?: boolean;
}

export function commandOf(
  method: DisruptionMethod, candidates: readonly Candidate[], replacements: readonly Replacement[] = [], destinations?: Command['destinations'],
): Command {
  const spent = replacements.reduce((sum, { cheapest }) => sum + (cheapest?.usdPerHour ?? 0), 0);
  return {
    method,
    decision: replacements.length === 0 ? 'delete' : 'replace',
    candidates,
    replacements,
    ...(destinations ? { destinations } : {}),
    savings: totalPrice(candidates) - spent,
  };
}

export function totalPrice(candidates: readonly Candidate[]): number {
  return candidates.reduce((sum, { price }) => sum + price, 0);
}
