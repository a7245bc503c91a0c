import { annotatedAcknowledgements, ObjectAcknowledgements } from './annotations';
import { BaselineMatcher } from './baseline';
import { countText, nearestName, shortListText } from '../../model';
import { ManifestObject, READING_RULES } from '../manifest';
import {
  Acknowledgement,
  AcknowledgeOptions,
  ACKNOWLEDGEMENT_RULE,
  BaselineEntry,
} from '../vocabulary/acknowledgement';
import { objectOf } from '../vocabulary/subject';
import { AcknowledgedFinding, Finding } from '../vocabulary/verdict';

const NO_SUBJECT = { apiVersion: '', kind: '', namespace: '', name: '' } as const;
/** Entries of a baseline that a finding names. */
const MAX_NAMED = 5;

/** The findings that count, and those that the user has accepted. */
export interface AcknowledgedFindings {
  readonly findings: readonly Finding[];
  readonly acknowledged: readonly AcknowledgedFinding[];
}

/** An acknowledgement, with the object whose annotation states it. */
interface Candidate {
  readonly entry: Acknowledgement;
  readonly object?: ManifestObject;
}

/**
 * Separates accepted findings from those that count. An acknowledgement that matches nothing or has ended becomes a
 * finding itself.
 */
export function acknowledgeFindings(
  given: readonly Finding[],
  objects: readonly ManifestObject[],
  options: AcknowledgeOptions = {},
): AcknowledgedFindings {
  const annotations = annotatedAcknowledgements(objects);
  const candidates = [
    ...(options.entries ?? []).map((entry): Candidate => ({ entry })),
    ...annotations.flatMap(candidatesOf),
  ];
  const baseline = new BaselineMatcher(options.baseline?.findings ?? []);
  const used = new Set<Candidate>();
  const ended = new Set<Candidate>();
  const findings: Finding[] = [];
  const acknowledged: AcknowledgedFinding[] = [];
  for (const finding of given.map((written) => withSeverity(written, options))) {
    const matching = isInputLost(finding) ? [] : candidates.filter((candidate) => isAbout(candidate, finding));
    for (const candidate of matching) (hasEnded(candidate.entry, options.today) ? ended : used).add(candidate);
    const candidate = matching.find(({ entry }) => !hasEnded(entry, options.today));
    const isInBaseline = !isInputLost(finding) && baseline.takes(finding);
    if (candidate) acknowledged.push(byEntry(finding, candidate));
    else if (options.baseline && isInBaseline) acknowledged.push(byBaseline(finding, options.baseline.file));
    else findings.push(finding);
  }
  const isReported = (candidate: Candidate) =>
    ended.has(candidate) || candidate.object !== undefined || !options.isPartial;
  const unmatched = candidates.filter((candidate) => !used.has(candidate) && isReported(candidate));
  const problems = [
    ...annotations.flatMap(({ refused }) => refused),
    ...unmatched.map((candidate) =>
      withoutEffect(candidate, ended.has(candidate), meantSubject(candidate, findings, objects)),
    ),
    ...(options.baseline && !options.isPartial ? baselineFindings(options.baseline.file, baseline.unmatched()) : []),
  ];
  return { findings: [...findings, ...problems], acknowledged };
}

/** Entries of the options that match in none of several inputs. */
export function unmatchedEntries(options: AcknowledgeOptions, acknowledged: readonly AcknowledgedFinding[]): Finding[] {
  const entries = options.entries?.filter((entry) => !hasEnded(entry, options.today));
  const { findings } = acknowledgeFindings(acknowledged, [], {
    ...options,
    entries,
    severities: undefined,
    isPartial: false,
  });
  return findings.filter(({ rule }) => rule === ACKNOWLEDGEMENT_RULE.rule);
}

/** Sentences about the severities that the user has changed. */
export function severitySentences({ severities }: AcknowledgeOptions = {}): string[] {
  return [...(severities ?? [])].map(
    ([rule, { severity, place }]) => `findings of ${rule} count as ${severity} (${place})`,
  );
}

/** Whether a baseline may contain the finding. */
export function isBaselined(finding: Finding): boolean {
  return !isInputLost(finding) && finding.rule !== ACKNOWLEDGEMENT_RULE.rule;
}

function candidatesOf({ object, entries }: ObjectAcknowledgements): Candidate[] {
  return entries.map((entry) => ({ entry, object }));
}

/** An input that cannot be read is not judged, so accepting that would accept mistakes that nobody has seen. */
function isInputLost({ rule, severity }: Finding): boolean {
  return rule === READING_RULES.unreadable.rule && severity === 'error';
}

function withSeverity(finding: Finding, { severities }: AcknowledgeOptions): Finding {
  const severity = isInputLost(finding) ? undefined : severities?.get(finding.rule)?.severity;
  return severity === undefined ? finding : { ...finding, severity };
}

function isAbout({ entry, object }: Candidate, { rule, subject }: Finding): boolean {
  if (entry.rule !== rule) return false;
  if (object)
    return (
      subject.kind === object.kind && subject.name === object.name && subject.namespace === (object.namespace ?? '')
    );
  return entry.subject === undefined || matchesSubject(entry.subject, subject);
}

/** Dates of the form `YYYY-MM-DD` sort like their days. */
function hasEnded({ until }: Acknowledgement, today: string | undefined): boolean {
  return until !== undefined && today !== undefined && today > until;
}

function byEntry(finding: Finding, { entry: { reason, until, location }, object }: Candidate): AcknowledgedFinding {
  const by = object ? ('annotation' as const) : ('file' as const);
  return {
    ...finding,
    acknowledgement: { by, reason, ...(until === undefined ? {} : { until }), place: placeOf(location) },
  };
}

function byBaseline(finding: Finding, file: string): AcknowledgedFinding {
  return { ...finding, acknowledgement: { by: 'baseline', reason: 'in the baseline', place: file } };
}

function withoutEffect({ entry, object }: Candidate, isOver: boolean, meant: string | undefined): Finding {
  const { rule, subject, until, location } = entry;
  const about = subject === undefined ? '' : ` about ${subject}`;
  if (meant !== undefined && !isOver)
    return {
      ...ACKNOWLEDGEMENT_RULE,
      severity: 'warning',
      subject: NO_SUBJECT,
      location,
      message: `the acknowledgement of ${rule}${about} matches no object, and the finding about ${meant} still counts`,
      remedy: `write ${meant}, or remove the acknowledgement`,
      evidence: { rule, subject: subject ?? null, until: until ?? null, meant },
    };
  return {
    ...ACKNOWLEDGEMENT_RULE,
    severity: isOver ? 'error' : 'info',
    subject: object
      ? { apiVersion: object.apiVersion, kind: object.kind, namespace: object.namespace ?? '', name: object.name }
      : NO_SUBJECT,
    location,
    message: isOver
      ? `the acknowledgement of ${rule}${about} ended on ${until}, so the finding counts again`
      : `the acknowledgement of ${rule}${about} matches no finding`,
    remedy: isOver ? 'fix the finding, or write a later date in until' : 'remove it, or correct its rule and object',
    evidence: { rule, subject: subject ?? null, until: until ?? null },
  };
}

function baselineFindings(file: string, entries: readonly BaselineEntry[]): Finding[] {
  if (entries.length === 0) return [];
  const names = entries.map((entry) => (entry.kind === '' ? entry.rule : `${entry.rule} of ${objectOf(entry)}`));
  return [
    {
      ...ACKNOWLEDGEMENT_RULE,
      severity: 'info',
      subject: NO_SUBJECT,
      location: { file, line: 1, column: 1, path: '' },
      message: `${countText(entries.length, 'finding of the baseline no longer exists', 'findings of the baseline no longer exist')}: ${shortListText(names, MAX_NAMED)}`,
      remedy: `write the baseline again with --write-baseline ${file}`,
      evidence: { entries: entries.length },
    },
  ];
}

function placeOf({ file, line, column }: Finding['location']): string {
  return `${file}:${line}:${column}`;
}

/** The kind may be a type of CloudFormation, such as `AWS::SQS::Queue`. */
const PARTS = /^([A-Za-z\d*:-]+)[/ ](?:([^/\s]+)\/)?([^/\s]+)$/;

/** Whether a text is `Kind/name`, `Kind/namespace/name`, or `Kind namespace/name` as reports print it. */
export function isSubject(text: string): boolean {
  return PARTS.test(text);
}

/**
 * The object that the subject of an entry means, if it matches no object: one with that name in another namespace, or
 * with a similar name. It has an error or a warning of the rule that still counts.
 */
function meantSubject(
  { entry: { rule, subject } }: Candidate,
  findings: readonly Finding[],
  objects: readonly ManifestObject[],
): string | undefined {
  // Without objects, the findings are accepted ones of several inputs.
  if (objects.length === 0) return undefined;
  const [, kind, namespace, name] = PARTS.exec(subject ?? '') ?? [];
  if (subject === undefined || kind === undefined || subject.includes('*')) return undefined;
  const isObject = objects.some((object) => matchesSubject(subject, { ...object, namespace: object.namespace ?? '' }));
  if (isObject) return undefined;
  const ofRule = findings.filter(
    (finding) => finding.rule === rule && finding.severity !== 'info' && finding.subject.kind === kind,
  );
  const found = ofRule.map((finding) => finding.subject);
  const isThere = (other: Finding['subject']) =>
    namespace === undefined || namespace === (other.namespace === '' ? 'default' : other.namespace);
  const sameName = found.filter((other) => other.name === name);
  const near = nearestName(
    name,
    found.filter(isThere).map((other) => other.name),
  );
  const meant = sameName.length > 0 ? sameName : found.filter((other) => isThere(other) && other.name === near);
  const texts = new Set(
    meant.map((other) => [kind, other.namespace, other.name].filter((part) => part !== '').join('/')),
  );
  return texts.size === 1 ? [...texts][0] : undefined;
}

/** Whether the object of a finding matches. A subject without a namespace matches in every namespace. */
function matchesSubject(text: string, { kind, namespace, name }: Finding['subject']): boolean {
  const [, wantedKind, wantedNamespace, wantedName] = PARTS.exec(text) ?? [];
  if (wantedKind === undefined) return false;
  const isNamespace =
    wantedNamespace === undefined || matches(wantedNamespace, namespace === '' ? 'default' : namespace);
  return matches(wantedKind, kind) && isNamespace && matches(wantedName, name);
}

function matches(pattern: string, text: string): boolean {
  const escaped = pattern.split('*').map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${escaped.join('.*')}$`).test(text);
}
