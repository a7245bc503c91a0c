import { asRecord, INTERRUPTION_RETENTION_SECONDS } from '../../contract';
import { Queue } from '../template';
import { listenedQueues } from './private/interruption-queue';
import { fail, notEvaluated, pass } from './private/outcome';
import { Outcome, Rule, RuleContext } from './rule';

/** What SQS does where nothing is said. */
const DEFAULT_RETENTION_SECONDS = 345_600;
const DAY_SECONDS = 86_400;

/**
 * The queue's own visibility timeout plays no part: Karpenter names one of 20 seconds whenever it reads.
 *
 * @see https://github.com/aws/karpenter-provider-aws/blob/v1.15.1/pkg/providers/sqs/sqs.go
 */
export class QueueRetentionOrDlq implements Rule {
  public readonly id = 'KARP-506';
  public readonly name = 'queue-retention-or-dlq';
  public readonly severity = 'info';
  public readonly summary = 'The queue of interruptions keeps notices for longer than they mean anything, or gives each up after one failed attempt.';

  public check({ model: { aws }, controllers }: RuleContext): Outcome[] {
    return listenedQueues(controllers, aws).map((queue) => this.checkQueue(queue));
  }

  private checkQueue(queue: Queue): Outcome {
    const { object, properties } = queue.resource;
    const { MessageRetentionPeriod: period = DEFAULT_RETENTION_SECONDS, RedrivePolicy } = properties;
    const attempts = asRecord(RedrivePolicy)?.maxReceiveCount;
    if (isNumber(attempts) && Number(attempts) < 2) {
      return this.finding(queue, ['Properties', 'RedrivePolicy', 'maxReceiveCount'],
        `gives a notice up after ${Number(attempts)} attempt: one error of a call to AWS, and the node is lost undrained`, 'write a maxReceiveCount of 5', { maxReceiveCount: Number(attempts) });
    }
    if (isNumber(period) && Number(period) > INTERRUPTION_RETENTION_SECONDS) {
      return this.finding(queue, ['Properties', 'MessageRetentionPeriod'],
        `keeps notices for ${describe(Number(period))}: after an outage of Karpenter it works through all that have long come true, before the ones that matter`,
        `write MessageRetentionPeriod: ${INTERRUPTION_RETENTION_SECONDS}, as upstream has it`, { messageRetentionPeriod: Number(period) });
    }
    if (!isNumber(period) || (RedrivePolicy !== undefined && !isNumber(attempts))) return notEvaluated(object, 'how long it keeps messages is known only at deployment');
    return pass(object);
  }

  private finding(
    { resource: { object } }: Queue, path: readonly string[], message: string, remedy: string, evidence: Readonly<Record<string, unknown>>,
  ): Outcome {
    return fail({ object, path, message, remedy, evidence });
  }
}

/** CloudFormation takes numbers in quotes as well. */
function isNumber(value: unknown): boolean {
  return typeof value === 'number' || (typeof value === 'string' && /^\d+$/.test(value));
}

function describe(seconds: number): string {
  return seconds % DAY_SECONDS === 0 ? `${seconds / DAY_SECONDS} days` : `${seconds} s`;
}
