/** Alarms for interruptions that are not handled. */
import { Duration } from 'aws-cdk-lib';
import { Alarm, ComparisonOperator, IMetric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { IQueue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { InterruptionAlarmOptions } from '../interruption-queue-props';

export interface MonitoredQueues {
  readonly queue: IQueue;
  readonly deadLetterQueue?: IQueue;
  readonly unreadFor: Duration;
}

export function addAlarms(
  scope: Construct,
  { actions = [] }: InterruptionAlarmOptions,
  queues: MonitoredQueues,
): Alarm[] {
  const { queue, deadLetterQueue, unreadFor } = queues;
  const period = Duration.minutes(1);
  const alarms = [
    newAlarm(scope, 'UnreadAlarm', {
      metric: queue.metricApproximateAgeOfOldestMessage({ period, statistic: 'Maximum' }),
      threshold: unreadFor.toSeconds(),
      description: 'nobody reads the interruption queue: nodes are lost without being drained',
    }),
  ];
  if (deadLetterQueue) {
    alarms.push(
      newAlarm(scope, 'DeadLetterAlarm', {
        metric: deadLetterQueue.metricApproximateNumberOfMessagesVisible({ period, statistic: 'Maximum' }),
        threshold: 0,
        description: 'interruptions could not be delivered or handled',
      }),
    );
  }
  alarms.forEach((alarm) => alarm.addAlarmAction(...actions));
  return alarms;
}

interface AlarmOptions {
  readonly metric: IMetric;
  readonly threshold: number;
  readonly description: string;
}

function newAlarm(scope: Construct, id: string, { metric, threshold, description }: AlarmOptions): Alarm {
  return new Alarm(scope, id, {
    metric,
    threshold,
    alarmDescription: description,
    evaluationPeriods: 1,
    comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
    // SQS reports no metrics for an unused queue.
    treatMissingData: TreatMissingData.NOT_BREACHING,
  });
}
