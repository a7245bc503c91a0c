import { interruptionQueues } from './interruption-queue';
import { asRecord, INTERRUPTION_RETENTION_SECONDS, setField, unsafeFix } from '../../../../contract';
import { defineRule, unknown, SubjectFinding } from '../../define-rule';

/** SQS's default for MessageRetentionPeriod: 4 days. */
const DEFAULT_RETENTION_SECONDS = 345_600;
const DAY_SECONDS = 86_400;

/**
 * The queue's own visibility timeout does not matter: Karpenter requests one of 20 seconds with each read.
 *
 * @see https://github.com/aws/karpenter-provider-aws/blob/v1.15.1/pkg/providers/sqs/sqs.go
 */
export const queueRetentionOrDlq = defineRule({
  id: 'KARP-506',
  name: 'queue-retention-or-dlq',
  severity: 'info',
  summary:
    'The interruption queue keeps notices after they are outdated, or drops each one after a single failed attempt.',
  subjects: interruptionQueues,
  judge(queue) {
    const { properties, tool } = queue.resource;
    const isTerraform = tool === 'Terraform';
    const { MessageRetentionPeriod: period = DEFAULT_RETENTION_SECONDS, RedrivePolicy } = properties;
    const attempts = asRecord(RedrivePolicy)?.maxReceiveCount;
    if (isNumber(attempts) && Number(attempts) < 2) {
      return finding(
        ['Properties', 'RedrivePolicy', 'maxReceiveCount'],
        `drops a notice after ${Number(attempts)} attempt: a single failed AWS call leaves the node undrained`,
        'write maxReceiveCount: 5',
        { maxReceiveCount: Number(attempts) },
        isTerraform ? undefined : 5,
      );
    }
    if (isNumber(period) && Number(period) > INTERRUPTION_RETENTION_SECONDS) {
      return finding(
        ['Properties', 'MessageRetentionPeriod'],
        `keeps notices for ${describe(Number(period))}: after an outage, Karpenter works through outdated notices before current ones`,
        `write ${isTerraform ? 'message_retention_seconds =' : 'MessageRetentionPeriod:'} ${INTERRUPTION_RETENTION_SECONDS}, as Karpenter's own CloudFormation template does`,
        { messageRetentionPeriod: Number(period) },
        isTerraform ? undefined : INTERRUPTION_RETENTION_SECONDS,
      );
    }
    if (!isNumber(period) || (RedrivePolicy !== undefined && !isNumber(attempts)))
      return unknown('how long it keeps messages is known only at deployment');
    return undefined;
  },
});

function finding(
  path: readonly string[],
  message: string,
  remedy: string,
  evidence: Readonly<Record<string, unknown>>,
  value: number | undefined,
): SubjectFinding {
  const fix = value === undefined ? undefined : unsafeFix(setField(path, value));
  return { path, message, remedy, evidence, fix };
}

/** CloudFormation also accepts numbers in quotes. */
function isNumber(value: unknown): boolean {
  return typeof value === 'number' || (typeof value === 'string' && /^\d+$/.test(value));
}

function describe(seconds: number): string {
  return seconds % DAY_SECONDS === 0 ? `${seconds / DAY_SECONDS} days` : `${seconds} s`;
}
