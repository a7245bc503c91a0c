/** What SQS accepts, and what interruptions need of it. Source: the quotas of SQS, and upstream's CloudFormation template. */
import { createHash } from 'crypto';

export const QUEUE_NAME_MAX_LENGTH = 80;

/** A standard queue: EventBridge has no message group for a FIFO one, whose name ends in `.fifo`. */
export const QUEUE_NAME = /^[A-Za-z0-9_-]{1,80}$/;

/** After that an instance whose end was announced is gone. */
export const INTERRUPTION_RETENTION_SECONDS = 300;

/** The key of AWS itself: nobody can let EventBridge use it, and events are lost without a word. */
export const AWS_MANAGED_QUEUE_KEY = 'alias/aws/sqs';

const HASH_LENGTH = 8;

/** The name, with a hash in place of its end where SQS would not take its length. */
export function queueNameOf(name: string): string {
  if (name.length <= QUEUE_NAME_MAX_LENGTH) return name;
  const hash = createHash('sha256').update(name).digest('hex').slice(0, HASH_LENGTH);
  return `${name.slice(0, QUEUE_NAME_MAX_LENGTH - HASH_LENGTH - 1)}-${hash}`;
}
