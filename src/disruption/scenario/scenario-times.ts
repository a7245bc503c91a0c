/** How long things take, in seconds. Manifests do not contain these times. */
export interface ScenarioTimes {
  /** From the request to EC2 until the node takes pods. @default 60 */
  readonly nodeStart: number;
  /** From the binding of a pod until it is ready. @default 20 */
  readonly podStart: number;
  /**
   * From the start of its termination until a pod is deleted. A shorter terminationGracePeriodSeconds takes precedence.
   * @default 10
   */
  readonly podStop: number;
  /**
   * How long Karpenter simulates the scheduling of the pods of one candidate. With 0, simulations take no time.
   *
   * @default - estimated from the size of the cluster, see `simulationOf`
   */
  readonly simulation?: number;
  /** When the simulation stops. @default 604800, a week; unlimited for `expiration`, which takes longer */
  readonly horizon: number;
}

export const DEFAULT_TIMES: ScenarioTimes & { readonly simulation?: undefined } = {
  nodeStart: 60,
  podStart: 20,
  podStop: 10,
  horizon: 7 * 86_400,
};

/** Seconds. */
const MAX_SIMULATION = 60;

/** Monday, noon: office hours in UTC. The time decides which disruption budgets are active. */
export const DEFAULT_START = Date.UTC(2026, 0, 5, 12);

/**
 * The default time of one scheduling simulation in seconds, as Karpenter needs it on one CPU. Measured for pods that
 * can be scheduled.
 *
 * @param nodes all nodes of the cluster, launching and deleting ones included
 * @param pods pods that each simulation schedules besides those of its candidates: pending ones, and those of deleting
 * nodes
 */
export function simulationOf(nodes: number, pods: number): number {
  const milliseconds = Math.min(nodes, 60 + nodes / 10) + (nodes * pods) / 2_000;
  return Math.min(Math.round(milliseconds) / 1_000, MAX_SIMULATION);
}

/**
 * @throws RangeError if a time is not a whole number of seconds of at least 1; `simulation` may be any number from 0 to
 * 60
 */
export function checkTimes(times: ScenarioTimes): ScenarioTimes {
  for (const [name, seconds] of Object.entries(times) as Array<[keyof ScenarioTimes, number | undefined]>) {
    if (name === 'simulation') {
      if (seconds === undefined || (seconds >= 0 && seconds <= MAX_SIMULATION)) continue;
      throw new RangeError(
        `times.simulation must be a number of seconds from 0 to ${MAX_SIMULATION}, got ${seconds}; write for example 0.25`,
      );
    }
    const isUnlimited = name === 'horizon' && seconds === Infinity;
    if (isUnlimited || (Number.isInteger(seconds) && seconds! >= 1)) continue;
    throw new RangeError(
      `times.${name} must be a whole number of seconds of at least 1, got ${seconds}; write for example ${DEFAULT_TIMES[name]}`,
    );
  }
  return times;
}
