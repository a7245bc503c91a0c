import { Difference } from './difference';
import { PENDING_POD_RULES } from '../check/attach-to-causes';
import { eachSubject } from '../vocabulary/subject';
import { Finding, Verdict, WorkloadVerdict } from '../vocabulary/verdict';

/**
 * Findings that only one verdict has. Findings with the same rule, severity, object and field are equal, because lines
 * move and figures change. Only if more pods stay without a node than before is the finding new: it costs more.
 */
export function findingDifferences(before: Verdict, after: Verdict): Difference['findings'] {
  const [old, current] = [before, after].map(({ findings }) => findings.flatMap(eachSubject));
  const { missing: added, matched } = notIn(old, current);
  const worse = matched
    .filter(([former, now]) => pendingPods(now, after) > pendingPods(former, before))
    .map(([, now]) => now);
  return {
    added: merged(
      current.filter((finding) => added.includes(finding) || worse.includes(finding)),
      after,
    ),
    removed: merged(notIn(current, old).missing, before),
  };
}

/** A finding about several objects is one finding again, if all of them are listed. */
function merged(listed: readonly Finding[], { findings }: Verdict): Finding[] {
  const keys = new Set(listed.map(keyOf));
  const whole = findings.filter(
    (finding) => finding.also !== undefined && eachSubject(finding).every((single) => keys.has(keyOf(single))),
  );
  const ofWhole = new Map(whole.flatMap((finding) => eachSubject(finding).map((single) => [keyOf(single), finding])));
  return [...new Set(listed.map((finding) => ofWhole.get(keyOf(finding)) ?? finding))];
}

interface Matches {
  /** Findings that the others do not have. */
  readonly missing: readonly Finding[];
  /** Pairs of one of the others and its equal. */
  readonly matched: ReadonlyArray<readonly [Finding, Finding]>;
}

function notIn(others: readonly Finding[], findings: readonly Finding[]): Matches {
  const unmatched = new Map<string, Finding[]>();
  for (const finding of others) unmatched.set(keyOf(finding), [...(unmatched.get(keyOf(finding)) ?? []), finding]);
  const missing: Finding[] = [];
  const matched: Array<readonly [Finding, Finding]> = [];
  for (const finding of findings) {
    const other = unmatched.get(keyOf(finding))?.shift();
    if (other === undefined) missing.push(finding);
    else matched.push([other, finding]);
  }
  return { missing, matched };
}

function keyOf({ rule, severity, subject: { kind, namespace, name }, location: { path }, message }: Finding): string {
  // Only its message identifies a finding without an object.
  return JSON.stringify([rule, severity, kind, namespace, name, kind === '' ? message : path]);
}

/** How many pods have no node because of the finding; 0 if it is not about pods without a node. */
function pendingPods({ rule, subject, evidence: { waitingPods } }: Finding, { workloads }: Verdict): number {
  if (typeof waitingPods === 'number') return waitingPods;
  if (!PENDING_POD_RULES.has(rule)) return 0;
  const isSubject = ({ kind, namespace, name }: WorkloadVerdict) =>
    kind === subject.kind && name === subject.name && ['', namespace].includes(subject.namespace);
  return workloads
    .filter(isSubject)
    .reduce((sum, { pods, scheduledPods }) => sum + Math.max(0, pods - scheduledPods), 0);
}
