import { receivesAnyOf, queueOfHandler } from './handler-reach';
import {
  AUTO_SCALING_TERMINATION,
  HANDLER_INSTANCE_ACTIONS,
  HANDLER_LIFECYCLE_ACTIONS,
  HANDLER_QUEUE_ACTIONS,
} from '../../../../contract';
import { Role } from '../../../template';
import { HandlerSettings, TerminationHandler, terminationHandlers } from '../../../termination-handler';
import { identityOfServiceAccount } from '../../common/controller-identity';
import { isActionAllowed } from '../../common/iam-permissions';
import { findUnresolved } from '../../common/unresolved';
import { joinNames } from '../../common/wording';
import { fail, notEvaluated, Outcome, pass, Rule, RuleContext } from '../../rule';

interface NeededPermission {
  readonly action: string;
  readonly resource: string;
}

/** @see https://github.com/aws/aws-node-termination-handler/blob/v1.25.1/README.md */
export const nthPermissionsOrAccount: Rule = {
  id: 'KARP-517',
  name: 'nth-permissions-or-account',
  severity: 'error',
  summary:
    "AWS Node Termination Handler in queue mode has no queue URL, calls another region than its queue's, or lacks IAM permissions.",
  check(context: RuleContext): Outcome[] {
    return terminationHandlers(context.model).flatMap((handler) => {
      if (!handler.settings) return [notEvaluated(handler.object, 'its settings are known only at deployment')];
      return handler.settings.mode === 'queue'
        ? [checkQueue(handler, handler.settings) ?? checkRole(context, handler, handler.settings)]
        : [];
    });
  },
};

function checkQueue(handler: TerminationHandler, { queueUrl, region }: HandlerSettings): Outcome | undefined {
  if (queueUrl === '')
    return finding(
      handler,
      'queueURL',
      'is in queue mode, but queueURL is not set: it crashes at start',
      'set queueURL to the URL of the queue',
      {},
    );
  const queueRegion = /^https:\/\/sqs\.([a-z0-9-]+)\.amazonaws\.com/.exec(queueUrl)?.[1];
  if (queueRegion === undefined || region === '' || findUnresolved(region) !== undefined || queueRegion === region)
    return undefined;
  return finding(
    handler,
    'awsRegion',
    `has awsRegion ${region}, but its queue is in ${queueRegion}: it receives no interruption`,
    `write awsRegion: ${queueRegion}`,
    { region, queueUrl },
  );
}

function checkRole(context: RuleContext, handler: TerminationHandler, settings: HandlerSettings): Outcome {
  const { object, namespace } = handler;
  const { model } = context;
  const { serviceAccount, roleArn } = settings;
  const { role } = identityOfServiceAccount(model, { namespace, serviceAccount, roleOfChart: roleArn });
  if (!role)
    return notEvaluated(object, `the role of service account ${namespace}/${serviceAccount} is not in the templates`);
  const answers = neededPermissions(context, handler).map(({ action, resource }) => ({
    action,
    answer: isActionAllowed(role, action, resource),
  }));
  const missing = answers.filter(({ answer }) => answer === 'no').map(({ action }) => action);
  if (missing.length > 0) return missingPermissions(handler, role, missing);
  if (answers.some(({ answer }) => answer === 'unknown'))
    return notEvaluated(object, `a policy of role ${role.resource.object.name} is not in the templates`);
  return pass(object);
}

function missingPermissions(handler: TerminationHandler, role: Role, missing: readonly string[]): Outcome {
  const impact = missing.includes('sqs:ReceiveMessage')
    ? 'it receives no interruption'
    : missing.includes('sqs:DeleteMessage')
      ? 'it handles each notice repeatedly, until the queue drops it'
      : missing.includes('ec2:DescribeInstances')
        ? 'it cannot find the node of an instance'
        : 'Auto Scaling groups wait until the lifecycle hook times out';
  const { name } = role.resource.object;
  return finding(
    handler,
    'serviceAccount',
    `uses role ${name}, which does not allow ${joinNames(missing, 'or')}: ${impact}`,
    `allow ${joinNames(missing)} in role ${name}`,
    { missing },
  );
}

function finding(
  { object, settings }: TerminationHandler,
  key: string,
  message: string,
  remedy: string,
  evidence: Readonly<Record<string, unknown>>,
): Outcome {
  return fail({ object, path: settings!.pathOf(key), message, remedy, evidence });
}

function neededPermissions(context: RuleContext, handler: TerminationHandler): NeededPermission[] {
  const queue = queueOfHandler(context.model.aws, handler)?.arn ?? '*';
  const handlesGroups = receivesAnyOf(context, handler, [AUTO_SCALING_TERMINATION]) === 'yes';
  return [
    ...HANDLER_QUEUE_ACTIONS.map((action) => ({ action, resource: queue })),
    ...HANDLER_INSTANCE_ACTIONS.map((action) => ({ action, resource: '*' })),
    ...(handlesGroups ? HANDLER_LIFECYCLE_ACTIONS.map((action) => ({ action, resource: '*' })) : []),
  ];
}
