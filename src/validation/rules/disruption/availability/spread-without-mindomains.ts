import { setField, unsafeFix } from '../../../../contract';
import { Label } from '../../../../model';
import { TopologySpread } from '../../../../scheduling';
import { WorkloadManifest } from '../../../manifest/model';
import { placementsOf } from '../../common/placements';
import { selectsOwnPods } from '../../common/pod-constraints';
import { poolsOf } from '../../common/pool';
import { defineRule, NOT_APPLICABLE, SubjectFinding } from '../../define-rule';
import { RuleContext } from '../../rule';
import { longRunningWorkloads } from '../../subjects';

/** @see https://karpenter.sh/docs/faq/ */
export const spreadWithoutMinDomains = defineRule({
  id: 'KARP-415',
  name: 'spread-without-mindomains',
  severity: 'info',
  isWorkloadAdvice: true,
  summary:
    'A zone spread without minDomains counts only zones that already have nodes: the first ready node may get all pods.',
  subjects: longRunningWorkloads({ where: ({ replicas }) => replicas > 1 }),
  judge(workload, context) {
    const index = zoneSpreadOf(workload);
    // Volumes tie pods to a zone: with minDomains, pods whose zone is full would stay Pending.
    if (index === undefined || hasVolumes(workload)) return NOT_APPLICABLE;
    const placements = placementsOf(context, workload);
    const zones = new Set(placements.flatMap(({ nodePool }) => zonesOfPool(context, nodePool))).size;
    // With 2 zones, minDomains: 2 would keep pods Pending when a zone is lost.
    if (zones < 3) return NOT_APPLICABLE;
    if (workload.shape!.topologySpread![index].minDomains !== undefined) return undefined;
    if (placements.some(({ claim }) => claim)) {
      return finding(
        workload,
        index,
        zones,
        `while there are none, the first node that is ready may get all ${workload.replicas} pods`,
      );
    }
    // Kubernetes counts zones that have nodes already.
    const [zone, ...others] = new Set(placements.flatMap((placement) => placement.zones));
    const pods = placements.reduce((sum, placement) => sum + placement.pods, 0);
    if (others.length > 0 || pods < 2) return undefined;
    return finding(workload, index, zones, `while no other zone had a node, ${zone} got all ${pods} pods`);
  },
});

function zonesOfPool(context: RuleContext, nodePool: string | undefined): readonly string[] {
  return poolsOf(context).find(({ name }) => name === nodePool)?.launch?.view.zones ?? [];
}

function finding(workload: WorkloadManifest, index: number, zones: number, consequence: string): SubjectFinding {
  const path = [...workload.podPath, 'topologySpreadConstraints', index];
  return {
    path,
    message: `spreads its pods only over zones that already have nodes: ${consequence}`,
    remedy: `write minDomains: ${zones - 1}, one less than the ${zones} zones of its NodePools, so that pods are still scheduled when a zone is lost`,
    evidence: { replicas: workload.replicas, zones },
    fix: unsafeFix(setField([...path, 'minDomains'], zones - 1)),
  };
}

/**
 * Index of the zone spread. A constraint that does not select the workload's own pods spreads none of them, so it
 * is left out.
 */
function zoneSpreadOf(workload: WorkloadManifest): number | undefined {
  const isOverZones = ({ topologyKey, whenUnsatisfiable }: TopologySpread) =>
    topologyKey === Label.ZONE && whenUnsatisfiable === 'DoNotSchedule';
  const index =
    workload.shape?.topologySpread?.findIndex((spread) => isOverZones(spread) && selectsOwnPods(spread, workload)) ??
    -1;
  return index < 0 ? undefined : index;
}

function hasVolumes({ shape }: WorkloadManifest): boolean {
  return shape?.volumes !== undefined || shape?.mountedClaims !== undefined || shape?.volumeTopology !== undefined;
}
