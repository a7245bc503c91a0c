import { findQueue, isSpotRule, listenedQueues, queueSetting, soleQueueOfEvents } from './interruption-queue';
import { missingQueueOfModule } from './queue-of-module';
import { podRolesThatRead } from './queue-readers';
import { compareKarpenterVersions, FieldFix } from '../../../../contract';
import { listText, shortListText } from '../../../../model';
import { Controller, findControllers, releaseOf } from '../../../controller';
import { findUnresolved } from '../../../manifest/find-unresolved';
import { hasToken, Queue, isActionAllowed } from '../../../template';
import { terminationHandlers } from '../../../termination-handler';
import { identityOfController } from '../../common/controller-identity';
import { chartValueFix } from '../../common/edits/chart-value-fix';
import { defineRule, Judgement, NOT_APPLICABLE, SubjectFinding, unknown } from '../../define-rule';
import { RuleContext } from '../../rule';
import { controllers } from '../../subjects';
import { readsFrom } from '../node-termination-handler/handler-reach';

const NEEDED_ACTIONS = ['sqs:GetQueueUrl', 'sqs:ReceiveMessage', 'sqs:DeleteMessage'];

/** A queue's URL or ARN. */
const URL_OR_ARN = /^(https:|arn:)/;
/** A reference of Terraform to a queue's URL or ARN, by a resource or by an output. The id of a queue is its URL. */
const REFERENCE =
  /^\$\{\s*((?:data\.)?aws_sqs_queue\.[\w-]+(?:\[[^\]]*\])?\.)(url|id|arn)\s*\}$|^\$\{\s*(module\.[\w-]+(?:\[[^\]]*\])?\.(?:\w+_)?queue_)(url|arn)\s*\}$/;
/** The first release that goes on without the queue: `lo.Must` around GetQueueUrl ended the process before. */
const RUNS_WITHOUT_QUEUE_SINCE = '1.4.0';

/** @see https://karpenter.sh/docs/reference/settings/ */
export const queueSetButMissingOrUnpermitted = defineRule({
  id: 'KARP-502',
  name: 'queue-set-but-missing-or-unpermitted',
  readsTerraform: true,
  severity: 'error',
  summary:
    'The interruption queue setting names a queue that is missing or that Karpenter may not read, or it is empty although a queue exists.',
  subjects: controllers(),
  judge(controller, context): Judgement {
    const setting = queueSetting(controller);
    const missing = setting === undefined ? undefined : missingQueueOfModule(context, setting);
    if (missing) return missing;
    const written = setting === undefined ? undefined : urlOrArn(context, controller, setting);
    if (!controller.complete || !context.model.aws.hasTemplates) return written ?? NOT_APPLICABLE;
    return setting === undefined ? judgeUnset(context, controller) : judgeSet(context, controller, setting);
  },
});

function judgeUnset(context: RuleContext, controller: Controller): Judgement {
  const { model, options } = context;
  const { aws } = model;
  // Karpenter of another input may read a queue of Terraform.
  if (aws === model.writtenAws) return NOT_APPLICABLE;
  // A queue belongs to no cluster, so the controllers and handlers of all clusters count as readers.
  const queuesOfControllers = listenedQueues(
    findControllers({ ...model, aws: { ...aws, helmReleases: aws.allHelmReleases } }, options),
    aws,
  );
  const handlers = terminationHandlers(model, aws.allHelmReleases);
  const unread = aws.queues
    .filter(({ arn }) => aws.eventRules.some(({ pattern, targets }) => isSpotRule(pattern) && targets.includes(arn)))
    .filter((queue) => !queuesOfControllers.includes(queue) && !handlers.some((handler) => readsFrom(handler, queue)));
  const ownRole = identityOfController(context, controller)?.role;
  // Another role that pods read the queue with belongs to a program outside the templates: with GitOps, to the
  // Karpenter of another cluster.
  const candidates = unread.map((queue) => ({
    queue,
    readers: podRolesThatRead(queue, aws.roles).filter((role) => role !== ownRole),
  }));
  const [found] = candidates.filter(({ readers }) => readers.length === 0);
  if (found) return unset(controller, found.queue);
  if (ownRole || candidates.length === 0) return NOT_APPLICABLE;
  const [
    {
      queue,
      readers: [reader],
    },
  ] = candidates;
  return unknown(
    `whether role ${reader.resource.object.name}, which may read queue ${queue.resource.object.name}, is the role of this controller is not in the templates`,
  );
}

function unset(controller: Controller, { name, resource: { object } }: Queue): SubjectFinding {
  return finding(
    controller,
    `settings.interruptionQueue is not set, but queue ${object.name} receives the interruption events: nothing reads them`,
    `set settings.interruptionQueue to the name of queue ${object.name}`,
    { queue: name },
  );
}

function judgeSet(context: RuleContext, controller: Controller, setting: string): Judgement {
  const { aws } = context.model;
  const { exists, queue } = findQueue(aws, setting);
  if (queue) return judgePermissions(context, controller, queue);
  const misnamed = aws.queues.find(({ url, arn }) => url === setting || arn === setting);
  if (misnamed) {
    return finding(
      controller,
      `settings.interruptionQueue is the ${misnamed.url === setting ? 'URL' : 'ARN'} of queue ${misnamed.resource.object.name}, not its name: ` +
        noQueueOf(context, controller),
      misnamed.resource.tool === 'Terraform'
        ? `write its name: ${misnamed.resource.object.name}.name`
        : 'set it to the name of the queue: queue.queueName',
      { queue: setting },
    );
  }
  const written = urlOrArn(context, controller, setting);
  if (written) return written;
  if (exists === 'unknown' || findUnresolved(setting) !== undefined)
    return unknown(`which queue ${setting} names is known only at deployment`);
  const meant = soleQueueOfEvents(aws);
  if (meant !== undefined && meant !== setting) return otherQueue(context, controller, setting, meant);
  if (aws.queues.length === 0 || aws.opaque.length > 0)
    return unknown(`queue ${setting} is not in the templates and may be declared elsewhere`);
  const names = aws.queues.map(({ name }) => name);
  const [only] = names;
  const isMeant = names.length === 1 && !hasToken(only);
  return finding(
    controller,
    `settings.interruptionQueue is ${setting}, but the templates have no queue of that name (they have ${shortListText(names)}): ` +
      noQueueOf(context, controller),
    isMeant ? `write ${only}` : 'set it from the queue construct: queue.queueName',
    { queue: setting, known: names },
    isMeant ? chartValueFix(controller, ['settings', 'interruptionQueue'], only) : undefined,
  );
}

function otherQueue(context: RuleContext, controller: Controller, setting: string, meant: string): SubjectFinding {
  return finding(
    controller,
    `settings.interruptionQueue is ${setting}, but the interruption events of the Terraform files go to queue ${meant}: ${noQueueOf(context, controller)}`,
    `write ${meant}`,
    { queue: setting, known: [meant] },
    chartValueFix(controller, ['settings', 'interruptionQueue'], meant),
  );
}

function urlOrArn(context: RuleContext, controller: Controller, setting: string): SubjectFinding | undefined {
  const [, resource, attribute, output, kind] = REFERENCE.exec(setting) ?? [];
  const what = attribute ?? kind;
  if (what === undefined && !URL_OR_ARN.test(setting)) return impossibleName(context, controller, setting);
  const name = setting.split(/[/:]/).pop();
  const names = resource !== undefined ? `\${${resource}name}` : `\${${output}name}`;
  return finding(
    controller,
    what === undefined
      ? `settings.interruptionQueue must be the name of a queue, got ${setting}: ${noQueueOf(context, controller)}`
      : `settings.interruptionQueue is ${setting}, the ${what === 'arn' ? 'ARN' : 'URL'} of a queue, not its name: ${noQueueOf(context, controller)}`,
    `write ${what === undefined ? name : names}`,
    { queue: setting },
    what === undefined ? chartValueFix(controller, ['settings', 'interruptionQueue'], name) : undefined,
  );
}

/** @see https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_CreateQueue.html */
const QUEUE_NAME = /^[\w-]{1,75}(\.fifo)?$|^[\w-]{76,80}$/;

function impossibleName(context: RuleContext, controller: Controller, setting: string): SubjectFinding | undefined {
  if (QUEUE_NAME.test(setting) || findUnresolved(setting) !== undefined || hasToken(setting)) return undefined;
  return finding(
    controller,
    `settings.interruptionQueue is ${JSON.stringify(setting)}, which SQS takes for no name: ${noQueueOf(context, controller)}`,
    'write the name of the queue, which has letters, digits, "-" and "_", and at most 80 of them',
    { queue: setting },
  );
}

/**
 * What Karpenter does if SQS knows no queue of the name.
 *
 * @see NewControllers in pkg/controllers/controllers.go of Karpenter for AWS, 1.3.8 and 1.4.0
 */
function noQueueOf({ options }: RuleContext, controller: Controller): string {
  const version = releaseOf(controller, options);
  return compareKarpenterVersions(version, RUNS_WITHOUT_QUEUE_SINCE) < 0
    ? `Karpenter ${version} panics at start when it finds no queue of that name, so it restarts for ever and launches no node`
    : 'Karpenter finds no queue of that name and receives no interruption notice';
}

function judgePermissions(context: RuleContext, controller: Controller, queue: Queue): Judgement {
  const role = identityOfController(context, controller)?.role;
  if (!role) return unknown('the role of its service account is not in the templates');
  const answers = NEEDED_ACTIONS.map((action) => ({ action, answer: isActionAllowed(role, action, queue.arn) }));
  const missing = answers.filter(({ answer }) => answer === 'no').map(({ action }) => action);
  if (missing.length > 0) {
    return finding(
      controller,
      `may not read its queue ${queue.resource.object.name}, because role ${role.resource.object.name} does not allow ` +
        `${listText(missing, 'or')} on it: Karpenter receives no interruption notice`,
      `allow ${listText(missing)} on the queue's ARN`,
      { missing },
    );
  }
  if (answers.some(({ answer }) => answer === 'unknown'))
    return unknown(`a policy of role ${role.resource.object.name} is not in the templates`);
  return undefined;
}

function finding(
  { pathOf }: Controller,
  message: string,
  remedy: string,
  evidence: Readonly<Record<string, unknown>>,
  fix?: FieldFix,
): SubjectFinding {
  return { path: pathOf('settings', 'interruptionQueue'), message, remedy, evidence, fix };
}
