import { listText, shortListText } from '../../model';
import { READING_RULES } from '../manifest';
import { Finding } from '../vocabulary/verdict';

const REJECTED = READING_RULES.rejected.rule;
/** A message names at most this many values of a list. */
const MOST_VALUES = 4;
/** The path of an entry or of a field in it, what is wrong with it, and its value. */
const ENTRY = /^(\S+)\[(\d+)\]([^\s[\]]*): (.*?)(?:, got (.*))?$/s;

interface Entry {
  readonly finding: Finding;
  readonly list: string;
  readonly index: number;
  /** The field in the entry, with a dot before it. Empty for the entry itself. */
  readonly field: string;
  readonly problem: string;
  readonly got?: string;
}

/** One finding for entries of one list that the API server refuses for one reason, such as numbers without quotes. */
export function withOneForEachList(findings: readonly Finding[]): Finding[] {
  const byList = new Map<string, Entry[]>();
  const keyOf = new Map<Finding, string>();
  for (const finding of findings) {
    const entry = entryOf(finding);
    if (entry === undefined) continue;
    const key = JSON.stringify([
      finding.subject,
      finding.severity,
      finding.location.file,
      entry.list,
      entry.field,
      entry.problem,
    ]);
    byList.set(key, [...(byList.get(key) ?? []), entry]);
    keyOf.set(finding, key);
  }
  return findings.flatMap((finding) => {
    const entries = byList.get(keyOf.get(finding) ?? '') ?? [];
    if (entries.length < 2 || !areAlike(entries)) return [finding];
    return entries[0].finding === finding ? [mergedFinding(entries)] : [];
  });
}

function entryOf(finding: Finding): Entry | undefined {
  if (finding.rule !== REJECTED) return undefined;
  const [, list, index, field, problem, got] = ENTRY.exec(finding.message) ?? [];
  return list === undefined ? undefined : { finding, list, index: Number(index), field, problem, got };
}

/** Whether the remedies differ in the index only. */
function areAlike(entries: readonly Entry[]): boolean {
  const [first] = entries.map(remedyOfEntry);
  const hasFix = entries.map(({ finding: { fix } }) => fix?.safe);
  return entries.every((entry) => remedyOfEntry(entry) === first) && new Set(hasFix).size === 1;
}

function remedyOfEntry({ finding: { remedy }, index }: Entry): string {
  return remedy.replaceAll(`[${index}]`, '');
}

function mergedFinding(entries: readonly Entry[]): Finding {
  const [{ finding, list, field, problem }] = entries;
  const values = entries.flatMap(({ got }) => got ?? []);
  const got = values.length === 0 ? '' : `, got ${shortListText(values, MOST_VALUES)}`;
  const indices = entries.map(({ index }) => index);
  const which =
    indices.length - 1 === indices[indices.length - 1] - indices[0]
      ? `[${indices[0]}] to [${indices[indices.length - 1]}]`
      : listText(indices.map((index) => `[${index}]`));
  const isQuoting = finding.remedy === 'put the value in quotes';
  return {
    ...finding,
    message: `${list}${which}${field}: each ${problem}${got}`,
    remedy: isQuoting ? `put the ${entries.length} values in quotes` : remedyOfEntry(entries[0]),
    evidence: { ...finding.evidence, ...mergedEvidence(entries) },
    ...mergedFix(entries),
  };
}

function mergedEvidence(entries: readonly Entry[]): Finding['evidence'] {
  const evidence = entries.map(({ finding }) => finding.evidence);
  const refusals = evidence.flatMap(({ apiServer }) => (typeof apiServer === 'string' ? [apiServer] : []));
  return {
    got: evidence.map(({ got }) => got ?? null),
    ...(refusals.length === 0 ? {} : { apiServer: refusals.join(', ') }),
  };
}

function mergedFix(entries: readonly Entry[]): Pick<Finding, 'fix'> {
  const fixes = entries.flatMap(({ finding: { fix } }) => fix ?? []);
  if (fixes.length === 0) return {};
  const isQuoting = fixes.every(({ title }) => / in quotes$/.test(title));
  return {
    fix: {
      ...fixes[0],
      title: isQuoting ? `put the ${fixes.length} values in quotes` : listText(fixes.map(({ title }) => title)),
      edits: fixes
        .flatMap(({ edits }) => edits)
        .sort((left, right) => left.line - right.line || left.column - right.column),
    },
  };
}
