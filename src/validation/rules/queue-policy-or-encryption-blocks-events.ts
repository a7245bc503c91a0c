import { AWS_MANAGED_QUEUE_KEY } from '../../contract';
import { AwsModel, Queue } from '../template';
import { listenedQueues } from './private/interruption-queue';
import { fail, notEvaluated, pass } from './private/outcome';
import { allowsSender, deniesSender, refusedRules } from './private/queue-senders';
import { joinNames, someNames } from './private/wording';
import { Outcome, Rule, RuleContext } from './rule';

const KEY_ACTIONS = ['kms:GenerateDataKey', 'kms:Decrypt'];

/** @see https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-troubleshooting.html */
export class QueuePolicyOrEncryptionBlocksEvents implements Rule {
  public readonly id = 'KARP-504';
  public readonly name = 'queue-policy-or-encryption-blocks-events';
  public readonly severity = 'error';
  public readonly summary = 'The queue that Karpenter listens to does not let EventBridge send: by its policy, its key, or because it is a FIFO queue.';

  public check({ model: { aws }, controllers }: RuleContext): Outcome[] {
    return listenedQueues(controllers, aws).map((queue) =>
      this.checkFifo(queue) ?? this.checkPolicy(queue, aws) ?? this.checkKey(queue, aws) ?? pass(queue.resource.object));
  }

  private checkFifo(queue: Queue): Outcome | undefined {
    if (!queue.fifo) return undefined;
    return this.finding(queue, ['Properties', 'FifoQueue'], 'is a FIFO queue, to which a rule without a message group delivers nothing',
      'make it a standard queue');
  }

  private checkPolicy(queue: Queue, { opaque, eventRules }: AwsModel): Outcome | undefined {
    const { arn, statements } = queue;
    if (!statements) return notEvaluated(queue.resource.object, 'its policy is known only at deployment');
    const denied = deniesSender(statements, 'sqs:SendMessage', arn);
    if (denied === 'yes') {
      return this.finding(queue, [], 'has a policy that denies everyone to send, events.amazonaws.com among them: EventBridge drops every interruption, without a word',
        'give the Deny statement a condition, such as Bool aws:SecureTransport: false, or leave it out');
    }
    const answer = allowsSender(statements, 'sqs:SendMessage', arn);
    const refused = answer === 'no' ? [] : refusedRules(queue, eventRules).map(({ resource }) => resource.object.name).sort();
    if (refused.length > 0) {
      const [them, brings] = refused.length === 1 ? ['that rule', 'what it brings'] : ['these rules', 'what they bring'];
      return this.finding(queue, [], `does not let ${someNames(refused, 5)} send: no statement of its policy has aws:SourceArn and aws:SourceAccount of ${them}, `
        + `and EventBridge drops ${brings}, without a word`, 'name the ARNs of all rules that have the queue as their target in the condition on aws:SourceArn');
    }
    if (answer === 'yes' && denied === 'no') return undefined;
    if (answer !== 'no' || opaque.length > 0) return notEvaluated(queue.resource.object, 'whether its policy lets EventBridge send is known only at deployment');
    return this.finding(queue, [], 'has no policy that lets events.amazonaws.com send: EventBridge drops every interruption, without a word',
      'allow sqs:SendMessage to the service events.amazonaws.com in a policy of the queue');
  }

  private checkKey(queue: Queue, { kmsKeys }: AwsModel): Outcome | undefined {
    const { kmsKey: name } = queue;
    if (name === undefined) return undefined;
    const path = ['Properties', 'KmsMasterKeyId'];
    if (name.endsWith(AWS_MANAGED_QUEUE_KEY)) {
      return this.finding(queue, path, `is encrypted with ${AWS_MANAGED_QUEUE_KEY}, a key that nobody can let EventBridge use: deliveries fail without a word`,
        'write SqsManagedSseEnabled: true instead, or use a key of your own that lets events.amazonaws.com use it');
    }
    const key = kmsKeys.find(({ names }) => names.includes(name));
    if (!key?.statements) return notEvaluated(queue.resource.object, `the policy of its key ${name} is not in the templates`);
    const answers = KEY_ACTIONS.map((action) => ({ action, answer: allowsSender(key.statements!, action, key.names[1]) }));
    const missing = answers.filter(({ answer }) => answer === 'no').map(({ action }) => action);
    if (missing.length > 0) {
      return this.finding(queue, path, `is encrypted with key ${key.resource.object.name}, which does not let events.amazonaws.com take ${joinNames(missing)}: deliveries fail without a word`,
        `allow ${joinNames(KEY_ACTIONS.map((action) => action.replace('DataKey', 'DataKey*')))} to the service events.amazonaws.com in the key's policy`);
    }
    return answers.some(({ answer }) => answer === 'unknown') ? notEvaluated(queue.resource.object, `what key ${name} allows is known only at deployment`) : undefined;
  }

  private finding({ resource: { object } }: Queue, path: readonly (string | number)[], message: string, remedy: string): Outcome {
    return fail({ object, path, message, remedy, evidence: {} });
  }
}
