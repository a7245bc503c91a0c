import { Draft, Json } from '../schedule-scenario/draft';

/** A node that Karpenter launched, with its NodeClaim and its pods. */
export interface Machine {
  readonly name: string;
  readonly pool: string;
  readonly node: Json;
  readonly claim: Json;
  readonly pods: Json[];
  /** Free capacity: CPU in millicores, memory in MiB, number of pods. */
  readonly free: { cpu: number; memory: number; pods: number };
}

/** A disruption scenario while features change it: the workloads of the draft run on its machines. */
export interface DisruptionDraft extends Draft {
  /** Milliseconds since 1970. */
  now: number;
  readonly machines: Machine[];
  /** Names of nominated nodes. */
  readonly nominated: string[];
}

/** A property that some generated clusters have. */
export interface DisruptionFeature {
  readonly name: string;
  apply(draft: DisruptionDraft): void;
}

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;

/** The time this long before now, formatted as the API server does: in whole seconds. */
export function ago({ now }: Pick<DisruptionDraft, 'now'>, milliseconds: number): string {
  return new Date(now - milliseconds).toISOString().replace(/\.\d{3}Z$/, 'Z');
}

/** A random part of the items: at least one, if there is any. */
export function someOf<T>(
  { dice }: Pick<Draft, 'dice'>,
  from: readonly T[],
  shares: readonly number[] = [0.2, 0.5, 1],
): T[] {
  return dice.some(from, Math.max(1, Math.round(from.length * dice.pick(shares))));
}

export function podsOf({ machines }: DisruptionDraft): Json[] {
  return machines.flatMap(({ pods }) => pods);
}

/** Pods that do not belong to a DaemonSet. */
export function ownPodsOf(draft: DisruptionDraft): Json[] {
  return podsOf(draft).filter(
    ({ metadata }) => !metadata.ownerReferences?.some(({ kind }: Json) => kind === 'DaemonSet'),
  );
}
