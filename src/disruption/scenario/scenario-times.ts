/** How long things take, in whole seconds, one at least: nothing in manifests says it. */
export interface ScenarioTimes {
  /** From the request to EC2 until the node takes pods. @default 60 */
  readonly nodeStart: number;
  /** From the node of a pod until it is ready. @default 20 */
  readonly podStart: number;
  /** From the order to end until a pod is gone; its own terminationGracePeriodSeconds where that is less. @default 10 */
  readonly podStop: number;
  /** After which nothing more is looked at. @default 604800, a week; for ever where nodes expire, which takes longer */
  readonly horizon: number;
}

export const DEFAULT_TIMES: ScenarioTimes = { nodeStart: 60, podStart: 20, podStop: 10, horizon: 7 * 86_400 };

/** Monday, noon: office hours in UTC. What budgets allow depends on it. */
export const DEFAULT_START = Date.UTC(2026, 0, 5, 12);

/** @throws RangeError for a time that is not a whole number of seconds from 1 on */
export function checkTimes(times: ScenarioTimes): ScenarioTimes {
  for (const [name, seconds] of Object.entries(times) as Array<[keyof ScenarioTimes, number]>) {
    const isEndless = name === 'horizon' && seconds === Infinity;
    if (isEndless || (Number.isInteger(seconds) && seconds >= 1)) continue;
    throw new RangeError(`times.${name}: not a whole number of seconds from 1 on, got ${seconds}; write for example ${DEFAULT_TIMES[name]}`);
  }
  return times;
}
