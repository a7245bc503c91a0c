import { TerminationHandler, terminationHandlers } from '../termination-handler';
import { mayRunOn } from './private/node-placement';
import { fail, notEvaluated, pass } from './private/outcome';
import { Pool, poolsOf } from './private/pool';
import { count, someNames } from './private/wording';
import { Outcome, Rule, RuleContext } from './rule';

const NOT_ON_SPOT = 'require nodes that last in its affinity: karpenter.sh/nodepool DoesNotExist, or karpenter.sh/capacity-type NotIn [spot]';

/** @see https://github.com/aws/aws-node-termination-handler */
export class NthOnSpotOrSingle implements Rule {
  public readonly id = 'KARP-509';
  public readonly name = 'nth-on-spot-or-single';
  public readonly severity = 'error';
  public readonly summary = 'AWS Node Termination Handler, which reads a queue for all nodes, may run on a spot node itself, or has a single pod.';

  public check(context: RuleContext): Outcome[] {
    const pools = poolsOf(context);
    return terminationHandlers(context.model).flatMap((handler) => {
      if (!handler.settings) return [notEvaluated(handler.object, 'its settings are known only at deployment')];
      return handler.settings.mode === 'queue' ? [this.checkHandler(handler, pools)] : [];
    });
  }

  private checkHandler(handler: TerminationHandler, pools: readonly Pool[]): Outcome {
    const { object, settings } = handler;
    const { placement, replicas } = settings!;
    const answers = pools.map((pool) => ({ pool, answer: mayRunOn(pool, placement, 'spot') }));
    const spot = answers.filter(({ answer, pool: { launch } }) => answer === 'yes' && launch?.view.capacityTypes.includes('spot')).map(({ pool: { name } }) => name);
    if (spot.length > 0) {
      return this.finding(handler, 'affinity', `may run on spot nodes of NodePool ${someNames(spot)}: the interruption that it is there for can take it away first`, NOT_ON_SPOT, { nodePools: spot });
    }
    if (replicas !== undefined && replicas < 2) {
      return this.finding(handler, 'replicas', `has ${count(replicas, 'pod')}: while it moves, or its node is lost, nobody reads the two-minute notice`,
        'write replicas: 2 and podDisruptionBudget: { maxUnavailable: 1 }', { replicas }, 'warning');
    }
    const open = answers.find(({ answer, pool: { launch } }) => answer === 'unknown' || (answer === 'yes' && launch === undefined));
    if (open) return notEvaluated(object, `whether it may run on spot nodes of NodePool ${open.pool.name} is not in the input`);
    return replicas === undefined ? notEvaluated(object, 'its number of replicas is known only at deployment') : pass(object);
  }

  private finding(
    { object, settings }: TerminationHandler, key: string, message: string, remedy: string, evidence: Readonly<Record<string, unknown>>, severity?: 'warning',
  ): Outcome {
    return fail({ object, path: settings!.pathOf(key), message, remedy, evidence, severity });
  }
}
