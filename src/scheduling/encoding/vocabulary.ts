import { parseIntegerLikeGo, Requirements, WELL_KNOWN_LABELS } from '../../model';

const WORD_BITS = 64;

/** The number of a label key, and the numbers of its values. */
interface KeyEntry {
  readonly number: number;
  readonly values: Map<string, number>;
}

/** Numbers the label keys and values that requirements name. Other keys have no effect, and are left out. */
export class Vocabulary {
  private readonly keyEntries = new Map<string, KeyEntry>();

  public addRequirements(requirements: Requirements): void {
    for (const requirement of requirements.values()) {
      const { values } = this.addEntry(requirement.key);
      for (const value of requirement.values) addValue(values, value);
    }
  }

  /** Adds a key that matters although no requirement names it, such as the key of a topology group. */
  public addKey(key: string): void {
    this.addEntry(key);
  }

  /**
   * Numbers the values of each key in code point order, in which the kernel breaks ties. Nothing may be added
   * afterwards.
   *
   * @param isLast whether a value of a key comes after the others
   */
  public finish(isLast: (key: string, value: string) => boolean = () => false): void {
    for (const [key, { values }] of this.keyEntries) {
      const all = [...values.keys()].sort();
      const last = new Set(all.filter((value) => isLast(key, value)));
      const sorted = last.size === 0 ? all : [...all.filter((value) => !last.has(value)), ...last];
      values.clear();
      sorted.forEach((value, index) => values.set(value, index));
    }
  }

  /** Adds values of a key. Does nothing if the key was not added. */
  public addValues(key: string, values: readonly string[]): void {
    const entry = this.keyEntries.get(key);
    if (entry) for (const value of values) addValue(entry.values, value);
  }

  /** The values of a key in the order of their numbers. */
  public valuesOf(key: string): string[] {
    return [...this.entry(key).values.keys()];
  }

  /** The keys in the order of their numbers. */
  public numberedKeys(): string[] {
    return [...this.keyEntries.keys()];
  }

  /** The keys, sorted. */
  public keys(): string[] {
    return [...this.keyEntries.keys()].sort();
  }

  public has(key: string): boolean {
    return this.keyEntries.has(key);
  }

  /** Whether all keys and values that the requirements name were added. */
  public holds(requirements: Requirements): boolean {
    return requirements.values().every(({ key, values }) => {
      const entry = this.keyEntries.get(key);
      return entry !== undefined && [...values].every((value) => entry.values.has(value));
    });
  }

  /** @throws Error if the key was not added */
  public keyNumber(key: string): number {
    return this.entry(key).number;
  }

  /** @throws Error if the value was not added */
  public valueNumber(key: string, value: string): number {
    const number = this.entry(key).values.get(value);
    if (number === undefined) throw new Error(`value ${value} of ${key} was never added`);
    return number;
  }

  /** Undefined if the value was not added. */
  public knownValueNumber(key: string, value: string): number | undefined {
    return this.keyEntries.get(key)?.values.get(value);
  }

  public get keyCount(): number {
    return this.keyEntries.size;
  }

  /** The start of each key's values, in words of 64 bits, followed by the total number of words. */
  public wordStarts(): Int32Array {
    const starts = new Int32Array(this.keyEntries.size + 1);
    for (const { number: key, values } of this.keyEntries.values())
      starts[key + 1] = Math.ceil(values.size / WORD_BITS);
    for (let key = 0; key < this.keyEntries.size; key++) starts[key + 1] += starts[key];
    return starts;
  }

  public valueCounts(): Int32Array {
    return Int32Array.from([...this.keyEntries.values()].map(({ values }) => values.size));
  }

  public wellKnown(): Uint8Array {
    return Uint8Array.from([...this.keyEntries.keys()].map((key) => (WELL_KNOWN_LABELS.has(key) ? 1 : 0)));
  }

  /** Per value slot: the value as an integer, and whether it is one. */
  public integers(starts: Int32Array): { integers: BigInt64Array; isInteger: Uint8Array } {
    const slots = starts[starts.length - 1] * WORD_BITS;
    const integers = new BigInt64Array(slots);
    const isInteger = new Uint8Array(slots);
    for (const { number: key, values } of this.keyEntries.values()) {
      for (const [value, index] of values) {
        const parsed = parseIntegerLikeGo(value);
        if (parsed === undefined) continue;
        integers[starts[key] * WORD_BITS + index] = parsed;
        isInteger[starts[key] * WORD_BITS + index] = 1;
      }
    }
    return { integers, isInteger };
  }

  private entry(key: string): KeyEntry {
    const entry = this.keyEntries.get(key);
    if (entry === undefined) throw new Error(`label ${key} was never added`);
    return entry;
  }

  private addEntry(key: string): KeyEntry {
    let entry = this.keyEntries.get(key);
    if (entry === undefined) {
      entry = { number: this.keyEntries.size, values: new Map() };
      this.keyEntries.set(key, entry);
    }
    return entry;
  }
}

function addValue(values: Map<string, number>, value: string): void {
  if (!values.has(value)) values.set(value, values.size);
}
