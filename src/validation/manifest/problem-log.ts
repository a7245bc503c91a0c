import { isDeepStrictEqual } from 'node:util';
import { FieldPath, ManifestObject, SourceLocation } from './model';
import { PlaceholderNotes } from './placeholders/placeholder-notes';
import { countPools, mentionsJudged } from './source/embedded-manifests';
import { SourceText, Unreadable } from './source/source-text';
import { DocumentProblem } from './yaml/source-document';
import {
  FieldFix,
  FieldProblem,
  formatFieldPath,
  formatGot,
  removeField,
  safeFix,
  setField,
  unsafeFix,
} from '../../contract';
import { countText, shortListText } from '../../model';
import { fixOf, withRenderedSource } from './edit/fix-of';
import { Finding } from '../vocabulary/verdict';

/** The rules of findings that reading the input reports, before any other rule runs. */
export const READING_RULES = {
  unreadable: { rule: 'KARP-001', name: 'unreadable-input' },
  duplicateObject: { rule: 'KARP-002', name: 'duplicate-object' },
  podsNotEvaluated: { rule: 'KARP-004', name: 'pods-not-evaluated' },
  rejected: { rule: 'KARP-100', name: 'rejected-by-karpenter' },
  duplicateKey: { rule: 'KARP-109', name: 'duplicate-yaml-key' },
} as const;

/** Problems with the presence of a field: its value does not matter. */
const PRESENCE_PROBLEM = /^(is no field|unknown field|must be (set|absent))\b/;

const NO_SUBJECT = { apiVersion: '', kind: '', namespace: '', name: '' } as const;

/** Collects findings while manifests are read. */
export class ProblemLog {
  public readonly findings: Finding[];
  /** The values that are unknown because they are placeholders. */
  public readonly placeholders = new PlaceholderNotes();

  public constructor(earlier: readonly Finding[] = []) {
    this.findings = [...earlier];
  }

  /** Reports a file or document that cannot be used at all. */
  public addUnreadable(
    source: SourceText,
    problem: Unreadable,
    severity: Finding['severity'] = problem.severity ?? 'error',
  ): void {
    const location = { file: source.path, ...source.position(problem.offset), path: '' };
    const nodePools = countPools(source.text);
    this.addUnreadableAt(location, problem, severity, nodePools > 0 ? { nodePools } : {});
  }

  public addUnreadableAt(
    location: SourceLocation,
    { message, remedy }: Pick<Unreadable, 'message' | 'remedy'>,
    severity: Finding['severity'],
    evidence: Finding['evidence'] = {},
  ): void {
    this.findings.push({
      ...READING_RULES.unreadable,
      severity,
      subject: NO_SUBJECT,
      location,
      message,
      remedy,
      evidence,
    });
  }

  /** @param isEmbedding whether objects are only in a text of the file, such as a script in the values of a chart */
  public addDocumentProblem(source: SourceText, problem: DocumentProblem, isEmbedding = false): void {
    if (problem.kind === 'unreadable') {
      const severity = !problem.isTemplate ? 'error' : mentionsJudged(source.text) ? 'warning' : 'info';
      return this.addUnreadable(source, problem, isEmbedding ? 'info' : severity);
    }
    this.findings.push({
      ...READING_RULES.duplicateKey,
      severity: problem.isHarmless ? 'info' : 'error',
      subject: NO_SUBJECT,
      location: { file: source.path, ...source.position(problem.offset), path: '' },
      message: problem.message,
      remedy: problem.remedy,
      evidence: { key: problem.key },
    });
  }

  /** Templates that the same program renders become one finding, at the first of them. */
  public mergeTemplates(): void {
    const keyOf = ({ rule, severity, message }: Finding) => {
      const template = rule === READING_RULES.unreadable.rule ? TEMPLATE.exec(message) : null;
      return template && JSON.stringify([severity, template[1]]);
    };
    const byKey = new Map<string | null, Finding[]>();
    for (const finding of this.findings) byKey.set(keyOf(finding), [...(byKey.get(keyOf(finding)) ?? []), finding]);
    const merged = this.findings.flatMap((finding) => {
      const key = keyOf(finding);
      const same = key === null ? [finding] : byKey.get(key)!;
      return same[0] !== finding ? [] : same.length === 1 ? [finding] : [oneTemplateFinding(same)];
    });
    this.findings.splice(0, this.findings.length, ...merged);
  }

  /**
   * Reports a field that the API server or Karpenter rejects; a `misread` field is accepted, but has another meaning
   * than intended.
   */
  public addFieldProblem(object: ManifestObject, problem: FieldProblem): void {
    const severity = problem.consequence === 'misread' && problem.isSevere !== true ? 'warning' : 'error';
    const isPresenceProblem = PRESENCE_PROBLEM.test(problem.problem);
    const got = isPresenceProblem ? '' : `, got ${formatGot(problem)}`;
    const message = `${formatFieldPath(problem.path)}: ${problem.problem}${got}`;
    const evidence = {
      consequence: problem.consequence,
      got: problem.got ?? null,
      ...(problem.apiServer ? { apiServer: problem.apiServer } : {}),
    };
    const fix = problem.fix ?? removalOf(problem) ?? listFix(problem);
    const remedy = `${problem.remedy}${quoteHint(problem, object.locate(problem.path).file)}`;
    this.add(READING_RULES.rejected, severity, object, problem.path, message, remedy, evidence, fix);
  }

  /** Whether a field is reported as refused. */
  public hasProblemAt(object: ManifestObject, path: FieldPath): boolean {
    const location = object.locate(path);
    return this.findings.some(
      (finding) => finding.rule === READING_RULES.rejected.rule && isDeepStrictEqual(finding.location, location),
    );
  }

  /** Notes a value that is unknown because it is a placeholder. Other values are ignored, and those of KARP-010. */
  public notePlaceholder(object: ManifestObject, path: FieldPath, value: unknown): void {
    if (object.emptied?.some(({ written }) => written === value)) return;
    this.placeholders.add(object.locate(path), value);
  }

  public add(
    rule: { readonly rule: string; readonly name: string },
    severity: Finding['severity'],
    object: ManifestObject,
    path: FieldPath,
    message: string,
    remedy: string,
    evidence: Readonly<Record<string, unknown>> = {},
    fieldFix?: FieldFix,
  ): void {
    const location = object.locate(path);
    // A patch of a kustomization would overwrite an edit of the file that it patches.
    const { source = object.rendered } = object;
    const isPatched = source !== undefined && source.file.path !== location.file;
    const fix = fieldFix && !isPatched ? fixOf(withRenderedSource(object), fieldFix) : undefined;
    this.findings.push({
      ...rule,
      severity,
      subject: subjectOf(object),
      location,
      message,
      remedy,
      evidence,
      ...(fix ? { fix } : {}),
    });
  }
}

/** Where the quotes of a rendered value come from, or are missing. */
function quoteHint({ remedy }: FieldProblem, file: string): string {
  if (!file.endsWith(RENDERED)) return '';
  if (/without quotes$/.test(remedy)) return ': the template adds them, for example with | quote';
  if (/^indent .* below /.test(remedy)) return ': the number of nindent in the template is too small';
  return remedy === 'put the value in quotes' ? ', for example with | quote in the template' : '';
}

/** The remedy `remove it`, or `remove weight`, as an edit. A requirement goes as a whole. */
function removalOf({ path, remedy }: FieldProblem): FieldFix | undefined {
  if (!/^remove it(:|$)/.test(remedy) && remedy !== `remove ${String(path.at(-1))}`) return undefined;
  const isOfRequirement = path.at(-1) === 'key' && typeof path.at(-2) === 'number';
  return unsafeFix(removeField(isOfRequirement ? path.slice(0, -1) : path));
}

/** A single value of a requirement as a list. A text with spaces or commas may stand for several. */
function listFix({ path, problem, got }: FieldProblem): FieldFix | undefined {
  const isSingle = typeof got === 'string' && /^[\w./:-]+$/.test(got);
  return problem === 'must be a list' && path.at(-1) === 'values' && isSingle
    ? safeFix(setField(path, [got]))
    : undefined;
}

const TEMPLATE = /^the file is a template of (.+?), and no YAML before it is rendered: /;
/** After the path of a template that helm has rendered. */
const RENDERED = ' (helm template)';
/** A finding about several files names at most this many. */
const MOST_FILES = 3;

function oneTemplateFinding(findings: readonly Finding[]): Finding {
  const [first] = findings;
  const [, filledInBy] = TEMPLATE.exec(first.message)!;
  const withPools = findings.filter(({ evidence }) => typeof evidence.nodePools === 'number');
  const files = [...new Set(findings.map(({ location }) => location.file))];
  return {
    ...first,
    message: `${countText(files.length, 'file')} are templates of ${filledInBy}, and no YAML before they are rendered: ${shortListText(files, MOST_FILES)}`,
    evidence:
      withPools.length === 0
        ? {}
        : {
            nodePools: withPools.reduce((sum, { evidence }) => sum + (evidence.nodePools as number), 0),
            places: withPools.map(({ location: { file, line } }) => `${file}:${line}`),
          },
  };
}

export function subjectOf(object: ManifestObject): Finding['subject'] {
  const { apiVersion, kind, namespace = '', name } = object.madeBy ?? object;
  return { apiVersion, kind, namespace, name };
}
