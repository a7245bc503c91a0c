import { actsOnKarpenterInstances, receivesAnyOf, mayRunOnAny } from './handler-reach';
import { REBALANCE } from '../../../../contract';
import { countText, shortListText } from '../../../../model';
import { allOf } from '../../../template';
import { TerminationHandler } from '../../../termination-handler';
import { Pool, poolsOf } from '../../common/pool';
import { defineRule, unknown, SubjectFinding } from '../../define-rule';
import { RuleContext } from '../../rule';
import { handlers } from '../../subjects';
import { spotChoiceOf } from '../spot/spot-choice';

/**
 * In queue mode every recommendation that arrives causes a drain: `enableRebalanceDraining` applies to the DaemonSet
 * only.
 *
 * @see https://karpenter.sh/docs/troubleshooting/#aws-node-termination-handler-nth-interactions
 */
export const rebalanceDrainLoop = defineRule({
  id: 'KARP-508',
  name: 'rebalance-drain-loop',
  severity: 'warning',
  summary:
    "AWS Node Termination Handler drains Karpenter's spot nodes on rebalance recommendations: Karpenter may relaunch the same type and get the same recommendation.",
  subjects: handlers({ where: (_, context) => possibleSpotPools(context).length > 0 }),
  judge(handler, context) {
    const { settings } = handler;
    const spot = possibleSpotPools(context);
    const answer =
      settings.mode === 'queue'
        ? allOf([actsOnKarpenterInstances(context, settings), receivesAnyOf(context, handler, [REBALANCE])])
        : settings.drainsOnRebalance
          ? mayRunOnAny(spot, settings, 'spot')
          : 'no';
    if (answer === 'no') return undefined;
    if (answer === 'unknown' || spot.every(({ launch }) => launch === undefined)) {
      return unknown("the input does not say whether it acts on rebalance recommendations for Karpenter's spot nodes");
    }
    return finding(
      handler,
      spot.filter(({ launch }) => launch !== undefined),
    );
  },
});

/** NodePools that launch spot, or may do so. */
function possibleSpotPools(context: RuleContext): Pool[] {
  return poolsOf(context).filter(({ launch }) => launch === undefined || launch.view.capacityTypes.includes('spot'));
}

function finding({ settings }: TerminationHandler, spot: readonly Pool[]): SubjectFinding {
  const choices = spot
    .map((pool) => ({ name: pool.name, types: spotChoiceOf(pool).instanceTypes.length }))
    .sort((a, b) => a.types - b.types);
  return {
    path: settings!.pathOf('enableRebalanceDraining'),
    message:
      'drains spot nodes on rebalance recommendations, which often come without an interruption: Karpenter then relaunches the cheapest type of NodePool ' +
      `${shortListText(choices.map(({ name, types }) => `${name} (${countText(types, 'instance type')} on spot)`))}, often the same one, and the cycle repeats`,
    remedy:
      settings!.mode === 'queue'
        ? 'remove the EventBridge rule that sends "EC2 Instance Rebalance Recommendation" to its queue'
        : 'write enableRebalanceDraining: false; to cordon only, write enableRebalanceMonitoring: true',
    evidence: { mode: settings!.mode, nodePools: choices },
    fix: settings!.mode === 'queue' ? undefined : settings!.fixOf?.('enableRebalanceDraining', 'false'),
  };
}
