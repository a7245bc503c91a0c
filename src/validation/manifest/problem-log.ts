import { DocumentProblem } from './document-problem';
import { FieldPath, ManifestObject, SourceLocation } from './model';
import { SourceText, Unreadable } from './source-text';
import { placeholderRemedy } from './template-text';
import { FieldProblem, formatFieldPath, formatValue } from '../../contract';
import { Finding } from '../report/verdict';

/** What reading finds wrong, before any rule runs. */
export const READING_RULES = {
  unreadable: { rule: 'KARP-001', name: 'unreadable-input' },
  duplicateObject: { rule: 'KARP-002', name: 'duplicate-object' },
  rejected: { rule: 'KARP-100', name: 'rejected-by-karpenter' },
  duplicateKey: { rule: 'KARP-109', name: 'duplicate-yaml-key' },
} as const;

/** That there is a field, or none, is wrong with any value: it does not help to put one in. */
const WHATEVER_THE_VALUE = /^(is no field|must be (set|absent))\b/;

const NO_SUBJECT = { apiVersion: '', kind: '', namespace: '', name: '' } as const;

/** Collects findings while manifests are read. */
export class ProblemLog {
  public readonly findings: Finding[];

  public constructor(found: readonly Finding[] = []) {
    this.findings = [...found];
  }

  /** Of a file or document that cannot be used at all. */
  public addUnreadable(source: SourceText, problem: Unreadable): void {
    this.addUnreadableAt({ file: source.path, ...source.position(problem.offset), path: '' }, problem, 'error');
  }

  public addUnreadableAt(location: SourceLocation, { message, remedy }: Pick<Unreadable, 'message' | 'remedy'>, severity: 'error' | 'info'): void {
    this.findings.push({ ...READING_RULES.unreadable, severity, subject: NO_SUBJECT, location, message, remedy, evidence: {} });
  }

  public addDocumentProblem(source: SourceText, problem: DocumentProblem): void {
    if (problem.kind === 'unreadable') return this.addUnreadable(source, problem);
    this.findings.push({
      ...READING_RULES.duplicateKey,
      severity: 'error',
      subject: NO_SUBJECT,
      location: { file: source.path, ...source.position(problem.offset), path: '' },
      message: problem.message,
      remedy: problem.remedy,
      evidence: { key: problem.key },
    });
  }

  /** What the API server or Karpenter refuses; `misread` fields are accepted, and do not mean what they say. */
  public addFieldProblem(object: ManifestObject, problem: FieldProblem): void {
    const severity = problem.consequence === 'misread' ? 'warning' : 'error';
    const message = `${formatFieldPath(problem.path)}: ${problem.problem}, got ${formatValue(problem.got)}`;
    const remedy = WHATEVER_THE_VALUE.test(problem.problem) ? problem.remedy : placeholderRemedy(problem.got) ?? problem.remedy;
    this.add(READING_RULES.rejected, severity, object, problem.path, message, remedy, {
      consequence: problem.consequence,
      got: problem.got ?? null,
      ...(problem.apiServer ? { apiServer: problem.apiServer } : {}),
    });
  }

  public add(
    rule: { readonly rule: string; readonly name: string }, severity: Finding['severity'], object: ManifestObject, path: FieldPath,
    message: string, remedy: string, evidence: Readonly<Record<string, unknown>> = {},
  ): void {
    this.findings.push({ ...rule, severity, subject: subjectOf(object), location: object.locate(path), message, remedy, evidence });
  }
}

export function subjectOf(object: ManifestObject): Finding['subject'] {
  return { apiVersion: object.apiVersion, kind: object.kind, namespace: object.namespace ?? '', name: object.name };
}
