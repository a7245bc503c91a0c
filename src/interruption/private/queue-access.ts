/** Permissions of EventBridge to send to an interruption queue and to encrypt with its key. */
import { Annotations, Stack } from 'aws-cdk-lib';
import { IRule } from 'aws-cdk-lib/aws-events';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { IAlias, IKey } from 'aws-cdk-lib/aws-kms';
import { IQueue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { AWS_MANAGED_QUEUE_KEY } from '../../contract';
import { errorWithoutStack } from '../../model';

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

/** One statement for all rules; the CDK's target class would add one for each rule. */
export function allowEventBridgeToSend(queue: IQueue, rules: readonly IRule[]): void {
  queue.addToResourcePolicy(
    new PolicyStatement({
      sid: 'AllowInterruptionRules',
      principals: [new ServicePrincipal(EVENT_BRIDGE)],
      actions: ['sqs:SendMessage'],
      resources: [queue.queueArn],
      conditions: {
        ArnEquals: { 'aws:SourceArn': rules.map((rule) => rule.ruleArn) },
        StringEquals: { 'aws:SourceAccount': Stack.of(queue).account },
      },
    }),
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
