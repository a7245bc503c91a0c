import { parseIntegerLikeGo } from './go-strconv';

export interface Taint {
  readonly key: string;
  readonly value?: string;
  readonly effect: 'NoSchedule' | 'PreferNoSchedule' | 'NoExecute';
}

export interface Toleration {
  readonly key?: string;
  /** `Exists`, `Equal`, `Lt` or `Gt`; absent or empty is `Equal`. */
  readonly operator?: string;
  readonly value?: string;
  /** Absent or empty matches every effect. */
  readonly effect?: string;
  readonly tolerationSeconds?: number;
}

/** Stricter than Go's own parser: neither a plus sign nor leading zeros. */
const CANONICAL_INTEGER = /^(?:0|-?[1-9]\d*)$/;

/**
 * Whether the toleration matches the taint.
 *
 * @see https://github.com/kubernetes/api/blob/v0.36.1/core/v1/toleration.go ToleratesTaint
 */
export function tolerates(toleration: Toleration, taint: Taint): boolean {
  if (toleration.effect && toleration.effect !== taint.effect) {
    return false;
  }
  if (toleration.key && toleration.key !== taint.key) {
    return false;
  }
  const toleratedValue = toleration.value ?? '';
  const taintValue = taint.value ?? '';
  switch (toleration.operator ?? '') {
    case '':
    case 'Equal':
      return toleratedValue === taintValue;
    case 'Exists':
      return true;
    case 'Lt':
      return comparesAs(taintValue, toleratedValue, (left, right) => left < right);
    case 'Gt':
      return comparesAs(taintValue, toleratedValue, (left, right) => left > right);
    default:
      return false;
  }
}

function comparesAs(left: string, right: string, test: (left: bigint, right: bigint) => boolean): boolean {
  const [first, second] = [left, right].map((text) =>
    CANONICAL_INTEGER.test(text) ? parseIntegerLikeGo(text) : undefined,
  );
  return first !== undefined && second !== undefined && test(first, second);
}

/** The taints that no toleration matches, in order. Taints of every effect count. */
export function untolerated(taints: readonly Taint[], tolerations: readonly Toleration[]): Taint[] {
  return taints.filter((taint) => !tolerations.some((toleration) => tolerates(toleration, taint)));
}

export function firstUntolerated(taints: readonly Taint[], tolerations: readonly Toleration[]): Taint | undefined {
  return untolerated(taints, tolerations)[0];
}

/** `key=value:Effect`, or `key:Effect` without a value. */
export function formatTaint(taint: Taint): string {
  return taint.value ? `${taint.key}=${taint.value}:${taint.effect}` : `${taint.key}:${taint.effect}`;
}

/** Karpenter's error for taints that a pod does not tolerate. */
export function untoleratedError(...taints: readonly Taint[]): string {
  return taints.map((taint) => `did not tolerate taint (taint=${formatTaint(taint)})`).join('; ');
}
