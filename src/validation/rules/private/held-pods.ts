import { budgetsOf } from './budgets-of-pods';
import { poolNamesOf } from './placements';
import { PoolDisruption } from './pool-disruption';
import { isBatch, protectionOfPods } from './protection';
import { joinNames } from './wording';
import { DISRUPTED_TAINT } from '../../../contract';
import { untolerated } from '../../../model';
import { ManifestObject, WorkloadManifest } from '../../manifest/model';
import { oncePer } from '../../once-per';
import { PdbBlocksEverything } from '../pdb-blocks-everything';
import { RuleContext } from '../rule';

/**
 * What keeps Karpenter from ever ending the pods of a workload, until the terminationGracePeriod of their node is over: pods of Jobs end by
 * themselves, a duration is over one day, and what tolerates the taint of nodes that go is not waited for.
 *
 * @see https://github.com/kubernetes-sigs/karpenter/blob/v1.15.0/pkg/utils/pod/scheduling.go
 */
export function whyHeld(context: RuleContext, workload: WorkloadManifest): string | undefined {
  if (isBatch(workload) || untolerated([DISRUPTED_TAINT], workload.shape?.tolerations ?? []).length === 0) return undefined;
  if (protectionOfPods(workload).kind === 'always') return 'karpenter.sh/do-not-disrupt';
  const budgets = budgetsOf(context.model, workload);
  if (budgets.length > 1) return `PodDisruptionBudgets ${joinNames(budgets.map(({ name }) => name).sort())}`;
  return budgets.some(({ object }) => blockingIn(context).has(object)) ? `PodDisruptionBudget ${budgets[0].name}` : undefined;
}

/** The same where all nodes that the plan has for them are of NodePools whose drains have no end. */
export function whyHeldForEver(context: RuleContext, workload: WorkloadManifest, pools: ReadonlyMap<string, PoolDisruption>): string | undefined {
  const names = poolNamesOf(context, workload);
  const endless = names.length > 0 && names.every((name) => isEndless(pools.get(name)));
  return endless ? whyHeld(context, workload) : undefined;
}

export function isEndless(pool: PoolDisruption | undefined): boolean {
  return pool !== undefined && pool.terminationGracePeriod === undefined;
}

const blockingIn = oncePer((context: RuleContext): ReadonlySet<ManifestObject> => new Set(new PdbBlocksEverything().check(context)
  .flatMap((outcome) => outcome.state === 'fail' ? [outcome.finding.object] : [])));
