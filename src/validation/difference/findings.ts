import { Difference } from './difference';
import { Finding } from '../report/verdict';

/** Findings that only one has. Lines move and figures change: one is the same of which rule, severity, object and field are. */
export function findingDifferences(before: readonly Finding[], after: readonly Finding[]): Difference['findings'] {
  return { added: notIn(before, after), removed: notIn(after, before) };
}

function notIn(known: readonly Finding[], findings: readonly Finding[]): Finding[] {
  const counts = new Map<string, number>();
  for (const finding of known) counts.set(keyOf(finding), (counts.get(keyOf(finding)) ?? 0) + 1);
  return findings.filter((finding) => {
    const left = counts.get(keyOf(finding)) ?? 0;
    counts.set(keyOf(finding), left - 1);
    return left <= 0;
  });
}

function keyOf({ rule, severity, subject: { kind, namespace, name }, location: { path }, message }: Finding): string {
  // Of what is no object nothing else tells which it is.
  return JSON.stringify([rule, severity, kind, namespace, name, kind === '' ? message : path]);
}
