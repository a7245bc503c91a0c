import { Cron, Duration } from 'cdk8s';
import { Consolidation } from './consolidation';
import { requireWhole } from './private/call-checks';
import { toGoDuration, toText } from './private/lowering';

/**
 * Which nodes Karpenter may remove or replace to save cost.
 *
 * @see https://karpenter.sh/docs/concepts/disruption/#consolidation
 */
export enum ConsolidationPolicy {
  /** Only empty nodes: those that run only DaemonSet pods. */
  WHEN_EMPTY = 'WhenEmpty',
  /** Also nodes whose pods fit on other nodes, or on a cheaper node. */
  WHEN_EMPTY_OR_UNDERUTILIZED = 'WhenEmptyOrUnderutilized',
  /** The same nodes as `WHEN_EMPTY_OR_UNDERUTILIZED`, but only if the saving justifies the number of disrupted pods. */
  BALANCED = 'Balanced',
}

/**
 * Why Karpenter wants to remove a node.
 */
export enum DisruptionReason {
  /** The pods of the node fit on other nodes, or on a cheaper node. */
  UNDERUTILIZED = 'Underutilized',
  /** Only DaemonSet pods run on the node. */
  EMPTY = 'Empty',
  /** The node no longer matches its NodePool or its node class. */
  DRIFTED = 'Drifted',
  /** The node has failed a health check. */
  UNHEALTHY = 'Unhealthy',
}

/**
 * When a disruption budget is active, and which disruptions it limits.
 */
export interface DisruptionBudgetOptions {
  /**
   * Reasons that the budget limits.
   *
   * @default - all reasons
   */
  readonly reasons?: DisruptionReason[];

  /**
   * When the budget becomes active, in UTC. Requires `duration`.
   *
   * @default - always active
   */
  readonly schedule?: Cron;

  /**
   * How long the budget stays active after each time of `schedule`, in whole minutes. Requires `schedule`.
   *
   * @default - always active
   */
  readonly duration?: Duration;
}

/**
 * How many nodes of a NodePool may be disrupted at once. If several budgets are active, the strictest one applies.
 *
 * @see https://karpenter.sh/docs/concepts/disruption/#nodepool-disruption-budgets
 */
export class DisruptionBudget {
  /**
   * At most this share of the pool's nodes, rounded up.
   *
   * @param percent whole number from 0 to 100
   * @param options reasons and time
   * @throws Error if a value is out of range, or only one of `schedule` and `duration` is given
   */
  public static percent(percent: number, options: DisruptionBudgetOptions = {}): DisruptionBudget {
    requireWhole('DisruptionBudget.percent', percent, 0, 100);
    return new DisruptionBudget(`${toText('budgets.nodes', percent)}%`, options);
  }

  /**
   * At most this many nodes: 0 forbids disruption.
   *
   * @param count whole number from 0
   * @param options reasons and time
   * @throws Error if a value is out of range, or only one of `schedule` and `duration` is given
   */
  public static nodes(count: number, options: DisruptionBudgetOptions = {}): DisruptionBudget {
    requireWhole('DisruptionBudget.nodes', count, 0);
    return new DisruptionBudget(toText('budgets.nodes', count), options);
  }

  private constructor(
    private readonly limit: string,
    private readonly options: DisruptionBudgetOptions,
  ) {
    const { schedule, duration } = options;
    if ((schedule === undefined) === (duration === undefined)) return;
    const [missing, given] = schedule === undefined ? ['schedule', 'duration'] : ['duration', 'schedule'];
    throw new Error(
      `DisruptionBudget.${missing}: must be set together with ${given}, got nothing; write both, or none for a budget that is always active`,
    );
  }

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
 * How Karpenter may disrupt the nodes of a NodePool: consolidation and budgets.
 *
 * @see https://karpenter.sh/docs/concepts/disruption/
 */
export interface NodePoolDisruption {
  /**
   * Which nodes may be removed or replaced to save cost.
   *
   * @default ConsolidationPolicy.WHEN_EMPTY_OR_UNDERUTILIZED
   */
  readonly consolidationPolicy?: ConsolidationPolicy;

  /**
   * How long a node must have had no pod added or removed before Karpenter considers it for consolidation, or that it
   * is never consolidated.
   *
   * @default Consolidation.after(Duration.seconds(0))
   */
  readonly consolidateAfter?: Consolidation;

  /**
   * How many nodes may be disrupted at once.
   *
   * @default - one budget of 10%
   */
  readonly budgets?: DisruptionBudget[];
}
