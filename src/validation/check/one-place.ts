import { countText, shortListText } from '../../model';
import { READING_RULES } from '../manifest';
import { Finding } from '../vocabulary/verdict';

/** A message names at most this many objects. */
const MOST_OBJECTS = 3;
const RANK: Readonly<Record<Finding['severity'], number>> = { error: 2, warning: 1, info: 0 };
/** Ends the name of a file that helm makes of a template, in which each object has lines of its own. */
const TEMPLATE = ' (helm template)';
const WAITING = /; (?:the same change lets )?\d+ pods? of [^;]* (?:waits? for it|fit)$/;
/** Rules whose findings about different pods have different reasons, even if one template makes the pods. */
const ABOUT_PENDING_PODS: readonly string[] = ['KARP-105', 'KARP-106', 'KARP-211', 'KARP-213', 'KARP-301', 'KARP-318'];

/**
 * One finding for one place: if a line of a base, a patch or a template makes the same field of several objects, the
 * most severe finding stays, and names the other objects. Acknowledged findings are left out before, so that nothing is
 * accepted for another object.
 */
export function withOneForEachPlace(findings: readonly Finding[]): Finding[] {
  const byPlace = new Map<string, Finding[]>();
  for (const finding of findings) {
    const key = placeKey(finding);
    byPlace.set(key, [...(byPlace.get(key) ?? []), finding]);
  }
  return [...byPlace.values()].flatMap((same) => {
    const subjects = new Set(same.map(({ subject }) => JSON.stringify(subject)));
    return subjects.size < same.length || same.length === 1 ? same : [merged(same)];
  });
}

function placeKey(finding: Finding): string {
  const { rule, subject, location, remedy } = finding;
  const { file, line, column, path, resource, value, rendered } = location;
  const isAlone =
    file === '' || subject.kind === '' || resource !== undefined || rule === READING_RULES.unreadable.rule;
  if (isAlone) return JSON.stringify([rule, subject, location, finding.message]);
  const what = [rule, subject.kind, file, path, withoutName(remedy, subject)];
  // Pods of one template wait for different reasons. One value is one reason.
  if (rendered !== undefined && value === undefined && ABOUT_PENDING_PODS.includes(rule))
    return JSON.stringify([...what, line, column, rendered]);
  if (!file.endsWith(TEMPLATE)) return JSON.stringify([...what, line, column]);
  const text = finding.excerpt?.lines[line - finding.excerpt.line]?.trim();
  return JSON.stringify([...what, ABOUT_PENDING_PODS.includes(rule) ? line : text]);
}

function withoutName(text: string, { name }: Finding['subject']): string {
  // The words of a text, with the marks between them.
  return text
    .split(/([^\w.-]+)/)
    .map((word) => (word === name ? '*' : word))
    .join('');
}

function merged(same: readonly Finding[]): Finding {
  const [first, ...others] = [...same].sort(
    (left, right) => RANK[right.severity] - RANK[left.severity] || waitingPods(right) - waitingPods(left),
  );
  const { file, rendered, value } = first.location;
  const isOfTemplate = file.endsWith(TEMPLATE) || (rendered !== undefined && value === undefined);
  const where = value !== undefined ? 'value' : isOfTemplate ? 'template' : 'line';
  const names = others.map(({ subject: { namespace, name } }) => (namespace === '' ? name : `${namespace}/${name}`));
  const also = `${countText(others.length, `more ${first.subject.kind} has`, `more ${pluralOf(first.subject.kind)} have`)} this from the same ${where}: ${shortListText(names, MOST_OBJECTS)}`;
  return {
    ...first,
    ...withAllWaiting(first, same, also),
    also: others.map(({ subject }) => subject),
    ...fixOfAll(same),
  };
}

function pluralOf(kind: string): string {
  return /(?:s|x|ch)$/.test(kind) ? `${kind}es` : kind.endsWith('y') ? `${kind.slice(0, -1)}ies` : `${kind}s`;
}

/** The message, with the pods that wait for any of the findings. */
function withAllWaiting(
  { message, evidence }: Finding,
  same: readonly Finding[],
  also: string,
): Pick<Finding, 'message' | 'evidence'> {
  const pods = same.reduce((sum, finding) => sum + waitingPods(finding), 0);
  if (pods === 0) return { message: `${message}; ${also}`, evidence };
  const names = [
    ...new Set(
      same.flatMap((finding) => [finding.evidence.waitingWorkloads].flat().filter((name) => name !== undefined)),
    ),
  ].sort();
  const which = names.length === 1 ? String(names[0]) : countText(names.length, 'workload');
  const waiting = `${countText(pods, `pod of ${which} waits`, `pods of ${which} wait`)} for it`;
  return {
    message: `${message.replace(WAITING, '')}; ${also}; ${waiting}`,
    evidence: { ...evidence, waitingPods: pods, waitingWorkloads: names },
  };
}

function waitingPods({ evidence: { waitingPods: pods } }: Finding): number {
  return typeof pods === 'number' ? pods : 0;
}

/** The edits of all objects; they are the same edit if the objects share the place. */
function fixOfAll(same: readonly Finding[]): Pick<Finding, 'fix'> {
  const fixes = same.map(({ fix }) => fix);
  const [first] = fixes;
  if (first === undefined || fixes.some((fix) => fix?.file !== first.file)) return { fix: undefined };
  const edits = new Map(fixes.flatMap((fix) => fix!.edits.map((edit) => [JSON.stringify(edit), edit] as const)));
  const isOne = edits.size === first.edits.length;
  return isOne ? { fix: first } : {};
}
