import { Difference } from './difference';
import { driftDifferences } from './drift';
import { nodePoolDifferences } from './node-pools';
import { objectDifferences } from './objects';
import { checkSession } from '../check/check';
import { CheckOptions } from '../check-options';
import { readSession } from '../context/check-session';
import { SourceFile } from '../manifest';
import { prepareCluster } from '../scenario';
import { Finding, Verdict } from '../vocabulary/verdict';

export type * from './difference';

export interface Comparison {
  readonly difference: Difference;
  readonly before: Verdict;
  readonly after: Verdict;
}

/**
 * Compares two versions of the manifests: planned nodes and prices, what NodePools can launch, unschedulable pods,
 * findings, and the nodes that drift.
 *
 * @throws Error if an option has an invalid value; bad manifests never throw, they become findings
 */
export function compare(
  before: readonly SourceFile[],
  after: readonly SourceFile[],
  options: CheckOptions = {},
): Comparison {
  // Only after the change does it matter that an acknowledgement matches nothing.
  const optionsBefore =
    options.acknowledge === undefined
      ? options
      : { ...options, acknowledge: { ...options.acknowledge, isPartial: true } };
  const [oldSession, newSession] = [readSession(before, optionsBefore), readSession(after, options)];
  const [oldVerdict, newVerdict] = [checkSession(oldSession), checkSession(newSession)];
  const [oldCluster, newCluster] = [prepareCluster(oldSession), prepareCluster(newSession)];
  const unschedulableBefore = new Set(oldVerdict.unschedulable.map(({ pod }) => pod));
  const notPlacedAfter = new Set([...newVerdict.unschedulable, ...newVerdict.notEvaluated].map(({ pod }) => pod));
  const difference: Difference = {
    schemaVersion: '1',
    summary: { before: oldVerdict.summary, after: newVerdict.summary },
    objects: objectDifferences(oldCluster.context.model.objects, newCluster.context.model.objects),
    nodePools: nodePoolDifferences(oldVerdict, newVerdict),
    unschedulable: newVerdict.unschedulable.filter(({ pod }) => !unschedulableBefore.has(pod)),
    resolved: [...unschedulableBefore].filter((pod) => !notPlacedAfter.has(pod)),
    drift: driftDifferences(oldCluster, newCluster),
    findings: findingDifferences(oldVerdict.findings, newVerdict.findings),
    ...(newVerdict.acknowledged === undefined ? {} : { acknowledged: newVerdict.acknowledged }),
    assumptions: newVerdict.assumptions,
  };
  return { difference, before: oldVerdict, after: newVerdict };
}

/**
 * Findings that only one verdict has. Findings with the same rule, severity, object and field are equal, because lines
 * move and figures change.
 */
function findingDifferences(before: readonly Finding[], after: readonly Finding[]): Difference['findings'] {
  return { added: notIn(before, after), removed: notIn(after, before) };
}

function notIn(others: readonly Finding[], findings: readonly Finding[]): Finding[] {
  const counts = new Map<string, number>();
  for (const finding of others) counts.set(keyOf(finding), (counts.get(keyOf(finding)) ?? 0) + 1);
  return findings.filter((finding) => {
    const remaining = counts.get(keyOf(finding)) ?? 0;
    counts.set(keyOf(finding), remaining - 1);
    return remaining <= 0;
  });
}

function keyOf({ rule, severity, subject: { kind, namespace, name }, location: { path }, message }: Finding): string {
  // Only its message identifies a finding without an object.
  return JSON.stringify([rule, severity, kind, namespace, name, kind === '' ? message : path]);
}
