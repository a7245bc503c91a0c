import { valueAt } from '../controller';
import { handlesSpotNodes } from './private/node-termination-handler';
import { fail, notEvaluated, pass } from './private/outcome';
import { findUnresolved } from './private/unresolved';
import { count, someNames } from './private/wording';
import { Outcome, Rule, RuleContext } from './rule';

/** @see https://karpenter.sh/docs/concepts/disruption/#interruption */
export class SpotWithoutInterruptionQueue implements Rule {
  public readonly id = 'KARP-501';
  public readonly name = 'spot-without-interruption-queue';
  public readonly severity = 'error';
  public readonly summary = 'NodePools may launch spot and Karpenter listens to no queue: it never hears of an interruption, nor does AWS Node Termination Handler, and pods are killed without notice.';

  public check(context: RuleContext): Outcome[] {
    const { plan, controllers } = context;
    const spot = plan.pools.filter(({ capacityTypes }) => capacityTypes.includes('spot')).map(({ name }) => name).sort();
    if (spot.length === 0) return [];
    return controllers.map((controller) => {
      const queue = valueAt(controller.values, 'settings', 'interruptionQueue');
      if (controller.fromChart && !controller.complete) return notEvaluated(controller.object, 'its values are known only at deployment');
      if (!controller.fromChart && findUnresolved(queue) !== undefined) return notEvaluated(controller.object, 'the name of its queue is known only in the cluster');
      if (typeof queue === 'string' && queue !== '') return pass(controller.object);
      const handled = handlesSpotNodes(context);
      if (handled === 'yes') return pass(controller.object);
      if (handled === 'unknown') return notEvaluated(controller.object, 'AWS Node Termination Handler may drain them, by values that decide it only in the cluster');
      return fail({
        object: controller.object,
        path: controller.pathOf('settings', 'interruptionQueue'),
        message: `settings.interruptionQueue is not set, and ${count(spot.length, 'NodePool')} may launch spot (${someNames(spot)}): `
          + 'nobody reads the two-minute notice, and pods are killed instead of drained',
        remedy: 'make a queue with the rules that fill it, and give its name to settings.interruptionQueue',
        evidence: { nodePools: spot },
      });
    });
  }
}
