import { AUTO_SCALING_TERMINATION, HANDLER_INSTANCE_ACTIONS, HANDLER_LIFECYCLE_ACTIONS, HANDLER_QUEUE_ACTIONS } from '../../contract';
import { HandlerSettings, TerminationHandler, terminationHandlers } from '../termination-handler';
import { hearsOf, queueOf } from './private/node-termination-handler';
import { fail, notEvaluated, pass } from './private/outcome';
import { mayDo } from './private/permissions';
import { roleBearer } from './private/service-account';
import { findUnresolved } from './private/unresolved';
import { joinNames } from './private/wording';
import { Outcome, Rule, RuleContext } from './rule';
import { Role } from '../template';

interface Need {
  readonly action: string;
  readonly resource: string;
}

/** @see https://github.com/aws/aws-node-termination-handler/blob/v1.25.1/README.md */
export class NthPermissionsOrAccount implements Rule {
  public readonly id = 'KARP-517';
  public readonly name = 'nth-permissions-or-account';
  public readonly severity = 'error';
  public readonly summary = 'AWS Node Termination Handler has no queue to read, or reads it from another region, or its role does not let it do its work.';

  public check(context: RuleContext): Outcome[] {
    return terminationHandlers(context.model).flatMap((handler) => {
      if (!handler.settings) return [notEvaluated(handler.object, 'its settings are known only at deployment')];
      return handler.settings.mode === 'queue' ? [this.checkQueue(handler, handler.settings) ?? this.checkRole(context, handler, handler.settings)] : [];
    });
  }

  private checkQueue(handler: TerminationHandler, { queueUrl, region }: HandlerSettings): Outcome | undefined {
    if (queueUrl === '') return this.finding(handler, 'queueURL', 'is to read a queue, and queueURL is not set: it ends at its start, or after its first attempts', 'set queueURL to the URL of the queue', {});
    const ofQueue = /^https:\/\/sqs\.([a-z0-9-]+)\.amazonaws\.com/.exec(queueUrl)?.[1];
    if (ofQueue === undefined || region === '' || findUnresolved(region) !== undefined || ofQueue === region) return undefined;
    return this.finding(handler, 'awsRegion', `calls AWS in ${region}, and its queue is in ${ofQueue}: it never hears of an interruption`, `write awsRegion: ${ofQueue}`, { region, queueUrl });
  }

  private checkRole(context: RuleContext, handler: TerminationHandler, settings: HandlerSettings): Outcome {
    const { object, namespace } = handler;
    const { model } = context;
    const { serviceAccount, roleArn } = settings;
    const { role } = roleBearer(model, { namespace, serviceAccount, roleOfChart: roleArn });
    if (!role) return notEvaluated(object, `the role of its service account ${namespace}/${serviceAccount} is not in the templates`);
    const answers = needsOf(context, handler).map((need) => ({ ...need, answer: mayDo(role, need.action, need.resource) }));
    const missing = answers.filter(({ answer }) => answer === 'no').map(({ action }) => action);
    if (missing.length > 0) return this.missing(handler, role, missing);
    if (answers.some(({ answer }) => answer === 'unknown')) return notEvaluated(object, `a policy of role ${role.resource.object.name} is not in the templates`);
    return pass(object);
  }

  private missing(handler: TerminationHandler, role: Role, missing: readonly string[]): Outcome {
    const harm = missing.includes('sqs:ReceiveMessage') ? 'it never hears of an interruption'
      : missing.includes('sqs:DeleteMessage') ? 'it works on each notice again and again, until the queue forgets it'
        : missing.includes('ec2:DescribeInstances') ? 'it cannot tell which node is meant' : 'an Auto Scaling group waits for its lifecycle hook to run out';
    const { name } = role.resource.object;
    return this.finding(handler, 'serviceAccount', `role ${name} of its service account allows no ${joinNames(missing, 'or')}: ${harm}`, `allow ${joinNames(missing)} in role ${name}`, { missing });
  }

  private finding(
    { object, settings }: TerminationHandler, key: string, message: string, remedy: string, evidence: Readonly<Record<string, unknown>>,
  ): Outcome {
    return fail({ object, path: settings!.pathOf(key), message, remedy, evidence });
  }
}

function needsOf(context: RuleContext, handler: TerminationHandler): Need[] {
  const queue = queueOf(context.model.aws, handler)?.arn ?? '*';
  const ofGroups = hearsOf(context, handler, [AUTO_SCALING_TERMINATION]) === 'yes';
  return [
    ...HANDLER_QUEUE_ACTIONS.map((action) => ({ action, resource: queue })),
    ...HANDLER_INSTANCE_ACTIONS.map((action) => ({ action, resource: '*' })),
    ...ofGroups ? HANDLER_LIFECYCLE_ACTIONS.map((action) => ({ action, resource: '*' })) : [],
  ];
}
