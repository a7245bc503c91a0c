import { Label } from '../../model';
import { TopologySpread } from '../../scheduling';
import { WorkloadManifest } from '../manifest/model';
import { fail, pass } from './private/outcome';
import { placementsOf } from './private/placements';
import { selectsOwnPods } from './private/pod-constraints';
import { poolsOf } from './private/pool';
import { servingWorkloads } from './private/serving';
import { Outcome, Rule, RuleContext } from './rule';

/** @see https://karpenter.sh/docs/faq/ */
export class SpreadWithoutMinDomains implements Rule {
  public readonly id = 'KARP-415';
  public readonly name = 'spread-without-mindomains';
  public readonly severity = 'info';
  public readonly summary = 'Pods are spread over the zones where there happen to be nodes: the first node that is ready may get all of them.';

  public check(context: RuleContext): Outcome[] {
    const zonesOfPool = new Map(poolsOf(context).map((pool) => [pool.name, pool.launch?.view.zones ?? []]));
    return servingWorkloads(context.model).filter((workload) => workload.replicas > 1).flatMap((workload) => {
      const index = zoneSpreadOf(workload);
      // Volumes hold pods in a zone, and with minDomains those that cannot go elsewhere would wait for ever.
      if (index === undefined || hasVolumes(workload)) return [];
      const placements = placementsOf(context, workload);
      const zones = new Set(placements.flatMap(({ nodePool }) => zonesOfPool.get(nodePool ?? '') ?? [])).size;
      // Of two zones both would have to be there, and pods could not be placed when one is lost.
      if (zones < 3) return [];
      if (workload.shape!.topologySpread![index].minDomains !== undefined) return [pass(workload.object)];
      if (placements.some(({ claim }) => claim)) {
        return [this.finding(workload, index, zones, `while there are none, the first one that is ready may get all ${workload.replicas} pods`)];
      }
      // Zones that have nodes already Kubernetes knows.
      const [zone, ...others] = new Set(placements.flatMap((placement) => placement.zones));
      const pods = placements.reduce((sum, placement) => sum + placement.pods, 0);
      if (others.length > 0 || pods < 2) return [pass(workload.object)];
      return [this.finding(workload, index, zones, `while no other one had any, ${zone} got all ${pods} pods`)];
    });
  }

  private finding(workload: WorkloadManifest, index: number, zones: number, what: string): Outcome {
    return fail({
      object: workload.object,
      path: [...workload.podPath, 'topologySpreadConstraints', index],
      message: `spreads its pods over the zones that have nodes: ${what}`,
      remedy: `write minDomains: ${zones - 1}, one less than the zones that its NodePools launch nodes in, so that pods are still placed when one is lost`,
      evidence: { replicas: workload.replicas, zones },
    });
  }
}

/** One that does not count the pods themselves spreads none of them, with minDomains or without. */
function zoneSpreadOf(workload: WorkloadManifest): number | undefined {
  const isOverZones = ({ topologyKey, whenUnsatisfiable }: TopologySpread) => topologyKey === Label.ZONE && whenUnsatisfiable === 'DoNotSchedule';
  const index = workload.shape?.topologySpread?.findIndex((spread) => isOverZones(spread) && selectsOwnPods(spread, workload)) ?? -1;
  return index < 0 ? undefined : index;
}

function hasVolumes({ shape }: WorkloadManifest): boolean {
  return shape?.volumes !== undefined || shape?.mountedClaims !== undefined || shape?.volumeTopology !== undefined;
}
