import { Controller, chartValue } from '../../../controller';
import { findUnresolved } from '../../../manifest/find-unresolved';
import { Answer, AwsModel, hasToken, Queue, sameText } from '../../../template';
import { Subjects } from '../../define-rule';
import { RuleContext } from '../../rule';
import { subjectsWith } from '../../subjects';

/** `settings.interruptionQueue` of the chart; undefined if it is not set. */
export function queueSetting({ values }: Controller): string | undefined {
  const setting = chartValue(values, 'settings', 'interruptionQueue');
  return typeof setting === 'string' && setting !== '' ? setting : undefined;
}

export interface QueueLookup {
  /** Whether the templates declare a queue of the name. */
  readonly exists: Answer;
  readonly queue?: Queue;
}

/** Looks a queue up by its name. */
export function findQueue({ queues }: AwsModel, name: string): QueueLookup {
  const queue = queues.find((candidate) => candidate.name === name);
  if (queue) return { exists: 'yes', queue };
  return { exists: queues.some((candidate) => sameText(candidate.name, name) === 'unknown') ? 'unknown' : 'no' };
}

/** The distinct queues of the templates that the controllers listen to. */
export function listenedQueues(controllers: readonly Controller[], aws: AwsModel): Queue[] {
  const queues = controllers.flatMap((controller) => {
    const name = queueSetting(controller);
    return name === undefined ? [] : (findQueue(aws, name).queue ?? []);
  });
  return [...new Set(queues)];
}

/** The queues that Karpenter listens to. */
export const interruptionQueues: Subjects<Queue> = subjectsWith(
  ({ resource }) => resource.object,
  ({ model: { aws }, controllers }) => listenedQueues(controllers, aws),
);

/** Names of the NodePools that may launch spot. */
export function spotPoolsOf({ plan }: RuleContext): string[] {
  return plan.pools
    .filter(({ capacityTypes }) => capacityTypes.includes('spot'))
    .map(({ name }) => name)
    .sort();
}

/** The name of the only queue that gets the interruption events of the same Terraform files. */
export function soleQueueOfEvents(aws: AwsModel): string | undefined {
  const listening = aws.queues
    .filter(({ arn }) => aws.eventRules.some(({ pattern, targets }) => isSpotRule(pattern) && targets.includes(arn)))
    .filter(({ resource }) => resource.tool === 'Terraform')
    .map(({ name }) => name);
  const names = [...listening, ...aws.karpenterModules.flatMap(({ queue }) => queue ?? [])];
  return names.length === 1 && findUnresolved(names[0]) === undefined && !hasToken(names[0]) ? names[0] : undefined;
}

export function isSpotRule(pattern: Readonly<Record<string, unknown>> = {}): boolean {
  return [pattern['detail-type']].flat().includes('EC2 Spot Instance Interruption Warning');
}
