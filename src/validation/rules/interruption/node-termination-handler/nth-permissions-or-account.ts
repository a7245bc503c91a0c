import { receivesAnyOf, queueOfHandler } from './handler-reach';
import {
  AUTO_SCALING_TERMINATION,
  FieldFix,
  HANDLER_INSTANCE_ACTIONS,
  HANDLER_LIFECYCLE_ACTIONS,
  HANDLER_QUEUE_ACTIONS,
} from '../../../../contract';
import { listText } from '../../../../model';
import { findUnresolved } from '../../../manifest/find-unresolved';
import { Role, isActionAllowed } from '../../../template';
import { HandlerSettings, TerminationHandler } from '../../../termination-handler';
import { identityOfServiceAccount } from '../../common/controller-identity';
import { defineRule, Judgement, SubjectFinding, unknown } from '../../define-rule';
import { RuleContext } from '../../rule';
import { queueHandlers } from '../../subjects';

interface NeededPermission {
  readonly action: string;
  readonly resource: string;
}

/** @see https://github.com/aws/aws-node-termination-handler/blob/v1.25.1/README.md */
export const nthPermissionsOrAccount = defineRule({
  id: 'KARP-517',
  name: 'nth-permissions-or-account',
  severity: 'error',
  summary:
    "AWS Node Termination Handler in queue mode has no queue URL, calls another region than its queue's, or lacks IAM permissions.",
  subjects: queueHandlers(),
  judge(handler, context) {
    return judgeQueue(handler, handler.settings) ?? judgeRole(context, handler, handler.settings);
  },
});

function judgeQueue(handler: TerminationHandler, { queueUrl, region }: HandlerSettings): SubjectFinding | undefined {
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
    handler.settings?.fixOf?.('awsRegion', queueRegion),
  );
}

function judgeRole(context: RuleContext, handler: TerminationHandler, settings: HandlerSettings): Judgement {
  const { namespace } = handler;
  const { model } = context;
  const { serviceAccount, roleArn } = settings;
  const { role } = identityOfServiceAccount(model, { namespace, serviceAccount, roleOfChart: roleArn });
  if (!role) return unknown(`the role of service account ${namespace}/${serviceAccount} is not in the templates`);
  const answers = neededPermissions(context, handler).map(({ action, resource }) => ({
    action,
    answer: isActionAllowed(role, action, resource),
  }));
  const missing = answers.filter(({ answer }) => answer === 'no').map(({ action }) => action);
  if (missing.length > 0) return missingPermissions(handler, role, missing);
  if (answers.some(({ answer }) => answer === 'unknown'))
    return unknown(`a policy of role ${role.resource.object.name} is not in the templates`);
  return undefined;
}

function missingPermissions(handler: TerminationHandler, role: Role, missing: readonly string[]): Judgement {
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
    `uses role ${name}, which does not allow ${listText(missing, 'or')}: ${impact}`,
    `allow ${listText(missing)} in role ${name}`,
    { missing },
  );
}

function finding(
  { settings }: TerminationHandler,
  key: string,
  message: string,
  remedy: string,
  evidence: Readonly<Record<string, unknown>>,
  fix?: FieldFix,
): SubjectFinding {
  return { path: settings!.pathOf(key), message, remedy, evidence, fix };
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
