import { FittingChange, smallestFittingChanges } from '../../explain/fitting-changes';
import { RuleContext } from '../../rules';
import { Finding } from '../../vocabulary/verdict';
import { isAbout, PENDING_POD_RULES, pendingWorkloads } from '../attach-to-causes';

/** The end of a remedy that only says how to find one. */
const POINTS_TO_EXPLAIN = '`karpenter-constructs explain';
const RANK: Readonly<Record<Finding['severity'], number>> = { error: 0, warning: 1, info: 2 };

/**
 * How pods without a node would fit, in the words of the finding about them, so that the list of these pods and the
 * finding never advise different things. A change that was not tried has a count of 0.
 */
export function changesInWordsOf(
  findings: readonly Finding[],
  context: RuleContext,
): ReadonlyMap<number, FittingChange> {
  const changes = new Map(smallestFittingChanges(context));
  for (const { manifest, groups } of pendingWorkloads(context)) {
    const [finding] = findings
      .filter(({ rule, ...about }) => PENDING_POD_RULES.has(rule) && isAbout(about, manifest))
      .sort((left, right) => RANK[left.severity] - RANK[right.severity]);
    if (finding === undefined || finding.remedy.includes(POINTS_TO_EXPLAIN)) continue;
    for (const group of groups) changes.set(group, inWordsOf(finding, changes.get(group)));
  }
  return changes;
}

function inWordsOf({ remedy, fix }: Finding, change: FittingChange | undefined): FittingChange {
  if (change?.description !== undefined) {
    // Another choice, and how a manifest writes the change, were not tried.
    const isTried = [`${change.description}:`, `${change.description}, or `].some((start) => remedy.startsWith(start));
    if (isTried || change.waitsFor !== undefined) return change;
    if (remedy.startsWith(change.description)) return { ...change, description: remedy };
  }
  const description = fix?.safe && !remedy.includes(' instead of ') ? fix.title : remedy;
  return { ...change, description, tried: 0 };
}
