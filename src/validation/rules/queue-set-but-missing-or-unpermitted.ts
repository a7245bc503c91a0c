import { Controller, findControllers } from '../controller';
import { findQueue, listenedQueues, queueSetting } from './private/interruption-queue';
import { readsFrom } from './private/node-termination-handler';
import { fail, notEvaluated, pass } from './private/outcome';
import { mayDo } from './private/permissions';
import { identityOf } from './private/service-account';
import { findUnresolved } from './private/unresolved';
import { joinNames, someNames } from './private/wording';
import { Outcome, Rule, RuleContext } from './rule';
import { Queue } from '../template';
import { terminationHandlers } from '../termination-handler';

const NEEDED = ['sqs:GetQueueUrl', 'sqs:ReceiveMessage', 'sqs:DeleteMessage'];

/** A URL, or an ARN. */
const ADDRESS = /^(https:|arn:)/;

/** @see https://karpenter.sh/docs/reference/settings/ */
export class QueueSetButMissingOrUnpermitted implements Rule {
  public readonly id = 'KARP-502';
  public readonly name = 'queue-set-but-missing-or-unpermitted';
  public readonly severity = 'error';
  public readonly summary = 'Karpenter is told of a queue that is not there or that it may not read, and ends at its start; or there is one, and it is not told.';

  public check(context: RuleContext): Outcome[] {
    return context.controllers.filter(({ complete }) => complete).flatMap((controller) => {
      const setting = queueSetting(controller);
      if (!context.model.aws.given) return setting === undefined || !ADDRESS.test(setting) ? [] : [this.addressed(controller, setting)];
      return setting === undefined ? this.checkUnset(context, controller) : [this.checkSet(context, controller, setting)];
    });
  }

  private checkUnset({ model, options }: RuleContext, controller: Controller): Outcome[] {
    const { aws } = model;
    // Also those of other clusters: a queue knows no cluster.
    const listened = listenedQueues(findControllers({ ...model, aws: { ...aws, helmReleases: aws.allHelmReleases } }, options), aws);
    const handlers = terminationHandlers(model, aws.allHelmReleases);
    const filled = aws.queues
      .filter(({ arn }) => aws.eventRules.some(({ pattern, targets }) => isSpotRule(pattern) && targets.includes(arn)))
      .filter((queue) => !listened.includes(queue) && !handlers.some((handler) => readsFrom(handler, queue)));
    return filled.slice(0, 1).map((queue) => this.finding(controller,
      `settings.interruptionQueue is not set, though queue ${queue.resource.object.name} gets the interruptions: nobody reads them`,
      `set settings.interruptionQueue to the name of queue ${queue.resource.object.name}`, { queue: queue.name }));
  }

  private checkSet(context: RuleContext, controller: Controller, setting: string): Outcome {
    const { aws } = context.model;
    const { answer, queue } = findQueue(aws, setting);
    if (queue) return this.checkPermissions(context, controller, queue);
    const byOther = aws.queues.find(({ url, arn }) => url === setting || arn === setting);
    if (byOther) {
      return this.finding(controller, `settings.interruptionQueue is the ${byOther.url === setting ? 'URL' : 'ARN'} of queue ${byOther.resource.object.name}: `
        + 'Karpenter looks for a queue of that name, finds none, and ends', 'give it the name of the queue: queue.queueName', { queue: setting });
    }
    if (ADDRESS.test(setting)) return this.addressed(controller, setting);
    if (answer === 'unknown' || findUnresolved(setting) !== undefined) return notEvaluated(controller.object, `which queue ${setting} names is known only at deployment`);
    if (aws.queues.length === 0 || aws.opaque.length > 0) return notEvaluated(controller.object, `queue ${setting} is not in the templates, and may be elsewhere`);
    const names = aws.queues.map(({ name }) => name);
    return this.finding(controller, `settings.interruptionQueue is ${setting}, and the templates have no queue of that name (they have ${someNames(names)}): `
      + 'without it Karpenter ends at its start, and nothing scales', 'set it from the queue itself: queue.queueName', { queue: setting, known: names });
  }

  private addressed(controller: Controller, setting: string): Outcome {
    return this.finding(controller, `settings.interruptionQueue must be the name of a queue, got ${setting}: Karpenter looks for a queue of that name, finds none, and ends`,
      `write ${setting.split(/[/:]/).pop()}`, { queue: setting });
  }

  private checkPermissions(context: RuleContext, controller: Controller, queue: Queue): Outcome {
    const role = identityOf(context, controller)?.role;
    if (!role) return notEvaluated(controller.object, 'the role of its service account is not in the templates');
    const answers = NEEDED.map((action) => ({ action, answer: mayDo(role, action, queue.arn) }));
    const missing = answers.filter(({ answer }) => answer === 'no').map(({ action }) => action);
    if (missing.length > 0) {
      return this.finding(controller, `may not read its queue ${queue.resource.object.name}: role ${role.resource.object.name} allows no ${joinNames(missing, 'or')} on it, `
        + 'and without them Karpenter ends at its start', `allow ${joinNames(missing)} on the queue's ARN`, { missing });
    }
    if (answers.some(({ answer }) => answer === 'unknown')) return notEvaluated(controller.object, `a policy of role ${role.resource.object.name} is not in the templates`);
    return pass(controller.object);
  }

  private finding({ object, pathOf }: Controller, message: string, remedy: string, evidence: Readonly<Record<string, unknown>>): Outcome {
    return fail({ object, path: pathOf('settings', 'interruptionQueue'), message, remedy, evidence });
  }
}

function isSpotRule(pattern: Readonly<Record<string, unknown>> = {}): boolean {
  return [pattern['detail-type']].flat().includes('EC2 Spot Instance Interruption Warning');
}
