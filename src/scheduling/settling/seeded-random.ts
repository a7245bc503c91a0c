/* eslint-disable no-bitwise -- the generator mixes bits */

/** The characters of random names in Kubernetes, in the order of their code points. */
const NAME_CHARACTERS = '2456789bcdfghjklmnpqrstvwxz';
const NAME_LENGTH = 8;

/** A generator of pseudo-random numbers: the same seed gives the same numbers. */
export class SeededRandom {
  /** @param state the seed, then the state of Mulberry32 */
  public constructor(private state: number) {}

  /** An integer from 0 and below `bound`. */
  public below(bound: number): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * bound);
  }

  public pick<Item>(items: readonly Item[]): Item {
    return items[this.below(items.length)];
  }

  /** Shuffles the items in place. */
  public shuffle(items: number[]): number[] {
    for (let index = items.length - 1; index > 0; index--) {
      const other = this.below(index + 1);
      [items[index], items[other]] = [items[other], items[index]];
    }
    return items;
  }

  public name(): string {
    let name = '';
    for (let index = 0; index < NAME_LENGTH; index++) name += NAME_CHARACTERS[this.below(NAME_CHARACTERS.length)];
    return name;
  }
}
