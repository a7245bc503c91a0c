import { Requirement, Requirements } from '../model';
import { Vocabulary } from './vocabulary';

const WORD = 64;

/** Flags of a key in a requirement row, as assembly/requirement-rows.ts has them. */
const DEFINED = 1;
const COMPLEMENT = 2;
const HAS_GTE = 4;
const HAS_LTE = 8;

/** Distinct requirement sets, numbered as they come. */
export class RequirementSets {
  private readonly sets: Requirements[] = [];
  private readonly numbers = new Map<string, number>();
  /** Of sets that were numbered before: classes that differ in size alone share theirs. */
  private readonly known = new Map<Requirements, number>();

  constructor(private readonly vocabulary: Vocabulary) {}

  number(requirements: Requirements): number {
    let found = this.known.get(requirements);
    if (found === undefined) {
      found = this.intern(requirements);
      this.known.set(requirements, found);
    }
    return found;
  }

  /** How many there are. */
  get count(): number {
    return this.sets.length;
  }

  /** The number of what a set asks of some keys, given sorted: of many nodes few differ in these. */
  numberOfPart(requirements: Requirements, keys: readonly string[]): number {
    return this.knownPart(requirements, keys) ?? this.number(partOf(requirements, keys));
  }

  /** The same where it needs no value that nobody has named yet; else undefined. */
  numberOfKnownPart(requirements: Requirements, keys: readonly string[]): number | undefined {
    const known = this.knownPart(requirements, keys);
    if (known !== undefined) return known;
    const part = partOf(requirements, keys);
    return this.vocabulary.holds(part) ? this.number(part) : undefined;
  }

  private knownPart(requirements: Requirements, keys: readonly string[]): number | undefined {
    return this.numbers.get(keys.filter((key) => requirements.has(key)).map((key) => identityOf(requirements.get(key))).join('\n'));
  }

  private intern(requirements: Requirements): number {
    const key = requirementsIdentity(requirements);
    let found = this.numbers.get(key);
    if (found === undefined) {
      found = this.sets.length;
      this.numbers.set(key, found);
      this.sets.push(requirements);
      this.vocabulary.addRequirements(requirements);
    }
    return found;
  }

  /** The rows for the kernel. Call it once every set and value is known. */
  encode(starts: Int32Array) {
    const keys = this.vocabulary.keyCount;
    const words = starts[keys];
    const rows = {
      givenSets: this.sets.length,
      givenFlags: new Uint8Array(this.sets.length * keys),
      givenGte: new BigInt64Array(this.sets.length * keys),
      givenLte: new BigInt64Array(this.sets.length * keys),
      givenWords: new BigUint64Array(this.sets.length * words),
    };
    this.sets.forEach((set, row) => {
      for (const requirement of set.values()) {
        const key = this.vocabulary.keyNumber(requirement.key);
        const cell = row * keys + key;
        rows.givenFlags[cell] = flagsOf(requirement);
        rows.givenGte[cell] = requirement.gte ?? 0n;
        rows.givenLte[cell] = requirement.lte ?? 0n;
        for (const value of requirement.values) {
          const at = this.vocabulary.valueNumber(requirement.key, value);
          setWordBit(rows.givenWords, row * words + starts[key], at);
        }
      }
    });
    return rows;
  }
}

function partOf(requirements: Requirements, keys: readonly string[]): Requirements {
  return Requirements.of(keys.filter((key) => requirements.has(key)).map((key) => requirements.get(key)));
}

function setWordBit(words: BigUint64Array, first: number, bit: number): void {
  const at = first + Math.floor(bit / WORD);
  words[at] += 2n ** BigInt(bit % WORD);
}

function flagsOf({ complement, gte, lte }: Requirement): number {
  return DEFINED + (complement ? COMPLEMENT : 0) + (gte === undefined ? 0 : HAS_GTE) + (lte === undefined ? 0 : HAS_LTE);
}

/** Equal for equal sets. */
export function requirementsIdentity(requirements: Requirements): string {
  return requirements.values().map(identityOf).join('\n');
}

/** Equal for equal requirements; minValues are not the set's but the template's. */
function identityOf(requirement: Requirement): string {
  let found = IDENTITIES.get(requirement);
  if (found === undefined) {
    const { key, complement, values, gte, lte } = requirement;
    found = JSON.stringify([key, complement, [...values].sort(), String(gte), String(lte)]);
    IDENTITIES.set(requirement, found);
  }
  return found;
}

const IDENTITIES = new WeakMap<Requirement, string>();
