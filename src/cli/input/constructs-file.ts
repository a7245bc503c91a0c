import { existsSync, statSync } from 'fs';
import { dirname, isAbsolute, join, relative, resolve } from 'path';
import type { Document, LineCounter, Node } from 'yaml';
import { dayRemedy, isDay } from './day';
import { STDIN } from './source-files';
import { asRecord } from '../../contract';
import { leadsInto, readRegularText, repositoryRoot, workTreeOf, valueText } from '../../model';
import type { Acknowledgement, Finding, Severity } from '../../validation';
import { UsageError } from '../io';
import { lazy } from '../lazy';
import { suggestion } from '../options/choice-option';

/** The file with a project's acknowledgements, severities and default flags. */
export const CONSTRUCTS_FILE = 'karpenter-constructs.yaml';

const KEYS = ['acknowledge', 'severity', 'flags'];
const ENTRY_KEYS = ['rule', 'subject', 'reason', 'until'];
const SEVERITIES = ['error', 'warning', 'info'];
const RULE_ID = /^KARP-\d{3,}$/;

type Path = ReadonlyArray<string | number>;

const MOST_BYTES = 1024 * 1024;

/**
 * The file in the folder of the first input, or in the nearest folder above it in its Git repository. Outside of a
 * repository only the folder of the input is searched, because others may write the folders above it.
 */
export function findConstructsFile(paths: readonly string[]): ConstructsFile | undefined {
  const name = constructsFileCandidates(paths).find((file) => existsSync(file));
  return name === undefined ? undefined : new ConstructsFile(resolve(name), name);
}

/** Where the file may be, the nearest place first. The paths are written like that of the input. */
export function constructsFileCandidates([path = '.']: readonly string[]): string[] {
  let folder = resolve(path === STDIN ? '.' : path);
  if (!isFolder(folder)) folder = dirname(folder);
  const top = workTreeOf(folder) ?? folder;
  const files: string[] = [];
  for (;;) {
    const file = join(folder, CONSTRUCTS_FILE);
    files.push(isAbsolute(path) ? file : relative(process.cwd(), file));
    if (folder === top) return files;
    folder = dirname(folder);
  }
}

/** @throws UsageError, from every method, with the place of what is wrong and what to write */
export class ConstructsFile {
  public readonly folder: string;
  /** The folder that the file may name files of. */
  public readonly root: string;
  private readonly document: Document.Parsed;
  private readonly lines: LineCounter;
  private readonly values: Readonly<Record<string, unknown>>;

  /** @param name in messages, written like the path of the input */
  public constructor(
    file: string,
    public readonly name: string,
  ) {
    this.folder = dirname(file);
    this.root = repositoryRoot(this.folder);
    this.lines = new lazy.yaml.LineCounter();
    this.document = lazy.yaml.parseDocument(this.textOf(file), { lineCounter: this.lines, logLevel: 'silent' });
    const [error] = this.document.errors;
    if (error) {
      const { line, col } = this.lines.linePos(error.pos[0]);
      throw new UsageError(
        `${this.name}:${line}:${col}: invalid YAML: ${error.message.split('\n')[0]}; fix the syntax`,
      );
    }
    const values = this.plainValues() ?? {};
    const record = asRecord(values);
    if (!record)
      throw this.problem(
        [],
        `must be an object, got ${JSON.stringify(values)}; write acknowledge:, severity: or flags:`,
      );
    this.expectKeys([], record, KEYS);
    this.values = record;
  }

  private plainValues(): unknown {
    try {
      return this.document.toJS();
    } catch (error) {
      throw this.problem([], `cannot be read, ${(error as Error).message}; write the values without aliases`);
    }
  }

  public acknowledgements(): Acknowledgement[] {
    const { acknowledge = [] } = this.values;
    if (!Array.isArray(acknowledge))
      throw this.problem(['acknowledge'], 'must be a list; write - rule: KARP-401, with a reason below it');
    return acknowledge.map((entry, index) => this.acknowledgement(entry, ['acknowledge', index]));
  }

  public severities(): Map<string, { readonly severity: Severity; readonly place: string }> {
    const severities = this.record('severity', 'KARP-402: info');
    return new Map(
      Object.entries(severities).map(([rule, severity]) => {
        const path = ['severity', rule];
        if (!RULE_ID.test(rule))
          throw this.problem(path, `${JSON.stringify(rule)} is not a rule id; write for example KARP-402: info`);
        if (!SEVERITIES.includes(valueText(severity))) {
          throw this.problem(
            path,
            `unknown severity ${JSON.stringify(severity)}; ${suggestion(valueText(severity), SEVERITIES)}`,
          );
        }
        return [rule, { severity: severity as Severity, place: this.place(path) }] as const;
      }),
    );
  }

  /** Default flags by their names, with their places. */
  public flags(): Array<{ readonly name: string; readonly value: unknown; readonly place: string }> {
    return Object.entries(this.record('flags', 'region: eu-west-1')).map(([name, value]) => ({
      name,
      value,
      place: this.place(['flags', name]),
    }));
  }

  private textOf(file: string): string {
    try {
      if (leadsInto(file, this.root)) return readRegularText(file, MOST_BYTES);
    } catch (error) {
      throw new UsageError(
        `${this.name}: cannot be read, ${(error as Error).message}; make it a readable file, or remove it`,
      );
    }
    throw new UsageError(`${this.name}: cannot be read, it is a link that leads out of the repository; remove it`);
  }

  private acknowledgement(entry: unknown, path: Path): Acknowledgement {
    const record = asRecord(entry);
    if (!record)
      throw this.problem(
        path,
        `must be an object, got ${JSON.stringify(entry)}; write rule: KARP-401 and reason: <why it is fine>`,
      );
    this.expectKeys(path, record, ENTRY_KEYS);
    const { rule, subject, reason, until } = record;
    if (typeof rule !== 'string' || !RULE_ID.test(rule))
      throw this.problem(
        [...path, 'rule'],
        `must be a rule id, got ${JSON.stringify(rule ?? null)}; write for example rule: KARP-401`,
      );
    if (typeof reason !== 'string' || reason.trim() === '') {
      throw this.problem(
        path,
        `the acknowledgement of ${rule} has no reason, so nobody can tell whether it still holds; write reason: <why it is fine>`,
      );
    }
    if (subject !== undefined && (typeof subject !== 'string' || !lazy.validation.isSubject(subject))) {
      throw this.problem(
        [...path, 'subject'],
        `must name an object, got ${JSON.stringify(subject)}; write for example subject: Deployment/shop/web`,
      );
    }
    if (until !== undefined && (typeof until !== 'string' || !isDay(until))) {
      throw this.problem(
        [...path, 'until'],
        `must be a day, got ${JSON.stringify(until)}; write until: ${dayRemedy(until)}`,
      );
    }
    const optional = { ...(subject === undefined ? {} : { subject }), ...(until === undefined ? {} : { until }) };
    return { rule, reason: reason.trim(), ...optional, location: this.locate(path) };
  }

  private record(key: string, example: string): Readonly<Record<string, unknown>> {
    const value = this.values[key] ?? {};
    const record = asRecord(value);
    if (!record)
      throw this.problem([key], `must be an object, got ${JSON.stringify(value)}; write for example ${example}`);
    return record;
  }

  private expectKeys(path: Path, record: Readonly<Record<string, unknown>>, known: readonly string[]): void {
    const unknown = Object.keys(record).find((key) => !known.includes(key));
    if (unknown !== undefined)
      throw this.problem([...path, unknown], `unknown key ${JSON.stringify(unknown)}; ${suggestion(unknown, known)}`);
  }

  private problem(path: Path, text: string): UsageError {
    return new UsageError(`${this.place(path)}: ${text}`);
  }

  private place(path: Path): string {
    const { line, column } = this.locate(path);
    return `${this.name}:${line}:${column}`;
  }

  /** The place of a value, or of its nearest ancestor. */
  private locate(path: Path): Finding['location'] {
    for (let length = path.length; length >= 0; length--) {
      const node = (length === 0 ? this.document.contents : this.document.getIn(path.slice(0, length), true)) as
        | Node
        | null
        | undefined;
      if (!node?.range) continue;
      const { line, col } = this.lines.linePos(node.range[0]);
      return { file: this.name, line, column: col, path: '' };
    }
    return { file: this.name, line: 1, column: 1, path: '' };
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
