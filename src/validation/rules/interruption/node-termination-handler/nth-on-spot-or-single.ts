import { mayRunOn } from './handler-reach';
import { countText, shortListText } from '../../../../model';
import { TerminationHandler } from '../../../termination-handler';
import { poolsOf } from '../../common/pool';
import { defineRule, unknown, SubjectFinding } from '../../define-rule';
import { queueHandlers } from '../../subjects';

const NOT_ON_SPOT =
  'exclude spot nodes in its affinity: karpenter.sh/nodepool DoesNotExist, or karpenter.sh/capacity-type NotIn [spot]';

/** @see https://github.com/aws/aws-node-termination-handler */
export const nthOnSpotOrSingle = defineRule({
  id: 'KARP-509',
  name: 'nth-on-spot-or-single',
  severity: 'error',
  summary: 'AWS Node Termination Handler in queue mode may run on a spot node itself, or has a single pod.',
  subjects: queueHandlers(),
  judge(handler, context) {
    const { placement, replicas } = handler.settings;
    const answers = poolsOf(context).map((pool) => ({ pool, answer: mayRunOn(pool, placement, 'spot') }));
    const spot = answers
      .filter(({ answer, pool: { launch } }) => answer === 'yes' && launch?.view.capacityTypes.includes('spot'))
      .map(({ pool: { name } }) => name);
    if (spot.length > 0) {
      return finding(
        handler,
        'affinity',
        `may run on spot nodes of NodePool ${shortListText(spot)}: a spot interruption can remove the handler before it drains anything`,
        NOT_ON_SPOT,
        { nodePools: spot },
      );
    }
    if (replicas !== undefined && replicas < 2) {
      return finding(
        handler,
        'replicas',
        `has ${countText(replicas, 'pod')}: while that pod moves or its node is lost, nothing reads the two-minute notice`,
        'write replicas: 2 and podDisruptionBudget: { maxUnavailable: 1 }',
        { replicas },
        'warning',
      );
    }
    const undecided = answers.find(
      ({ answer, pool: { launch } }) => answer === 'unknown' || (answer === 'yes' && launch === undefined),
    );
    if (undecided)
      return unknown(`the input does not say whether it may run on spot nodes of NodePool ${undecided.pool.name}`);
    return replicas === undefined ? unknown('its replica count is known only at deployment') : undefined;
  },
});

function finding(
  { settings }: TerminationHandler,
  key: string,
  message: string,
  remedy: string,
  evidence: Readonly<Record<string, unknown>>,
  severity?: 'warning',
): SubjectFinding {
  return { path: settings!.pathOf(key), message, remedy, evidence, severity };
}
