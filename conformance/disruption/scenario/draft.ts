import { Draft, Json } from '../../schedule/scenario/draft';

/** A node that Karpenter launched, with its claim and what is on it. */
export interface Machine {
  readonly name: string;
  readonly pool: string;
  readonly node: Json;
  readonly claim: Json;
  readonly pods: Json[];
  /** What is left of it, in thousandths, MiB and pods. */
  readonly free: { cpu: number; memory: number; pods: number };
}

/** A scenario of disruption while features work on it: workloads of the draft run on its machines. */
export interface DisruptionDraft extends Draft {
  /** Milliseconds since 1970. */
  now: number;
  readonly machines: Machine[];
  /** Names of nodes. */
  readonly nominated: string[];
}

/** Something that clusters have or have not. */
export interface DisruptionFeature {
  readonly name: string;
  apply(draft: DisruptionDraft): void;
}

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;

/** So long before now, as the API server writes it: in whole seconds. */
export function ago({ now }: Pick<DisruptionDraft, 'now'>, milliseconds: number): string {
  return new Date(now - milliseconds).toISOString().replace(/\.\d{3}Z$/, 'Z');
}

/** Some of them, at least one where there is any. */
export function someOf<T>({ dice }: Pick<Draft, 'dice'>, from: readonly T[], shares: readonly number[] = [0.2, 0.5, 1]): T[] {
  return dice.some(from, Math.max(1, Math.round(from.length * dice.pick(shares))));
}

export function podsOf({ machines }: DisruptionDraft): Json[] {
  return machines.flatMap(({ pods }) => pods);
}

/** Those that no DaemonSet made. */
export function ownPodsOf(draft: DisruptionDraft): Json[] {
  return podsOf(draft).filter(({ metadata }) => !metadata.ownerReferences?.some(({ kind }: Json) => kind === 'DaemonSet'));
}
