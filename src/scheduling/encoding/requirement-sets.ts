import { Vocabulary } from './vocabulary';
import { Requirement, Requirements } from '../../model';
import { identityOf, requirementsIdentity } from '../topology/requirements-identity';

const WORD_BITS = 64;

/** Flags of a key in a requirement row, as defined in assembly/requirement-rows.ts. */
const DEFINED = 1;
const COMPLEMENT = 2;
const HAS_GTE = 4;
const HAS_LTE = 8;

/** Numbers distinct requirement sets in the order in which they are added. */
export class RequirementSets {
  private readonly sets: Requirements[] = [];
  private readonly numbers = new Map<string, number>();
  /** By identity: classes that differ only in size share the object of their set. */
  private readonly numbersByIdentity = new Map<Requirements, number>();

  public constructor(private readonly vocabulary: Vocabulary) {}

  public number(requirements: Requirements): number {
    let number = this.numbersByIdentity.get(requirements);
    if (number === undefined) {
      number = this.intern(requirements);
      this.numbersByIdentity.set(requirements, number);
    }
    return number;
  }

  public get count(): number {
    return this.sets.length;
  }

  /**
   * The number of the part of a set that concerns the given keys, which must be sorted. Most nodes have the same part.
   */
  public numberOfPart(requirements: Requirements, keys: readonly string[]): number {
    return this.knownPart(requirements, keys) ?? this.number(partOf(requirements, keys));
  }

  /** The same, but undefined if the part has a label value that is not in the vocabulary. */
  public numberOfKnownPart(requirements: Requirements, keys: readonly string[]): number | undefined {
    const number = this.knownPart(requirements, keys);
    if (number !== undefined) return number;
    const part = partOf(requirements, keys);
    return this.vocabulary.holds(part) ? this.number(part) : undefined;
  }

  private knownPart(requirements: Requirements, keys: readonly string[]): number | undefined {
    return this.numbers.get(
      keys
        .filter((key) => requirements.has(key))
        .map((key) => identityOf(requirements.get(key)))
        .join('\n'),
    );
  }

  private intern(requirements: Requirements): number {
    const key = requirementsIdentity(requirements);
    let number = this.numbers.get(key);
    if (number === undefined) {
      number = this.sets.length;
      this.numbers.set(key, number);
      this.sets.push(requirements);
      this.vocabulary.addRequirements(requirements);
    }
    return number;
  }

  /** The rows for the kernel. Call it after all sets and values are added. */
  public encode(starts: Int32Array) {
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
          setWordBit(rows.givenWords, row * words + starts[key], this.vocabulary.valueNumber(requirement.key, value));
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
  words[first + Math.floor(bit / WORD_BITS)] += 2n ** BigInt(bit % WORD_BITS);
}

function flagsOf({ complement, gte, lte }: Requirement): number {
  return (
    DEFINED + (complement ? COMPLEMENT : 0) + (gte === undefined ? 0 : HAS_GTE) + (lte === undefined ? 0 : HAS_LTE)
  );
}
