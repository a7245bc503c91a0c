/** A required spread over zones. All pods that it counts have it. */
export interface ZoneSpread {
  readonly maxSkew: number;
  /** Indices of the zones that count. */
  readonly zones: readonly number[];
  /** Pods that stay where they are, by zone. */
  readonly fixed: readonly number[];
  /** Whether the least count is taken as 0, because there are fewer zones than `minDomains`. */
  readonly isLeastZero: boolean;
  /** Indices of the kinds. */
  readonly kinds: readonly number[];
}

/** Counts the pods of a spread by zone while a fleet is built. */
export class SpreadCounts {
  private readonly counts: Int32Array;
  private readonly isCounted: Uint8Array;

  /** @param remaining pods that have no node yet */
  constructor(
    private readonly spread: ZoneSpread,
    zones: number,
    private remaining: number,
  ) {
    this.counts = Int32Array.from({ length: zones }, (_, zone) => spread.fixed[zone] ?? 0);
    this.isCounted = Uint8Array.from({ length: zones }, (_, zone) => (spread.zones.includes(zone) ? 1 : 0));
  }

  /** Whether a pod may be placed in the zone, so that the remaining pods can still make the counts even. */
  allows(zone: number): boolean {
    if (this.isCounted[zone] === 0 || this.remaining === 0) return false;
    const { maxSkew, zones, isLeastZero } = this.spread;
    if (isLeastZero) return this.counts[zone] < maxSkew;
    let most = this.counts[zone] + 1;
    for (const other of zones) if (this.counts[other] > most) most = this.counts[other];
    let lacking = 0;
    for (const other of zones) {
      const count = other === zone ? this.counts[other] + 1 : this.counts[other];
      if (most - maxSkew > count) lacking += most - maxSkew - count;
    }
    return lacking <= this.remaining - 1;
  }

  add(zone: number, pods: number): void {
    this.counts[zone] += pods;
    this.remaining -= pods;
  }
}
