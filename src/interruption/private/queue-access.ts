/** Who may put messages into an interruption queue, and use its key for that. */
import { Annotations, Stack } from 'aws-cdk-lib';
import { IRule } from 'aws-cdk-lib/aws-events';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { IAlias, IKey } from 'aws-cdk-lib/aws-kms';
import { IQueue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { AWS_MANAGED_QUEUE_KEY } from '../../contract';

const EVENT_BRIDGE = 'events.amazonaws.com';

/**
 * @throws Error if the key is the one of SQS itself
 */
export function refuseKeyOfSqs(scope: Construct, key?: IKey): void {
  if ((key as Partial<IAlias> | undefined)?.aliasName !== AWS_MANAGED_QUEUE_KEY) return;
  throw new Error(`${scope.node.path}/encryptionKey: EventBridge cannot use the key of SQS, got ${AWS_MANAGED_QUEUE_KEY}; `
    + 'leave it out for a key that SQS manages, or give a key of your own');
}

/** Policies name keys: of an alias the key that it stands for, where that is known, and of any other the key itself. */
export function keyBehind(key?: IKey): IKey | undefined {
  try {
    return (key as Partial<IAlias> | undefined)?.aliasTargetKey ?? key;
  } catch {
    return key;
  }
}

/** A statement for all rules together: five of them would say the same five times. */
export function letEventBridgeSend(queue: IQueue, rules: readonly IRule[]): void {
  queue.addToResourcePolicy(new PolicyStatement({
    sid: 'AllowInterruptionRules',
    principals: [new ServicePrincipal(EVENT_BRIDGE)],
    actions: ['sqs:SendMessage'],
    resources: [queue.queueArn],
    conditions: {
      ArnEquals: { 'aws:SourceArn': rules.map((rule) => rule.ruleArn) },
      StringEquals: { 'aws:SourceAccount': Stack.of(queue).account },
    },
  }));
}

/**
 * The rules themselves cannot be named in the policy of the key: they refer to the queue, and the queue refers to the
 * key.
 *
 * @see https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-key-management.html
 */
export function letEventBridgeUse(scope: Construct, key?: IKey): void {
  const added = key?.addToResourcePolicy(new PolicyStatement({
    sid: 'AllowInterruptionEvents',
    principals: [new ServicePrincipal(EVENT_BRIDGE)],
    actions: ['kms:Decrypt', 'kms:GenerateDataKey'],
    resources: ['*'],
    conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(scope).account } },
  }), true);
  if (!added || added.statementAdded) return;
  Annotations.of(scope).addWarningV2('karpenter-constructs:interruptionKeyPolicy',
    `the policy of the imported key ${key!.keyArn} cannot be changed from here: events are lost without a word unless it lets ${EVENT_BRIDGE} call kms:Decrypt and kms:GenerateDataKey`);
}
