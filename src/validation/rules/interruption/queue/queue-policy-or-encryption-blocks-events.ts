import { interruptionQueues } from './interruption-queue';
import { allowsSender, deniesSender, refusedRules, statementDenyingTls } from './queue-senders';
import { AWS_MANAGED_QUEUE_KEY } from '../../../../contract';
import { listText, shortListText } from '../../../../model';
import { AwsModel, Queue, readable } from '../../../template';
import { defineRule, Judgement, unknown, SubjectFinding } from '../../define-rule';

const KEY_ACTIONS = ['kms:GenerateDataKey', 'kms:Decrypt'];

/** @see https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-troubleshooting.html */
export const queuePolicyOrEncryptionBlocksEvents = defineRule({
  id: 'KARP-504',
  name: 'queue-policy-or-encryption-blocks-events',
  readsTerraform: true,
  severity: 'error',
  summary:
    "EventBridge cannot send to Karpenter's queue, because of the queue's policy, its encryption key, or because it is a FIFO queue.",
  subjects: interruptionQueues,
  judge: (queue, { model: { aws } }) => judgeFifo(queue) ?? judgePolicy(queue, aws) ?? judgeKey(queue, aws),
});

function judgeFifo(queue: Queue): Judgement {
  if (!queue.fifo) return undefined;
  return finding(
    ['Properties', 'FifoQueue'],
    'is a FIFO queue: EventBridge rules without a message group deliver nothing to it',
    `make it a standard queue: remove ${queue.resource.tool === 'Terraform' ? 'fifo_queue' : 'FifoQueue'}`,
  );
}

function judgePolicy(queue: Queue, { opaque, eventRules }: AwsModel): Judgement {
  const { arn, statements } = queue;
  if (!statements) return unknown('its policy is known only at deployment');
  const inverted = statementDenyingTls(queue);
  if (inverted)
    return {
      ...finding(
        inverted.path,
        `denies ${shortListText(inverted.actions.map(readable)) || 'actions'} on queue ${queue.resource.object.name} to everyone who uses TLS (aws:SecureTransport: true), ` +
          'as EventBridge and Karpenter always do: no interruption notice reaches Karpenter',
        'write aws:SecureTransport: "false" in the condition, which denies only calls without TLS',
      ),
      object: inverted.resource.object,
    };
  const denied = deniesSender(statements, 'sqs:SendMessage', arn);
  if (denied === 'yes') {
    return finding(
      [],
      'has a policy that denies sqs:SendMessage to everyone, including events.amazonaws.com: EventBridge drops every interruption event silently',
      'add a condition to the Deny statement, such as Bool aws:SecureTransport: false, or remove the statement',
    );
  }
  const answer = allowsSender(statements, 'sqs:SendMessage', arn);
  const refused =
    answer === 'no'
      ? []
      : refusedRules(queue, eventRules)
          .map(({ resource }) => resource.object.name)
          .sort();
  if (refused.length > 0) {
    const [rules, events] = refused.length === 1 ? ['that rule', 'its events'] : ['these rules', 'their events'];
    return finding(
      [],
      `does not let ${shortListText(refused, 5)} send, because the policy's conditions on aws:SourceArn or aws:SourceAccount exclude ${rules}: ` +
        `EventBridge drops ${events} silently`,
      'list the ARN of every rule that targets the queue in the condition on aws:SourceArn',
    );
  }
  if (answer === 'yes' && denied === 'no') return undefined;
  // A queue has one policy, so that no other file can add a statement to the one that is written.
  if (answer !== 'no' || (opaque.length > 0 && !queue.hasPolicy))
    return unknown('whether its policy lets EventBridge send is known only at deployment');
  return finding(
    [],
    'has no policy that lets events.amazonaws.com send: EventBridge drops every interruption event silently',
    "allow sqs:SendMessage to the service events.amazonaws.com in the queue's policy",
  );
}

function judgeKey({ kmsKey: name, resource }: Queue, { kmsKeys }: AwsModel): Judgement {
  if (name === undefined) return undefined;
  const path = ['Properties', 'KmsMasterKeyId'];
  if (name.endsWith(AWS_MANAGED_QUEUE_KEY)) {
    return finding(
      path,
      `is encrypted with ${AWS_MANAGED_QUEUE_KEY}, whose policy cannot admit EventBridge: deliveries fail silently`,
      `write ${resource.tool === 'Terraform' ? 'sqs_managed_sse_enabled =' : 'SqsManagedSseEnabled:'} true instead, or use a customer managed key that allows events.amazonaws.com`,
    );
  }
  const key = kmsKeys.find(({ names }) => names.includes(name));
  if (!key?.statements) return unknown(`the policy of key ${name} is not in the templates`);
  const answers = KEY_ACTIONS.map((action) => ({
    action,
    answer: allowsSender(key.statements!, action, key.names[1]),
  }));
  const missing = answers.filter(({ answer }) => answer === 'no').map(({ action }) => action);
  if (missing.length > 0) {
    return finding(
      path,
      `is encrypted with key ${key.resource.object.name}, which does not allow ${listText(missing)} to events.amazonaws.com: deliveries fail silently`,
      `allow ${listText(KEY_ACTIONS.map((action) => action.replace('DataKey', 'DataKey*')))} to the service events.amazonaws.com in the key's policy`,
    );
  }
  return answers.some(({ answer }) => answer === 'unknown')
    ? unknown(`whom key ${name} allows is known only at deployment`)
    : undefined;
}

function finding(path: readonly (string | number)[], message: string, remedy: string): SubjectFinding {
  return { path, message, remedy, evidence: {} };
}
