import { DocumentProblem } from './document-problem';

/**
 * The value of one mapping, made as its pairs are read: an object without a prototype, so that `__proto__` is a key as any other. Keys with
 * a null are left out, which is how the API server reads them, and of a key that is written twice the last one stays.
 */
export class MappingValue {
  private readonly value: Record<string, unknown> = Object.create(null);
  private withoutValue?: Set<string>;
  private merged?: Record<string, unknown>[];

  public constructor(private readonly problems: DocumentProblem[]) {}

  public add(key: string, value: unknown, offset: number): void {
    if (key in this.value || this.withoutValue?.has(key)) this.problems.push(duplicateKey(key, offset));
    if (value === null) {
      (this.withoutValue ??= new Set()).add(key);
      delete this.value[key];
    } else {
      this.value[key] = value;
    }
  }

  /** What `<<` has: one mapping, or several of them. */
  public merge(value: unknown): void {
    const sources = Array.isArray(value) ? value : [value];
    (this.merged ??= []).push(...sources.filter((source) => typeof source === 'object' && source !== null && !Array.isArray(source)));
  }

  public result(): Readonly<Record<string, unknown>> {
    for (const source of this.merged ?? []) {
      for (const key of Object.keys(source)) if (!this.withoutValue?.has(key) && !(key in this.value)) this.value[key] = source[key];
    }
    return this.value;
  }
}

function duplicateKey(key: string, offset: number): DocumentProblem {
  return {
    kind: 'duplicate-key',
    offset,
    key,
    message: `the key ${JSON.stringify(key)} is written twice in one mapping; the first one is lost`,
    remedy: key === 'apiVersion' ? 'put --- before it where another object begins; else remove one of them' : 'merge the two, or remove one of them',
  };
}
