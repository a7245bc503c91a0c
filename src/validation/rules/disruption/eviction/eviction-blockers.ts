import { isBatch, protectionOfPods } from './pod-protection';
import { DISRUPTED_TAINT, DO_NOT_DISRUPT } from '../../../../contract';
import { listText, memoizeByIdentity, untolerated } from '../../../../model';
import { ManifestDisruption } from '../../../manifest/karpenter/pool-disruption';
import { ManifestObject, WorkloadManifest } from '../../../manifest/model';
import { poolNamesOf } from '../../common/placements';
import { pdbsSelecting } from '../../common/pod-disruption-budgets';
import { RuleContext } from '../../rule';
import { pdbBlocksEverything } from '../pdb/pdb-blocks-everything';

/**
 * The object or annotation that keeps Karpenter from ever evicting the workload's pods, until the
 * terminationGracePeriod of their node ends. Undefined for pods of Jobs, which finish by themselves, for a
 * do-not-disrupt duration, which ends, and for pods that tolerate the disrupted taint, because a drain does not
 * wait for them.
 *
 * @see https://github.com/kubernetes-sigs/karpenter/blob/v1.15.0/pkg/utils/pod/scheduling.go
 */
export function evictionBlocker(context: RuleContext, workload: WorkloadManifest): string | undefined {
  if (isBatch(workload) || untolerated([DISRUPTED_TAINT], workload.shape?.tolerations ?? []).length === 0)
    return undefined;
  if (protectionOfPods(workload).kind === 'always') return DO_NOT_DISRUPT;
  const pdbs = pdbsSelecting(context.model, workload);
  if (pdbs.length > 1) return `PodDisruptionBudgets ${listText(pdbs.map(({ name }) => name).sort())}`;
  return pdbs.some(({ object }) => blockingPdbs(context).has(object))
    ? `PodDisruptionBudget ${pdbs[0].name}`
    : undefined;
}

/** The same, but only if no NodePool of the workload's planned nodes has a terminationGracePeriod. */
export function permanentEvictionBlocker(
  context: RuleContext,
  workload: WorkloadManifest,
  pools: ReadonlyMap<string, ManifestDisruption>,
): string | undefined {
  const names = poolNamesOf(context, workload);
  const endless = names.length > 0 && names.every((name) => hasNoDrainDeadline(pools.get(name)));
  return endless ? evictionBlocker(context, workload) : undefined;
}

export function hasNoDrainDeadline(pool: ManifestDisruption | undefined): boolean {
  return pool !== undefined && pool.terminationGracePeriod === undefined;
}

const blockingPdbs = memoizeByIdentity(
  (context: RuleContext): ReadonlySet<ManifestObject> =>
    new Set(
      pdbBlocksEverything
        .check(context)
        .flatMap((outcome) => (outcome.state === 'fail' ? [outcome.finding.object] : [])),
    ),
);
