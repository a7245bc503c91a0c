import { REBALANCE } from '../../contract';
import { allOf } from '../template';
import { TerminationHandler, terminationHandlers } from '../termination-handler';
import { handlesByTag, hearsOf, mayRunOnAny } from './private/node-termination-handler';
import { fail, notEvaluated, pass } from './private/outcome';
import { Pool, poolsOf } from './private/pool';
import { spotChoiceOf } from './private/spot-choice';
import { count, someNames } from './private/wording';
import { Outcome, Rule, RuleContext } from './rule';

/**
 * With a queue, every recommendation that comes is a drain: `enableRebalanceDraining` is for the DaemonSet alone.
 *
 * @see https://karpenter.sh/docs/troubleshooting/#aws-node-termination-handler-nth-interactions
 */
export class RebalanceDrainLoop implements Rule {
  public readonly id = 'KARP-508';
  public readonly name = 'rebalance-drain-loop';
  public readonly severity = 'warning';
  public readonly summary = 'AWS Node Termination Handler drains spot nodes of Karpenter when EC2 recommends to: Karpenter launches the same type again, and gets the same recommendation.';

  public check(context: RuleContext): Outcome[] {
    const spot = poolsOf(context).filter(({ launch }) => launch === undefined || launch.view.capacityTypes.includes('spot'));
    if (spot.length === 0) return [];
    return terminationHandlers(context.model).map((handler) => {
      const { object, settings } = handler;
      if (!settings) return notEvaluated(object, 'its settings are known only at deployment');
      const answer = settings.mode === 'queue'
        ? allOf([handlesByTag(context, settings), hearsOf(context, handler, [REBALANCE])])
        : settings.drainsOnRebalance ? mayRunOnAny(spot, settings, 'spot') : 'no';
      if (answer === 'no') return pass(object);
      if (answer === 'unknown' || spot.every(({ launch }) => launch === undefined)) {
        return notEvaluated(object, 'whether it acts on recommendations for spot nodes of Karpenter is not in the input');
      }
      return this.finding(handler, spot.filter(({ launch }) => launch !== undefined));
    });
  }

  private finding({ object, settings }: TerminationHandler, spot: readonly Pool[]): Outcome {
    const choices = spot.map((pool) => ({ name: pool.name, types: spotChoiceOf(pool).instanceTypes.length })).sort((a, b) => a.types - b.types);
    const byQueue = settings!.mode === 'queue';
    return fail({
      object,
      path: settings!.pathOf('enableRebalanceDraining'),
      message: 'drains a spot node when EC2 recommends to replace it, long before an interruption or without one: Karpenter launches the cheapest of NodePool '
        + `${someNames(choices.map(({ name, types }) => `${name} (${count(types, 'instance type')} on spot)`))} again, which is often the same, and is recommended to be replaced again`,
      remedy: byQueue
        ? 'remove the rule that brings "EC2 Instance Rebalance Recommendation" to its queue'
        : 'write enableRebalanceDraining: false; enableRebalanceMonitoring: true only cordons',
      evidence: { mode: settings!.mode, nodePools: choices },
    });
  }
}
