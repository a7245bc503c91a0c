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
   * @default - by the cluster as it is then, as `simulationOf` has it
   */
  readonly simulation?: number;
  /** After which nothing more is looked at. @default 604800, a week; for ever where nodes expire, which takes longer */
  readonly horizon: number;
}

export const DEFAULT_TIMES: ScenarioTimes & { readonly simulation?: undefined } = { nodeStart: 60, podStart: 20, podStop: 10, horizon: 7 * 86_400 };

/** Seconds. */
const MOST_SIMULATION = 60;

/** Monday, noon: office hours in UTC. What budgets allow depends on it. */
export const DEFAULT_START = Date.UTC(2026, 0, 5, 12);

/**
 * Seconds, where nothing else is said: what it takes Karpenter on one CPU where pods on their way have a place, and no more than that.
 *
 * @param nodes of the cluster, those included that go or are on their way up
 * @param pods that need a place whoever else goes: those of nodes that go, and those that wait
 */
export function simulationOf(nodes: number, pods: number): number {
  const milliseconds = Math.min(nodes, 60 + nodes / 10) + nodes * pods / 2_000;
  return Math.min(Math.round(milliseconds) / 1_000, MOST_SIMULATION);
}

/** @throws RangeError for a time that is not a whole number of seconds from 1 on; that of a simulation may be any from 0 to 60 */
export function checkTimes(times: ScenarioTimes): ScenarioTimes {
  for (const [name, seconds] of Object.entries(times) as Array<[keyof ScenarioTimes, number | undefined]>) {
    if (name === 'simulation') {
      if (seconds === undefined || (seconds >= 0 && seconds <= MOST_SIMULATION)) continue;
      throw new RangeError(`times.simulation: not a number of seconds from 0 to ${MOST_SIMULATION}, got ${seconds}; write for example 0.25`);
    }
    const isEndless = name === 'horizon' && seconds === Infinity;
    if (isEndless || (Number.isInteger(seconds) && seconds! >= 1)) continue;
    throw new RangeError(`times.${name}: not a whole number of seconds from 1 on, got ${seconds}; write for example ${DEFAULT_TIMES[name]}`);
  }
  return times;
}
