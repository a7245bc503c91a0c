import { parseIntegerLikeGo, Requirements, WELL_KNOWN_LABELS } from '../model';

const WORD = 64;

/** A label key that some requirement names, and every value of it that occurs, numbered. */
interface Term {
  readonly number: number;
  readonly values: Map<string, number>;
}

/** Numbers for the label keys and values that requirements name. Keys that none names cannot decide anything and are left out. */
export class Vocabulary {
  private readonly terms = new Map<string, Term>();

  addRequirements(requirements: Requirements): void {
    for (const requirement of requirements.values()) {
      const term = this.termOf(requirement.key);
      for (const value of requirement.values) number(term.values, value);
    }
  }

  /** A key that matters though no requirement names it. */
  addKey(key: string): void {
    this.termOf(key);
  }

  /** Numbers each key's values in code point order: the kernel takes the first of equal choices. Nothing may be added afterwards. */
  finish(): void {
    for (const { values } of this.terms.values()) {
      const sorted = [...values.keys()].sort();
      values.clear();
      sorted.forEach((value, at) => values.set(value, at));
    }
  }

  /** Values that instance types carry, for a key already named. */
  addValues(key: string, values: readonly string[]): void {
    const term = this.terms.get(key);
    if (term) for (const value of values) number(term.values, value);
  }

  /** Of a key, in the order of their numbers. */
  valuesOf(key: string): string[] {
    return [...this.term(key).values.keys()];
  }

  /** In the order of their numbers. */
  numberedKeys(): string[] {
    return [...this.terms.keys()];
  }

  /** Sorted. */
  keys(): string[] {
    return [...this.terms.keys()].sort();
  }

  has(key: string): boolean {
    return this.terms.has(key);
  }

  /** Whether every key and value that these name was added. */
  holds(requirements: Requirements): boolean {
    return requirements.values().every(({ key, values }) => {
      const known = this.terms.get(key)?.values;
      return known !== undefined && [...values].every((value) => known.has(value));
    });
  }

  /** @throws Error for a key that was not added */
  keyNumber(key: string): number {
    return this.term(key).number;
  }

  /** @throws Error for a value that was not added */
  valueNumber(key: string, value: string): number {
    const found = this.term(key).values.get(value);
    if (found === undefined) throw new Error(`value ${value} of ${key} was never added`);
    return found;
  }

  /** Undefined for what was not added. */
  knownValueNumber(key: string, value: string): number | undefined {
    return this.terms.get(key)?.values.get(value);
  }

  get keyCount(): number {
    return this.terms.size;
  }

  /** Where each key's values start, in words of 64; one more entry at the end. */
  wordStarts(): Int32Array {
    const starts = new Int32Array(this.terms.size + 1);
    for (const { number: key, values } of this.terms.values()) starts[key + 1] = Math.ceil(values.size / WORD);
    for (let key = 0; key < this.terms.size; key++) starts[key + 1] += starts[key];
    return starts;
  }

  valueCounts(): Int32Array {
    return Int32Array.from([...this.terms.values()].map(({ values }) => values.size));
  }

  wellKnown(): Uint8Array {
    return Uint8Array.from([...this.terms.keys()].map((key) => WELL_KNOWN_LABELS.has(key) ? 1 : 0));
  }

  /** Per value slot: the integer that it spells, and whether it does. */
  integers(starts: Int32Array): { integers: BigInt64Array; isInteger: Uint8Array } {
    const slots = starts[starts.length - 1] * WORD;
    const integers = new BigInt64Array(slots);
    const isInteger = new Uint8Array(slots);
    for (const { number: key, values } of this.terms.values()) {
      for (const [value, at] of values) {
        const parsed = parseIntegerLikeGo(value);
        if (parsed === undefined) continue;
        integers[starts[key] * WORD + at] = parsed;
        isInteger[starts[key] * WORD + at] = 1;
      }
    }
    return { integers, isInteger };
  }

  private term(key: string): Term {
    const found = this.terms.get(key);
    if (found === undefined) throw new Error(`label ${key} was never added`);
    return found;
  }

  private termOf(key: string): Term {
    let found = this.terms.get(key);
    if (found === undefined) {
      found = { number: this.terms.size, values: new Map() };
      this.terms.set(key, found);
    }
    return found;
  }
}

function number(values: Map<string, number>, value: string): void {
  if (!values.has(value)) values.set(value, values.size);
}
