/** Which existing queues can be used, and permissions of EventBridge to send to a queue and to encrypt with its key. */
import { Annotations, Stack, Token } from 'aws-cdk-lib';
import { IRule } from 'aws-cdk-lib/aws-events';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { IAlias, IKey } from 'aws-cdk-lib/aws-kms';
import { IQueue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { AWS_MANAGED_QUEUE_KEY, statementText } from '../../contract';
import { errorWithoutStack } from '../../model';
import { InterruptionQueueProps } from '../interruption-queue-props';

const EVENT_BRIDGE = 'events.amazonaws.com';

/**
 * @throws Error if the key is the AWS managed key of SQS, whose policy cannot be changed to let EventBridge use it
 */
export function rejectSqsManagedKey(scope: Construct, key?: IKey): void {
  if ((key as Partial<IAlias> | undefined)?.aliasName !== AWS_MANAGED_QUEUE_KEY) return;
  throw errorWithoutStack(
    `${scope.node.path}/encryptionKey: EventBridge cannot use the AWS managed key of SQS, got ${AWS_MANAGED_QUEUE_KEY}; ` +
      'leave encryptionKey out, so that SQS encrypts with its own key (SSE-SQS), or use a customer managed key',
  );
}

/** The target key of an alias if it is known, otherwise the key itself. Policies need the key's ARN, not the alias. */
export function targetKeyOf(key?: IKey): IKey | undefined {
  try {
    return (key as Partial<IAlias> | undefined)?.aliasTargetKey ?? key;
  } catch {
    return key;
  }
}

/** Properties that only a new queue gets. */
const OF_NEW_QUEUES = ['queueName', 'deadLetterQueue', 'removalPolicy'] as const;

/** @throws Error if the existing queue cannot get events, or if properties of a new queue are set with it */
export function assertUsableQueue(scope: Construct, props: InterruptionQueueProps): void {
  const { existingQueue: queue } = props;
  if (!queue) return;
  const ignored = OF_NEW_QUEUES.find((name) => props[name] !== undefined);
  const fail = (property: string, problem: string) => {
    throw errorWithoutStack(`${scope.node.path}/${property}: ${problem}`);
  };
  if (ignored)
    fail(
      ignored,
      `must not be set together with existingQueue, got the queue ${queue.node.path}; set it on that queue`,
    );
  if (queue.fifo)
    fail(
      'existingQueue',
      `must be a standard queue, because Karpenter's rules send no message group, got the FIFO queue ${queue.node.path}; write a queue without fifo`,
    );
  if (queue.encryptionType === QueueEncryption.KMS_MANAGED)
    fail(
      'existingQueue',
      `EventBridge cannot use the AWS managed key of SQS, got the queue ${queue.node.path} with it; write QueueEncryption.SQS_MANAGED or a customer managed key`,
    );
  for (const place of ['account', 'region'] as const) {
    const [own, other] = [Stack.of(scope)[place], queue.env[place]];
    if (own !== other && !Token.isUnresolved(own) && !Token.isUnresolved(other))
      fail(
        'existingQueue',
        `must be in the ${place} of the cluster, ${own}, because Karpenter finds the queue by its name there, got ${other}; write a queue of ${own}`,
      );
  }
}

/**
 * One statement for all rules; the CDK's target class would add one for each rule. For a queue whose policy cannot be
 * changed, a warning has the statement with a pattern, because the names of the rules are known only at deployment.
 */
export function allowEventBridgeToSend(scope: Construct, queue: IQueue, rules: readonly IRule[]): void {
  const { account } = Stack.of(scope);
  const statement = (sources: object) =>
    new PolicyStatement({
      sid: 'AllowInterruptionRules',
      principals: [new ServicePrincipal(EVENT_BRIDGE)],
      actions: ['sqs:SendMessage'],
      resources: [queue.queueArn],
      conditions: { ...sources, StringEquals: { 'aws:SourceAccount': account } },
    });
  const { statementAdded } = queue.addToResourcePolicy(
    statement({ ArnEquals: { 'aws:SourceArn': rules.map((rule) => rule.ruleArn) } }),
  );
  if (statementAdded) return;
  const anyRule = Stack.of(scope).formatArn({ service: 'events', resource: 'rule', resourceName: '*' });
  const missing = statement({ ArnLike: { 'aws:SourceArn': anyRule } }).toStatementJson();
  const id = 'karpenter-constructs:interruptionQueuePolicy';
  Annotations.of(scope).addWarningV2(
    id,
    `the policy of the imported queue ${queue.node.path} cannot be changed by this app, and events are lost silently unless it has this statement: ` +
      `${statementText(Stack.of(scope).resolve(missing))}; add it by hand, then write Annotations.of(this).acknowledgeWarning('${id}')`,
  );
}

/**
 * The key's policy cannot name the rules, because that would be a dependency cycle: the rules refer to the queue, and
 * the queue refers to the key.
 *
 * @see https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-key-management.html
 */
export function allowEventBridgeToEncrypt(scope: Construct, key?: IKey): void {
  const added = key?.addToResourcePolicy(
    new PolicyStatement({
      sid: 'AllowInterruptionEvents',
      principals: [new ServicePrincipal(EVENT_BRIDGE)],
      actions: ['kms:Decrypt', 'kms:GenerateDataKey'],
      resources: ['*'],
      conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(scope).account } },
    }),
    true,
  );
  if (!added || added.statementAdded) return;
  Annotations.of(scope).addWarningV2(
    'karpenter-constructs:interruptionKeyPolicy',
    `the policy of the imported key ${key!.keyArn} cannot be changed by this app: events are lost silently unless the policy lets ${EVENT_BRIDGE} call kms:Decrypt and kms:GenerateDataKey`,
  );
}
