import { Difference } from './difference';
import { PENDING_POD_RULES } from '../check/attach-to-causes';
import { Finding, Verdict, WorkloadVerdict } from '../vocabulary/verdict';

/**
 * Findings that only one verdict has. Findings with the same rule, severity, object and field are equal, because lines
 * move and figures change. Only if more pods stay without a node than before is the finding new: it costs more.
 */
export function findingDifferences(before: Verdict, after: Verdict): Difference['findings'] {
  const { missing: added, matched } = notIn(before.findings, after.findings);
  const worse = matched
    .filter(([old, now]) => pendingPods(now, after) > pendingPods(old, before))
    .map(([, now]) => now);
  return {
    added: after.findings.filter((finding) => added.includes(finding) || worse.includes(finding)),
    removed: notIn(after.findings, before.findings).missing,
  };
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
