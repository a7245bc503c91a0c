import { WorkloadManifest } from '../manifest/model';
import { fail, notEvaluated, pass } from './private/outcome';
import { placementsOf } from './private/placements';
import { fullHealthReplicas } from './private/replicas';
import { servingWorkloads, waiverOf } from './private/serving';
import { joinNames } from './private/wording';
import { Outcome, Rule, RuleContext } from './rule';

/** What holds without a simulation of the loss: what is all in one zone is lost with it. */
export class ZoneLossSurvival implements Rule {
  public readonly id = 'KARP-425';
  public readonly name = 'zone-loss-survival';
  public readonly severity = 'warning';
  public readonly summary = 'All pods of a workload are in one zone: they are lost with it.';

  public check(context: RuleContext): Outcome[] {
    // With a single zone in all the catalogue there is nowhere else to go.
    if (context.catalog.zones.length < 2) return [];
    return servingWorkloads(context.model).flatMap((workload) => this.checkWorkload(context, workload));
  }

  private checkWorkload(context: RuleContext, workload: WorkloadManifest): Outcome[] {
    const { pods, unknown } = fullHealthReplicas(context.model, workload);
    if (unknown === undefined && pods < 2) return [];
    if (waiverOf(workload, 'zone-spread') !== undefined) return [pass(workload.object)];
    if (unknown !== undefined) return [notEvaluated(workload.object, unknown)];
    const claims = placementsOf(context, workload).flatMap(({ claim }) => claim ?? []);
    if (claims.length === 0) return [notEvaluated(workload.object, 'the plan launches no node for its pods')];
    const zones = [...new Set(claims.flatMap((claim) => claim.zones))];
    if (zones.length !== 1) return [pass(workload.object)];
    const pools = [...new Set(claims.map(({ nodePool }) => nodePool))].sort();
    return [fail({
      object: workload.object,
      path: workload.podPath,
      message: `all nodes for its pods, of NodePool ${joinNames(pools)}, are in ${zones[0]}: when that zone is lost, so are all ${pods} pods`,
      remedy: 'let the NodePool and the pods use further zones, with volumes in each, and spread the pods over them',
      evidence: { zone: zones[0], nodePools: pools },
    })];
  }
}
