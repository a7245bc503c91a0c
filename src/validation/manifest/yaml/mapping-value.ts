import { DocumentProblem } from './source-document';
import { asRecord } from '../../../contract';
import { listText } from '../../../model';

/** A key that a mapping writes again. */
interface DuplicateKey {
  readonly key: string;
  /** The offset of the later key. */
  readonly offset: number;
  /** The value of the earlier key, which is lost. */
  readonly earlier: unknown;
  readonly value: unknown;
}

/** Two of these in one mapping are the begin of another object. */
const FIELDS_OF_OBJECTS: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata']);

/**
 * The findings about the keys that one mapping writes again: one for each object that begins without `---`, otherwise
 * one for the keys whose values differ, and one for those whose values are equal.
 */
function duplicateKeyProblems(duplicates: readonly DuplicateKey[]): DocumentProblem[] {
  const repetitions = repetitionsOf(duplicates);
  const objects = repetitions.filter(beginsObject);
  if (objects.length > 0) return objects.map(objectProblem);
  const isEqual = ({ earlier, value }: DuplicateKey) => JSON.stringify(earlier) === JSON.stringify(value);
  const lost = duplicates.filter((duplicate) => !isEqual(duplicate));
  const equal = duplicates.filter(isEqual);
  return [
    ...problemOf(lost, ['only the last value is used', 'only the last value of each is used'], false),
    ...problemOf(equal, ['both values are equal', 'both values of each are equal'], true),
  ];
}

/** A key that is written a third time begins the next repetition. */
function repetitionsOf(duplicates: readonly DuplicateKey[]): DuplicateKey[][] {
  const repetitions: DuplicateKey[][] = [];
  for (const duplicate of duplicates) {
    const last = repetitions.at(-1);
    if (last === undefined || last.some(({ key }) => key === duplicate.key)) repetitions.push([duplicate]);
    else last.push(duplicate);
  }
  return repetitions;
}

function beginsObject(repetition: readonly DuplicateKey[]): boolean {
  return repetition.filter(({ key }) => FIELDS_OF_OBJECTS.has(key)).length > 1;
}

function objectProblem(repetition: readonly DuplicateKey[]): DocumentProblem {
  const [{ key, offset }] = repetition;
  const earlierOf = (field: string) => repetition.find((duplicate) => duplicate.key === field);
  const kind = (earlierOf('kind')?.earlier as string | undefined) ?? 'object';
  const name = asRecord(earlierOf('metadata')?.earlier)?.name;
  const lost = typeof name === 'string' ? `${kind} ${name}` : `the ${kind}`;
  return {
    kind: 'duplicate-key',
    offset,
    key,
    message: `another object begins here without --- before it: ${lost} before it is lost, because only the last value of a key is used`,
    remedy: 'write --- before this line',
  };
}

function problemOf(
  duplicates: readonly DuplicateKey[],
  [one, several]: readonly [string, string],
  isHarmless: boolean,
): DocumentProblem[] {
  if (duplicates.length === 0) return [];
  const keys = [...new Set(duplicates.map(({ key }) => JSON.stringify(key)))];
  const what = keys.length === 1 ? `duplicate key ${keys[0]}: ${one}` : `duplicate keys ${listText(keys)}: ${several}`;
  const [{ key, offset }] = duplicates;
  const remedy = isHarmless ? 'remove one' : 'merge the two, or remove one';
  return [{ kind: 'duplicate-key', offset, key, message: what, remedy, isHarmless }];
}

const nullKeysByValue = new WeakMap<object, ReadonlySet<string>>();

/** The keys that a mapping writes with the value null. The API server reads them only in maps of quantities, as 0. */
export function nullKeysOf(mapping: object): readonly string[] {
  return [...(nullKeysByValue.get(mapping) ?? [])];
}

/**
 * Builds the value of one mapping from its pairs.
 *
 * The value has no prototype, so that `__proto__` is a key like any other. Keys with the value null are left out, as
 * the API server reads them. If a key is written twice, the last one wins.
 */
export class MappingValue {
  private readonly value: Record<string, unknown> = Object.create(null);
  private nullKeys?: Set<string>;
  private merged?: Record<string, unknown>[];
  private duplicates?: DuplicateKey[];

  public constructor(private readonly problems: DocumentProblem[]) {}

  public add(key: string, value: unknown, offset: number): void {
    if (key in this.value || this.nullKeys?.has(key))
      (this.duplicates ??= []).push({ key, offset, earlier: this.value[key] ?? null, value });
    if (value === null) {
      (this.nullKeys ??= new Set()).add(key);
      delete this.value[key];
    } else {
      this.value[key] = value;
    }
  }

  /** @param value - the value of `<<`: one mapping or a list of mappings */
  public merge(value: unknown): void {
    const sources = Array.isArray(value) ? value : [value];
    (this.merged ??= []).push(
      ...sources.filter((source) => typeof source === 'object' && source !== null && !Array.isArray(source)),
    );
  }

  public result(): Readonly<Record<string, unknown>> {
    if (this.duplicates !== undefined) this.problems.push(...duplicateKeyProblems(this.duplicates));
    for (const source of this.merged ?? []) {
      for (const key of Object.keys(source))
        if (!this.nullKeys?.has(key) && !(key in this.value)) this.value[key] = source[key];
    }
    if (this.nullKeys !== undefined)
      nullKeysByValue.set(this.value, new Set([...this.nullKeys].filter((key) => !(key in this.value))));
    return this.value;
  }
}
