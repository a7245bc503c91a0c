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
   * @default - a millisecond for each node of the cluster
   */
  readonly simulation: number;
  /** After which nothing more is looked at. @default 604800, a week; for ever where nodes expire, which takes longer */
  readonly horizon: number;
}

export const DEFAULT_TIMES: Omit<ScenarioTimes, 'simulation'> = { nodeStart: 60, podStart: 20, podStop: 10, horizon: 7 * 86_400 };

/** So many nodes at most Karpenter goes over in a second of simulating, on the one CPU that it asks for: `npm run bench` has more of it. */
const NODES_A_SECOND = 1_000;
/** Seconds. */
const MOST_SIMULATION = 60;

/** Monday, noon: office hours in UTC. What budgets allow depends on it. */
export const DEFAULT_START = Date.UTC(2026, 0, 5, 12);

/** Seconds, where nothing else is said. */
export function simulationOf(nodes: number): number {
  return Math.min(nodes / NODES_A_SECOND, MOST_SIMULATION);
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
