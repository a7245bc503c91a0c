/** Checked properties of `Resilience`, with defaults. */
import { shownNumber } from '../../model';
import { ResilienceProps } from '../resilience-props';
import { findNodePoolProblem, nodePoolsOf } from './node-pools';

/**
 * Longest grace period within the two minutes of a spot interruption notice, minus the time until the pod is evicted.
 */
export const MAX_GRACE_SECONDS = 110;

const MIN_REPLICAS = 2;
const PRE_STOP_SECONDS = 10;
/** Keeps the resulting grace period within the spot interruption notice. */
const MAX_PRE_STOP_SECONDS = 80;

/** Values that cdk8s-plus sets by default, so that the user has not written them. */
export interface Cdk8sPlusDefaults {
  readonly replicas?: number;
  readonly graceSeconds?: number;
}

export interface Settings {
  readonly props: ResilienceProps;
  /** Reasons of waivers, by safeguard. */
  readonly waivers: ReadonlyMap<string, string>;
  readonly minReplicas: number;
  readonly maxUnavailable: number;
  readonly zoneCount?: number;
  readonly preStopSeconds: number;
  readonly defaults: Cdk8sPlusDefaults;
}

/**
 * @throws Error `Resilience.<property>: <what is wrong>, got <value>; <what to write instead>`
 */
export function settingsOf(given: ResilienceProps, filledIn: Cdk8sPlusDefaults = {}): Settings {
  const minReplicas = given.minReplicas ?? MIN_REPLICAS;
  const maxUnavailable = given.maxUnavailable ?? 1;
  const preStopSeconds = given.preStopDelay?.toSeconds() ?? PRE_STOP_SECONDS;
  requireAtLeast('minReplicas', minReplicas, 2, 'write at least 2, or waive Safeguard.REPLICAS with a reason');
  requireAtLeast('maxUnavailable', maxUnavailable, 1, 'write at least 1: with 0, no node could be drained');
  if (maxUnavailable >= minReplicas)
    reject(
      'maxUnavailable',
      `must be below minReplicas, which is ${minReplicas}`,
      maxUnavailable,
      `write at most ${minReplicas - 1}`,
    );
  if (given.zoneCount !== undefined)
    requireAtLeast('zoneCount', given.zoneCount, 1, 'write the number of zones that nodes can be in');
  requireAtLeast(
    'preStopDelay',
    preStopSeconds,
    1,
    'write at least one second, or waive Safeguard.PRE_STOP with a reason',
  );
  if (preStopSeconds > MAX_PRE_STOP_SECONDS) {
    reject(
      'preStopDelay',
      'must leave the pod time to stop before a spot instance is terminated',
      `${preStopSeconds} seconds`,
      `write at most ${MAX_PRE_STOP_SECONDS} seconds`,
    );
  }
  const pools = findNodePoolProblem(given);
  if (pools) reject(pools.property, pools.problem, pools.got, pools.remedy);
  rejectEndlessDrain(given);
  return {
    props: given,
    waivers: waiversOf(given),
    minReplicas,
    maxUnavailable,
    zoneCount: given.zoneCount,
    preStopSeconds,
    defaults: filledIn,
  };
}

/** Later properties override earlier ones, waivers add up. */
export function mergeSettings(all: readonly Settings[]): Settings {
  const given = all.reduce<ResilienceProps>((merged, { props }) => withLater(merged, definedOf(props)), {});
  const waivers = [
    ...new Map(
      all.flatMap((settings) => settings.props.waivers ?? []).map((waiver) => [waiver.safeguard, waiver]),
    ).values(),
  ];
  return settingsOf(
    { ...given, waivers },
    Object.assign({}, ...all.map(({ defaults: filledIn }) => filledIn)) as Cdk8sPlusDefaults,
  );
}

/** `nodePool` and `nodePools` are two ways to write the same. */
function withLater({ nodePool, nodePools, ...earlier }: ResilienceProps, later: ResilienceProps): ResilienceProps {
  const keepsPools = later.nodePool === undefined && later.nodePools === undefined;
  return { ...earlier, ...(keepsPools ? definedOf({ nodePool, nodePools }) : {}), ...later };
}

function definedOf(props: ResilienceProps): ResilienceProps {
  return Object.fromEntries(Object.entries(props).filter(([, value]) => value !== undefined));
}

function waiversOf({ waivers = [] }: ResilienceProps): Map<string, string> {
  return new Map(
    waivers.map(({ safeguard, reason }, index) => {
      if (reason.trim() === '')
        reject(
          `waivers[${index}].reason`,
          'must not be empty',
          JSON.stringify(reason),
          `write why ${safeguard} is waived`,
        );
      return [safeguard, reason.trim()];
    }),
  );
}

function rejectEndlessDrain(given: ResilienceProps): void {
  if (given.doNotDisrupt?.value !== 'true') return;
  const nodePool = nodePoolsOf(given).find((pool) => pool.expireAfter?.age && !pool.terminationGracePeriod);
  if (nodePool === undefined) return;
  reject(
    'doNotDisrupt',
    `must be limited for pods of NodePool ${nodePool.name}: its nodes expire without terminationGracePeriod, so they would drain forever`,
    'always',
    'give the NodePool a terminationGracePeriod, or write DoNotDisrupt.untilAge(…)',
  );
}

function requireAtLeast(property: string, value: number, min: number, remedy: string): void {
  if (!Number.isSafeInteger(value) || value < min)
    reject(property, `must be a whole number of at least ${min}`, shownNumber(value), remedy);
}

function reject(property: string, problem: string, got: unknown, remedy: string): never {
  throw new Error(`Resilience.${property}: ${problem}, got ${got}; ${remedy}`);
}
