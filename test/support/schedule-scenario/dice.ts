/* eslint-disable no-bitwise -- a generator of pseudo-random numbers is made of bits */

/** A seeded random generator: Mulberry32 by Tommy Ettinger, in the public domain. */
export class Dice {
  private state: number;

  public constructor(...seeds: readonly number[]) {
    this.state =
      seeds.reduce((state, seed) => Math.imul(state ^ (seed + 0x9e3779b9), 0x85ebca6b) ^ (state >>> 13), 0x6a09e667) |
      0;
  }

  /** A number from 0 (inclusive) to 1 (exclusive). */
  public fraction(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number; both bounds are included. */
  public between(least: number, most: number): number {
    return least + Math.floor(this.fraction() * (most - least + 1));
  }

  public chance(share: number): boolean {
    return this.fraction() < share;
  }

  public pick<T>(from: readonly T[]): T {
    return from[Math.floor(this.fraction() * from.length)];
  }

  /** A random part of the items, each at most once, in their order. */
  public some<T>(from: readonly T[], count: number): T[] {
    const left = from.map((item, index) => ({ item, index }));
    const taken = Array.from(
      { length: Math.min(count, from.length) },
      () => left.splice(Math.floor(this.fraction() * left.length), 1)[0],
    );
    return taken.sort((a, b) => a.index - b.index).map(({ item }) => item);
  }
}
