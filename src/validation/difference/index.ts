import { check } from '../engine';
import { SourceFile } from '../manifest';
import { CheckOptions } from '../options';
import { Verdict } from '../report/verdict';
import { stagedOf } from '../scenario';
import { Difference } from './difference';
import { driftDifferences } from './drift';
import { findingDifferences } from './findings';
import { nodePoolDifferences } from './node-pools';
import { objectDifferences } from './objects';

export type * from './difference';

export interface Compared {
  readonly difference: Difference;
  readonly before: Verdict;
  readonly after: Verdict;
}

/**
 * What a change of manifests does: to nodes and what they cost, to what NodePools can launch, to pods and to findings, and which nodes drift by it.
 *
 * @throws Error if an option has a value that it cannot have; bad input never throws, but becomes findings
 */
export function compare(before: readonly SourceFile[], after: readonly SourceFile[], options: CheckOptions = {}): Compared {
  const [old, current] = [check(before, options), check(after, options)];
  const [oldStage, stage] = [stagedOf(before, options, undefined), stagedOf(after, options, undefined)];
  const unplaced = new Set(old.unschedulable.map(({ pod }) => pod));
  const stillUnplaced = new Set([...current.unschedulable, ...current.notEvaluated].map(({ pod }) => pod));
  const difference: Difference = {
    schemaVersion: '1',
    summary: { before: old.summary, after: current.summary },
    objects: objectDifferences(oldStage.scene.model.objects, stage.scene.model.objects),
    nodePools: nodePoolDifferences(old, current),
    unschedulable: current.unschedulable.filter(({ pod }) => !unplaced.has(pod)),
    resolved: [...unplaced].filter((pod) => !stillUnplaced.has(pod)),
    drift: driftDifferences(oldStage, stage),
    findings: findingDifferences(old.findings, current.findings),
    assumptions: current.assumptions,
  };
  return { difference, before: old, after: current };
}
