/** The properties, checked, and what several of them together mean. */
import { ResilienceProps } from '../resilience-props';

/** Shortest notice that is counted on, less the time until the pod hears of it. */
export const LONGEST_GRACE_SECONDS = 110;

const LEAST_REPLICAS = 2;
const PRE_STOP_SECONDS = 10;
/** So that the grace period that goes with it stays within the notice. */
const LONGEST_PRE_STOP_SECONDS = 80;

/** What cdk8s-plus has filled in of its own accord: nobody has written it. */
export interface FilledIn {
  readonly replicas?: number;
  readonly graceSeconds?: number;
}

export interface Settings {
  readonly given: ResilienceProps;
  /** Reasons by safeguard. */
  readonly waivers: ReadonlyMap<string, string>;
  readonly minReplicas: number;
  readonly maxUnavailable: number;
  readonly zoneCount?: number;
  readonly preStopSeconds: number;
  readonly filledIn: FilledIn;
}

/**
 * @throws Error `Resilience.<property>: <what is wrong>, got <value>; <what to write instead>`
 */
export function settingsOf(given: ResilienceProps, filledIn: FilledIn = {}): Settings {
  const minReplicas = given.minReplicas ?? LEAST_REPLICAS;
  const maxUnavailable = given.maxUnavailable ?? 1;
  const preStopSeconds = given.preStopDelay?.toSeconds() ?? PRE_STOP_SECONDS;
  within('minReplicas', minReplicas, 2, 'write at least 2, or waive Safeguard.REPLICAS with a reason');
  within('maxUnavailable', maxUnavailable, 1, 'write at least 1: a budget of 0 lets no node be drained');
  if (maxUnavailable >= minReplicas) reject('maxUnavailable', `must be below minReplicas, which is ${minReplicas}`, maxUnavailable, `write at most ${minReplicas - 1}`);
  if (given.zoneCount !== undefined) within('zoneCount', given.zoneCount, 1, 'write the number of zones that nodes can be in');
  within('preStopDelay', preStopSeconds, 1, 'write at least one second, or waive Safeguard.PRE_STOP with a reason');
  if (preStopSeconds > LONGEST_PRE_STOP_SECONDS) {
    reject('preStopDelay', 'must leave the pod time to end before a spot instance does', `${preStopSeconds} seconds`, `write at most ${LONGEST_PRE_STOP_SECONDS} seconds`);
  }
  rejectEndlessNodes(given);
  return { given, waivers: waiversOf(given), minReplicas, maxUnavailable, zoneCount: given.zoneCount, preStopSeconds, filledIn };
}

/** Later properties count, waivers add up. */
export function mergeSettings(all: readonly Settings[]): Settings {
  const given = all.reduce<ResilienceProps>((merged, settings) => ({ ...merged, ...definedOf(settings.given) }), {});
  const waivers = [...new Map(all.flatMap((settings) => settings.given.waivers ?? []).map((waiver) => [waiver.safeguard, waiver])).values()];
  return settingsOf({ ...given, waivers }, Object.assign({}, ...all.map(({ filledIn }) => filledIn)) as FilledIn);
}

function definedOf(props: ResilienceProps): ResilienceProps {
  return Object.fromEntries(Object.entries(props).filter(([, value]) => value !== undefined));
}

function waiversOf({ waivers = [] }: ResilienceProps): Map<string, string> {
  return new Map(waivers.map(({ safeguard, reason }, index) => {
    if (reason.trim() === '') reject(`waivers[${index}].reason`, 'must say why', JSON.stringify(reason), `say why ${safeguard} is not wanted`);
    return [safeguard, reason.trim()];
  }));
}

function rejectEndlessNodes({ doNotDisrupt, nodePool }: ResilienceProps): void {
  if (doNotDisrupt?.value !== 'true' || nodePool?.neverExpire !== false || nodePool.terminationGracePeriod) return;
  reject('doNotDisrupt', `must end for pods of NodePool ${nodePool.name}, whose nodes expire and have no terminationGracePeriod: they would drain for ever`,
    'always', 'give the NodePool a terminationGracePeriod, or write DoNotDisrupt.untilAge(…)');
}

function within(property: string, value: number, least: number, remedy: string): void {
  if (!Number.isSafeInteger(value) || value < least) reject(property, `must be a whole number from ${least}`, value, remedy);
}

function reject(property: string, problem: string, got: unknown, remedy: string): never {
  throw new Error(`Resilience.${property}: ${problem}, got ${got}; ${remedy}`);
}
