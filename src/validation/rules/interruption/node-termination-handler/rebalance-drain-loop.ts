import { actsOnKarpenterInstances, receivesAnyOf, mayRunOnAny } from './handler-reach';
import { REBALANCE } from '../../../../contract';
import { allOf } from '../../../template';
import { TerminationHandler, terminationHandlers } from '../../../termination-handler';
import { Pool, poolsOf } from '../../common/pool';
import { count, someNames } from '../../common/wording';
import { fail, notEvaluated, Outcome, pass, Rule, RuleContext } from '../../rule';
import { spotChoiceOf } from '../spot/spot-choice';

/**
 * In queue mode every recommendation that arrives causes a drain: `enableRebalanceDraining` applies to the DaemonSet
 * only.
 *
 * @see https://karpenter.sh/docs/troubleshooting/#aws-node-termination-handler-nth-interactions
 */
export const rebalanceDrainLoop: Rule = {
  id: 'KARP-508',
  name: 'rebalance-drain-loop',
  severity: 'warning',
  summary:
    "AWS Node Termination Handler drains Karpenter's spot nodes on rebalance recommendations: Karpenter may relaunch the same type and get the same recommendation.",
  check(context: RuleContext): Outcome[] {
    const spot = poolsOf(context).filter(
      ({ launch }) => launch === undefined || launch.view.capacityTypes.includes('spot'),
    );
    if (spot.length === 0) return [];
    return terminationHandlers(context.model).map((handler) => {
      const { object, settings } = handler;
      if (!settings) return notEvaluated(object, 'its settings are known only at deployment');
      const answer =
        settings.mode === 'queue'
          ? allOf([actsOnKarpenterInstances(context, settings), receivesAnyOf(context, handler, [REBALANCE])])
          : settings.drainsOnRebalance
            ? mayRunOnAny(spot, settings, 'spot')
            : 'no';
      if (answer === 'no') return pass(object);
      if (answer === 'unknown' || spot.every(({ launch }) => launch === undefined)) {
        return notEvaluated(
          object,
          "the input does not say whether it acts on rebalance recommendations for Karpenter's spot nodes",
        );
      }
      return finding(
        handler,
        spot.filter(({ launch }) => launch !== undefined),
      );
    });
  },
};

function finding({ object, settings }: TerminationHandler, spot: readonly Pool[]): Outcome {
  const choices = spot
    .map((pool) => ({ name: pool.name, types: spotChoiceOf(pool).instanceTypes.length }))
    .sort((a, b) => a.types - b.types);
  return fail({
    object,
    path: settings!.pathOf('enableRebalanceDraining'),
    message:
      'drains spot nodes on rebalance recommendations, which often come without an interruption: Karpenter then relaunches the cheapest type of NodePool ' +
      `${someNames(choices.map(({ name, types }) => `${name} (${count(types, 'instance type')} on spot)`))}, often the same one, and the cycle repeats`,
    remedy:
      settings!.mode === 'queue'
        ? 'remove the EventBridge rule that sends "EC2 Instance Rebalance Recommendation" to its queue'
        : 'write enableRebalanceDraining: false; to cordon only, write enableRebalanceMonitoring: true',
    evidence: { mode: settings!.mode, nodePools: choices },
  });
}
