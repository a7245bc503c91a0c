/**
 * What SQS accepts, and what interruptions need of it. Source: the quotas of SQS, and upstream's CloudFormation
 * template.
 */
import { boundedName } from './bounded-name';

export const QUEUE_NAME_MAX_LENGTH = 80;

/** A standard queue: EventBridge has no message group for a FIFO one, whose name ends in `.fifo`. */
export const QUEUE_NAME = /^[A-Za-z0-9_-]{1,80}$/;

/** After that an instance whose end was announced is gone. */
export const INTERRUPTION_RETENTION_SECONDS = 300;

/** The key of AWS itself: nobody can let EventBridge use it, and events are lost without a word. */
export const AWS_MANAGED_QUEUE_KEY = 'alias/aws/sqs';

/** The name, with a hash in place of its end where SQS would not take its length. */
export function queueNameOf(name: string): string {
  return boundedName(name, QUEUE_NAME_MAX_LENGTH);
}
