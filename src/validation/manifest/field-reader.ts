import { FieldPath, ManifestObject } from './model';
import { ProblemLog } from './problem-log';
import { PlainRecord } from './records';
import { asRecord, FieldProblem, formatFieldPath, rejected } from '../../contract';

/** CDK writes these where a value is known only at deployment: texts, list items, and numbers near -1.888e+289. */
const TOKEN = /[$#]\{Token\[[^\]]*\]\}|^-1\.888154589\d*e\+289$/;

export function isToken(value: unknown): boolean {
  return typeof value === 'string' && TOKEN.test(value);
}

/** Of an int32. */
const MOST = 2147483647;

export function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= MOST;
}

/**
 * Reads the judged fields of one object. A field of the wrong kind becomes a finding at its place, and marks the object as
 * broken; a token is noted, as a field that cannot be judged.
 */
export class FieldReader {
  /** Whether the API server would refuse the object. */
  public broken = false;
  /** Paths of judged fields that hold a token. */
  public readonly tokens: string[] = [];

  public constructor(public readonly object: ManifestObject, private readonly log: ProblemLog) {}

  public reject(path: FieldPath, problem: string, got: unknown, remedy: string): undefined {
    this.add(rejected(path, problem, got, remedy));
    return undefined;
  }

  public add(problem: FieldProblem): void {
    if (problem.consequence !== 'misread') this.broken = true;
    this.log.addFieldProblem(this.object, problem);
  }

  public record(path: FieldPath, value: unknown): PlainRecord | undefined {
    if (value === undefined) return undefined;
    return asRecord(value) ?? this.wrong(path, 'must be an object', value, 'write fields under it, indented');
  }

  public list(path: FieldPath, value: unknown): readonly unknown[] {
    if (value === undefined) return [];
    return Array.isArray(value) ? value : this.wrong(path, 'must be a list', value, 'write items that begin with "-"') ?? [];
  }

  /** The objects of a list, with their places. */
  public records(path: FieldPath, value: unknown): Array<{ readonly at: FieldPath; readonly item: PlainRecord }> {
    return this.list(path, value).flatMap((raw, i) => {
      const at = [...path, i];
      const item = raw === null ? this.reject(at, 'must be an object', raw, 'remove the empty item') : this.record(at, raw);
      return item ? [{ at, item }] : [];
    });
  }

  public text(path: FieldPath, value: unknown): string | undefined {
    if (value === undefined) return undefined;
    if (isToken(value)) return this.noteToken(path);
    return typeof value === 'string' ? value : this.reject(path, 'must be a string', value, 'put the value in quotes');
  }

  public texts(path: FieldPath, value: unknown): string[] {
    return this.list(path, value).flatMap((item, i) => this.text([...path, i], item) ?? []);
  }

  public textMap(path: FieldPath, value: unknown): Record<string, string> {
    const entries = Object.entries(this.record(path, value) ?? {}).map(([key, item]) => [key, this.text([...path, key], item)]);
    return Object.fromEntries(entries.filter(([, item]) => item !== undefined));
  }

  public oneOf(path: FieldPath, value: unknown, allowed: readonly string[]): string | undefined {
    const text = this.text(path, value);
    if (text === undefined || allowed.includes(text)) return text;
    const same = allowed.find((word) => word.toLowerCase() === text.toLowerCase());
    const words = allowed.filter((word) => word !== '');
    return this.reject(path, `must be one of ${words.join(', ')}`, text, `write ${same ?? words.join(' or ')}`);
  }

  /** A count: an int32 of 0 or more. */
  public count(path: FieldPath, value: unknown): number | undefined {
    if (value === undefined) return undefined;
    if (isToken(value)) return this.noteToken(path);
    if (isCount(value)) return value;
    if (typeof value === 'number' && value > MOST) return this.reject(path, `must be at most ${MOST}`, value, 'write a smaller number');
    const isQuoted = typeof value === 'string' && /^\d+$/.test(value);
    return this.reject(path, 'must be an integer of 0 or more', value, isQuoted ? 'write the number without quotes' : 'write an integer of 0 or more');
  }

  public noteToken(path: FieldPath): undefined {
    this.tokens.push(formatFieldPath(path));
    return undefined;
  }

  private wrong(path: FieldPath, problem: string, value: unknown, remedy: string): undefined {
    return isToken(value) ? this.noteToken(path) : this.reject(path, problem, value, remedy);
  }
}
