import { costDifference } from './costs';
import { Difference } from './difference';
import { driftDifferences } from './drift';
import { findingDifferences } from './findings';
import { nodePoolDifferences } from './node-pools';
import { objectDifferences } from './objects';
import { checkSession } from '../check/check';
import { CheckOptions } from '../check-options';
import { readSession } from '../context/check-session';
import { SourceFile } from '../manifest';
import { prepareCluster } from '../scenario';
import { Verdict } from '../vocabulary/verdict';

export type * from './difference';

const DEFAULT_COST_BY = 'workload';

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
  { costBy = DEFAULT_COST_BY, ...given }: CheckOptions = {},
): Comparison {
  const options = { ...given, costBy };
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
  const costs = costDifference(oldVerdict, newVerdict);
  const difference: Difference = {
    schemaVersion: '1',
    summary: { before: oldVerdict.summary, after: newVerdict.summary },
    ...settledRanges(oldVerdict, newVerdict),
    objects: objectDifferences(oldCluster.context.model.objects, newCluster.context.model.objects),
    nodePools: nodePoolDifferences(oldVerdict, newVerdict),
    ...(costs === undefined ? {} : { costs }),
    unschedulable: newVerdict.unschedulable.filter(({ pod }) => !unschedulableBefore.has(pod)),
    resolved: [...unschedulableBefore].filter((pod) => !notPlacedAfter.has(pod)),
    drift: driftDifferences(oldCluster, newCluster),
    findings: findingDifferences(oldVerdict, newVerdict),
    ...(newVerdict.acknowledged === undefined ? {} : { acknowledged: newVerdict.acknowledged }),
    assumptions: newVerdict.assumptions,
  };
  return { difference, before: oldVerdict, after: newVerdict };
}

function settledRanges({ settled: before }: Verdict, { settled: after }: Verdict): Pick<Difference, 'settled'> {
  return before || after ? { settled: { before: before ?? null, after: after ?? null } } : {};
}
