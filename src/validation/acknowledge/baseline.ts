import { asRecord } from '../../contract';
import { valueText } from '../../model';
import { byCodePoint } from '../order';
import { BaselineEntry } from '../vocabulary/acknowledgement';
import { eachSubject } from '../vocabulary/subject';
import { Finding } from '../vocabulary/verdict';

const RANK: Readonly<Record<Finding['severity'], number>> = { info: 0, warning: 1, error: 2 };

/** The findings as the text of a baseline file: sorted, without lines and messages, so that edits keep them equal. */
export function renderBaseline(findings: readonly Finding[]): string {
  const entries = findings
    .flatMap(eachSubject)
    .map(entryOf)
    .map((entry) => JSON.stringify(entry))
    .sort(byCodePoint);
  const list = entries.length === 0 ? '[]' : `[\n${entries.map((entry) => `    ${entry}`).join(',\n')}\n  ]`;
  return `{\n  "schemaVersion": "1",\n  "findings": ${list}\n}\n`;
}

/** @throws Error if the text is not a baseline */
export function parseBaseline(text: string): BaselineEntry[] {
  const parsed = asRecord(JSON.parse(text));
  const findings = parsed?.findings;
  if (parsed?.schemaVersion !== '1' || !Array.isArray(findings) || !findings.every(isEntry))
    throw new Error('it is not a baseline of schema version 1');
  return findings;
}

function isEntry(value: unknown): value is BaselineEntry {
  const entry = asRecord(value);
  const texts = [entry?.rule, entry?.kind, entry?.namespace, entry?.name, entry?.path];
  return texts.every((text) => typeof text === 'string') && Object.hasOwn(RANK, valueText(entry?.severity));
}

function entryOf({
  rule,
  severity,
  subject: { kind, namespace, name },
  location: { path, file },
}: Finding): BaselineEntry {
  return { rule, severity, kind, namespace, name, path, ...(kind === '' ? { file } : {}) };
}

/** Each entry matches one finding of the same rule, object and field that is not more severe. */
export class BaselineMatcher {
  private readonly left = new Map<string, BaselineEntry[]>();

  public constructor(entries: readonly BaselineEntry[]) {
    for (const entry of entries) this.left.set(keyOf(entry), [...(this.left.get(keyOf(entry)) ?? []), entry]);
  }

  public takes(finding: Finding): boolean {
    const entries = this.left.get(keyOf(entryOf(finding))) ?? [];
    const index = entries.findIndex(({ severity }) => RANK[finding.severity] <= RANK[severity]);
    if (index >= 0) entries.splice(index, 1);
    return index >= 0;
  }

  /** Entries that matched no finding. */
  public unmatched(): BaselineEntry[] {
    return [...this.left.values()].flat();
  }
}

function keyOf({ rule, kind, namespace, name, path, file = '' }: BaselineEntry): string {
  return JSON.stringify([rule, kind, namespace, name, path, file]);
}
