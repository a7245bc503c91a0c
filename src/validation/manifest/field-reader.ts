import { FieldPath, ManifestObject } from './model';
import { hasPlaceholder } from './placeholders/placeholder';
import { ProblemLog } from './problem-log';
import { PlainRecord } from './records';
import {
  listInsteadOf,
  asRecord,
  FieldFix,
  FieldProblem,
  formatFieldPath,
  quoteField,
  rejected,
  safeFix,
  setField,
} from '../../contract';
import { listText, nearestName } from '../../model';

/**
 * CDK writes tokens for values that are known only at deployment: strings, list items, and numbers near -1.888e+289.
 */
const TOKEN = /[$#]\{Token\[[^[\]]*\]\}|^-1\.888154589\d*e\+289$/;

export function isCdkToken(value: unknown): boolean {
  return typeof value === 'string' && TOKEN.test(value);
}

/** Whether a value is filled in later: a token of CDK, or a placeholder. */
export function isToken(value: unknown): boolean {
  return isCdkToken(value) || hasPlaceholder(value);
}

const MAX_INT32 = 2147483647;

export function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= MAX_INT32;
}

/**
 * Reads the fields of one object.
 *
 * A field of the wrong type becomes a finding at its position and makes the object invalid. A field with a token is
 * recorded, because it cannot be judged.
 */
export class FieldReader {
  /** Whether the API server would reject the object. */
  public invalid = false;
  /** Paths of the fields that hold a token. */
  public readonly tokens: string[] = [];

  public constructor(
    public readonly object: ManifestObject,
    private readonly log: ProblemLog,
  ) {}

  public reject(path: FieldPath, problem: string, got: unknown, remedy: string, fix?: FieldFix): undefined {
    if (hasPlaceholder(got)) return this.noteToken(path, got);
    this.add(rejected(path, problem, got, remedy, fix));
    return undefined;
  }

  public add(problem: FieldProblem): void {
    if (problem.consequence !== 'misread') this.invalid = true;
    this.log.addFieldProblem(this.object, problem);
  }

  public record(path: FieldPath, value: unknown): PlainRecord | undefined {
    if (value === undefined) return undefined;
    return (
      asRecord(value) ?? this.rejectUnlessToken(path, 'must be an object', value, 'write its fields below it, indented')
    );
  }

  public list(path: FieldPath, value: unknown): readonly unknown[] {
    if (value === undefined) return [];
    return Array.isArray(value)
      ? value
      : (this.rejectUnlessToken(path, 'must be a list', value, 'write items that begin with "-"') ?? []);
  }

  /** The objects of a list, with the paths of the items. */
  public records(path: FieldPath, value: unknown): Array<{ readonly itemPath: FieldPath; readonly item: PlainRecord }> {
    return this.list(path, value).flatMap((raw, i) => {
      const itemPath = [...path, i];
      const item =
        raw === null
          ? this.reject(itemPath, 'must be an object', raw, 'remove the empty item')
          : this.record(itemPath, raw);
      return item ? [{ itemPath, item }] : [];
    });
  }

  public string(path: FieldPath, value: unknown): string | undefined {
    if (value === undefined) return undefined;
    if (isToken(value)) return this.noteToken(path, value);
    if (typeof value === 'string') return value;
    const fix = typeof value === 'number' || typeof value === 'boolean' ? safeFix(quoteField(path)) : undefined;
    return this.reject(path, 'must be a string', value, 'put the value in quotes', fix);
  }

  /** A text that is only compared with others. Equal placeholders mean equal values, so they are kept. */
  public comparedText(path: FieldPath, value: unknown): string | undefined {
    return hasPlaceholder(value) ? (value as string) : this.string(path, value);
  }

  public strings(path: FieldPath, value: unknown): string[] {
    const instead = typeof value === 'string' && !isToken(value) ? listInsteadOf(path, value) : undefined;
    if (instead !== undefined) this.reject(path, 'must be a list', value, instead.remedy, instead.fix);
    return instead === undefined
      ? this.list(path, value).flatMap((item, i) => this.string([...path, i], item) ?? [])
      : [];
  }

  public stringMap(
    path: FieldPath,
    value: unknown,
    read: 'string' | 'comparedText' = 'string',
  ): Record<string, string> {
    const entries = Object.entries(this.record(path, value) ?? {}).map(([key, item]) => [
      key,
      this[read]([...path, key], item),
    ]);
    return Object.fromEntries(entries.filter(([, item]) => item !== undefined));
  }

  public oneOf(path: FieldPath, value: unknown, allowed: readonly string[]): string | undefined {
    const text = this.string(path, value);
    if (text === undefined || allowed.includes(text)) return text;
    const words = allowed.filter((word) => word !== '');
    const likely = words.find((word) => word.toLowerCase() === text.toLowerCase()) ?? nearestName(text, words);
    return this.reject(
      path,
      `must be one of ${listText(words, 'or')}`,
      text,
      `write ${likely ?? listText(words, 'or')}`,
      likely === undefined ? undefined : safeFix(setField(path, likely)),
    );
  }

  /** An int32 of 0 or more. */
  public count(path: FieldPath, value: unknown): number | undefined {
    if (value === undefined) return undefined;
    if (isToken(value)) return this.noteToken(path, value);
    if (isCount(value)) return value;
    if (typeof value === 'number' && value > MAX_INT32)
      return this.reject(path, `must be at most ${MAX_INT32}`, value, 'write a smaller number');
    const isQuoted = typeof value === 'string' && /^\d+$/.test(value);
    return this.reject(
      path,
      'must be an integer of 0 or more',
      value,
      isQuoted ? 'write the number without quotes' : 'write an integer of 0 or more',
      isQuoted && isCount(Number(value)) ? safeFix(setField(path, Number(value))) : undefined,
    );
  }

  public noteToken(path: FieldPath, value: unknown): undefined {
    this.log.notePlaceholder(this.object, path, value);
    this.tokens.push(formatFieldPath(path));
    return undefined;
  }

  private rejectUnlessToken(path: FieldPath, problem: string, value: unknown, remedy: string): undefined {
    return isToken(value) ? this.noteToken(path, value) : this.reject(path, problem, value, remedy);
  }
}
