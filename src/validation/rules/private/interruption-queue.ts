import { Controller, valueAt } from '../../controller';
import { Answer, AwsModel, Queue, sameText } from '../../template';

/** The setting, where it is set. */
export function queueSetting({ values }: Controller): string | undefined {
  const setting = valueAt(values, 'settings', 'interruptionQueue');
  return typeof setting === 'string' && setting !== '' ? setting : undefined;
}

export interface FoundQueue {
  /** Whether the templates have the queue that is meant. */
  readonly answer: Answer;
  readonly queue?: Queue;
}

export function findQueue({ queues }: AwsModel, name: string): FoundQueue {
  const queue = queues.find((each) => each.name === name);
  if (queue) return { answer: 'yes', queue };
  return { answer: queues.some((each) => sameText(each.name, name) === 'unknown') ? 'unknown' : 'no' };
}

/** The queues of the templates that controllers listen to, each once. */
export function listenedQueues(controllers: readonly Controller[], aws: AwsModel): Queue[] {
  const queues = controllers.flatMap((controller) => {
    const name = queueSetting(controller);
    return name === undefined ? [] : findQueue(aws, name).queue ?? [];
  });
  return [...new Set(queues)];
}
