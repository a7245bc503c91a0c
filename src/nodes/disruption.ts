import { Cron, Duration } from 'cdk8s';
import { toGoDuration, toText } from './private/lowering';

/**
 * Which nodes Karpenter may remove or replace to save cost.
 *
 * @see https://karpenter.sh/docs/concepts/disruption/#consolidation
 */
export enum ConsolidationPolicy {
  /** Only nodes on which nothing but daemonset pods runs. */
  WHEN_EMPTY = 'WhenEmpty',
  /** Also nodes whose pods fit elsewhere, or on a cheaper node. */
  WHEN_EMPTY_OR_UNDERUTILIZED = 'WhenEmptyOrUnderutilized',
  /** As the former, where the saving is worth the pods that are moved for it. */
  BALANCED = 'Balanced',
}

/**
 * Why Karpenter wants to remove a node.
 */
export enum DisruptionReason {
  /** Its pods fit elsewhere, or on a cheaper node. */
  UNDERUTILIZED = 'Underutilized',
  /** Only daemonset pods run on it. */
  EMPTY = 'Empty',
  /** It no longer is what its NodePool and node class ask for. */
  DRIFTED = 'Drifted',
  /** It failed a health check. */
  UNHEALTHY = 'Unhealthy',
}

/**
 * When and for what a disruption budget counts.
 */
export interface DisruptionBudgetOptions {
  /**
   * Reasons that the budget limits.
   *
   * @default - all reasons
   */
  readonly reasons?: DisruptionReason[];

  /**
   * When the budget begins to count, in UTC. Needs `duration`.
   *
   * @default - it always counts
   */
  readonly schedule?: Cron;

  /**
   * For how long it counts after each time of the schedule, in hours and minutes. Needs `schedule`.
   *
   * @default - it always counts
   */
  readonly duration?: Duration;
}

/**
 * How many nodes of a NodePool may be disrupted at once. Of several budgets that count, the strictest holds.
 *
 * @see https://karpenter.sh/docs/concepts/disruption/#nodepool-disruption-budgets
 */
export class DisruptionBudget {
  /**
   * At most this share of the pool's nodes, rounded up.
   *
   * @param percent whole number from 0 to 100
   * @param options reasons and time
   */
  public static percent(percent: number, options: DisruptionBudgetOptions = {}): DisruptionBudget {
    return new DisruptionBudget(`${toText('budgets.nodes', percent)}%`, options);
  }

  /**
   * At most this many nodes: 0 forbids disruption.
   *
   * @param count whole number from 0
   * @param options reasons and time
   */
  public static nodes(count: number, options: DisruptionBudgetOptions = {}): DisruptionBudget {
    return new DisruptionBudget(toText('budgets.nodes', count), options);
  }

  private constructor(private readonly limit: string, private readonly options: DisruptionBudgetOptions) {}

  /** @internal */
  public _toSpec(): Record<string, unknown> {
    const { reasons, schedule, duration } = this.options;
    return {
      nodes: this.limit,
      reasons: reasons && [...reasons],
      schedule: schedule?.expressionString,
      duration: duration && toGoDuration(duration),
    };
  }
}

/**
 * How Karpenter may remove nodes of a NodePool that it could do without.
 *
 * @see https://karpenter.sh/docs/concepts/disruption/
 */
export interface Disruption {
  /**
   * Which nodes may be removed or replaced to save cost.
   *
   * @default ConsolidationPolicy.WHEN_EMPTY_OR_UNDERUTILIZED
   */
  readonly consolidationPolicy?: ConsolidationPolicy;

  /**
   * How long no pod may have come to or gone from a node before it is considered.
   *
   * @default Duration.seconds(0)
   */
  readonly consolidateAfter?: Duration;

  /**
   * No consolidation at all: `consolidateAfter` is `Never`.
   *
   * @default false
   */
  readonly neverConsolidate?: boolean;

  /**
   * How many nodes may be disrupted at once.
   *
   * @default - one budget of 10%
   */
  readonly budgets?: DisruptionBudget[];
}
