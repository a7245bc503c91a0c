/** Alarms that say that interruptions are not handled. */
import { Duration } from 'aws-cdk-lib';
import { Alarm, ComparisonOperator, IMetric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { IQueue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { InterruptionAlarmOptions } from '../interruption-queue-props';

export interface WatchedQueues {
  readonly queue: IQueue;
  readonly deadLetterQueue?: IQueue;
  readonly unreadFor: Duration;
}

export function addAlarms(scope: Construct, { actions = [] }: InterruptionAlarmOptions, queues: WatchedQueues): Alarm[] {
  const { queue, deadLetterQueue, unreadFor } = queues;
  const period = Duration.minutes(1);
  const alarms = [newAlarm(scope, 'UnreadAlarm', {
    metric: queue.metricApproximateAgeOfOldestMessage({ period, statistic: 'Maximum' }),
    threshold: unreadFor.toSeconds(),
    says: 'nobody reads the interruption queue: nodes are lost without being drained',
  })];
  if (deadLetterQueue) {
    alarms.push(newAlarm(scope, 'DeadLetterAlarm', {
      metric: deadLetterQueue.metricApproximateNumberOfMessagesVisible({ period, statistic: 'Maximum' }),
      threshold: 0,
      says: 'interruptions could not be delivered or handled',
    }));
  }
  alarms.forEach((alarm) => alarm.addAlarmAction(...actions));
  return alarms;
}

function newAlarm(scope: Construct, id: string, { metric, threshold, says }: { metric: IMetric; threshold: number; says: string }): Alarm {
  return new Alarm(scope, id, {
    metric,
    threshold,
    alarmDescription: says,
    evaluationPeriods: 1,
    comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
    // A queue that is not used reports nothing.
    treatMissingData: TreatMissingData.NOT_BREACHING,
  });
}
