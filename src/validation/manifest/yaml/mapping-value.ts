import { DuplicateKey, duplicateKeyProblems } from './duplicate-keys';
import { DocumentProblem } from './source-document';

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
