/** How long things take, in seconds: nothing in manifests says it. */
export interface ScenarioTimes {
  /** From the request to EC2 until the node takes pods. @default 60 */
  readonly nodeStart: number;
  /** From the node of a pod until it is ready. @default 20 */
  readonly podStart: number;
  /** From the order to end until a pod is gone; its own terminationGracePeriodSeconds where that is less. @default 10 */
  readonly podStop: number;
  /**
   * For which Karpenter simulates where the pods of a node would go, once for each node that it tries; 0 where that is to take no time.
   *
   * @default - by the nodes of the cluster: a millisecond for each of the first 100, and 0.2 for each beyond
   */
  readonly simulation: number;
  /** After which nothing more is looked at. @default 604800, a week; for ever where nodes expire, which takes longer */
  readonly horizon: number;
}

export const DEFAULT_TIMES: Omit<ScenarioTimes, 'simulation'> = { nodeStart: 60, podStart: 20, podStop: 10, horizon: 7 * 86_400 };

/** Seconds. */
const MOST_SIMULATION = 60;

/** Monday, noon: office hours in UTC. What budgets allow depends on it. */
export const DEFAULT_START = Date.UTC(2026, 0, 5, 12);

/**
 * Seconds, where nothing else is said: what it takes Karpenter on one CPU while no node is on its way, and no more than that. With a tenth of the nodes on
 * their way it takes twice as long and more.
 */
export function simulationOf(nodes: number): number {
  const milliseconds = Math.min(nodes, 80 + nodes / 5);
  return Math.min(Math.round(milliseconds) / 1_000, MOST_SIMULATION);
}

/** @throws RangeError for a time that is not a whole number of seconds from 1 on; that of a simulation may be any from 0 to 60 */
export function checkTimes(times: ScenarioTimes): ScenarioTimes {
  for (const [name, seconds] of Object.entries(times) as Array<[keyof ScenarioTimes, number]>) {
    if (name === 'simulation') {
      if (seconds >= 0 && seconds <= MOST_SIMULATION) continue;
      throw new RangeError(`times.simulation: not a number of seconds from 0 to ${MOST_SIMULATION}, got ${seconds}; write for example 0.25`);
    }
    const isEndless = name === 'horizon' && seconds === Infinity;
    if (isEndless || (Number.isInteger(seconds) && seconds >= 1)) continue;
    throw new RangeError(`times.${name}: not a whole number of seconds from 1 on, got ${seconds}; write for example ${DEFAULT_TIMES[name]}`);
  }
  return times;
}
