import { PdbManifest, WorkloadManifest } from '../manifest/model';
import { budgetsOf, guardedBy } from './private/budgets-of-pods';
import { fail, notEvaluated, pass } from './private/outcome';
import { demandOf } from './private/pdb-demand';
import { Placement, placementsOf } from './private/placements';
import { fullHealthReplicas } from './private/replicas';
import { servingWorkloads, waiverOf } from './private/serving';
import { count, joinNames } from './private/wording';
import { aftermathOf, aftermathText, mayBeLeftOut } from './private/zone-aftermath';
import { Outcome, Rule, RuleContext } from './rule';

/**
 * What is sure to be lost, by the zones that the plan leaves each node: a node that may be in several is counted to none. What becomes
 * of it afterwards is simulated, where something stands in its way.
 */
export class ZoneLossSurvival implements Rule {
  public readonly id = 'KARP-425';
  public readonly name = 'zone-loss-survival';
  public readonly severity = 'warning';
  public readonly summary = 'All pods of a workload are in one zone and lost with it, or more of them than its PodDisruptionBudget can do without, or no other zone takes them.';

  public check(context: RuleContext): Outcome[] {
    // With a single zone in all the catalogue there is nowhere else to go.
    if (context.catalog.zones.length < 2) return [];
    return servingWorkloads(context.model).flatMap((workload) => this.checkWorkload(context, workload));
  }

  private checkWorkload(context: RuleContext, workload: WorkloadManifest): Outcome[] {
    const { object, running = 0 } = workload;
    const { pods, unknown } = fullHealthReplicas(context.model, workload);
    if (unknown === undefined && pods < 2) return [];
    if (waiverOf(workload, 'zone-spread') !== undefined) return [pass(object)];
    if (unknown !== undefined) return [notEvaluated(object, unknown)];
    const placements = placementsOf(context, workload);
    const lost = running - placements.reduce((sum, placement) => sum + placement.running, 0);
    if (lost > 0) return [notEvaluated(object, `the input does not hold the ${lost === 1 ? 'node' : 'nodes'} that ${count(lost, 'pod')} of it ${lost === 1 ? 'runs' : 'run'} on`)];
    if (placements.length === 0) return [notEvaluated(object, 'the plan has no node for its pods')];
    const zones = [...new Set(placements.flatMap((placement) => placement.zones))];
    if (placements.some((placement) => placement.zones.length === 0)) return [notEvaluated(object, 'the zone of a node that gets pods of it is not known')];
    if (zones.length === 1) return [this.allLost(context, workload, zones[0], placements)];
    return [this.tooFewLeft(context, workload, placements) ?? this.notTakenIn(context, workload, placements) ?? pass(object)];
  }

  private allLost(context: RuleContext, workload: WorkloadManifest, zone: string, placements: readonly Placement[]): Outcome {
    const { object, podPath } = workload;
    const aftermath = aftermathOf(context, workload, zone);
    const pools = [...new Set(placements.flatMap(({ nodePool }) => nodePool ?? []))].sort();
    const pods = podsOn(placements);
    return fail({
      object,
      path: podPath,
      message: `all nodes for its pods${pools.length === 0 ? '' : `, of NodePool ${joinNames(pools)},`} are in ${zone}: when that zone is lost, so are all ${pods} pods${aftermathText(aftermath)}`,
      remedy: 'let the NodePool and the pods use further zones, with volumes in each, and spread the pods over them',
      evidence: { zone, nodePools: pools, left: 0, pods, withoutNode: aftermath?.pods ?? null },
    });
  }

  /** A budget of maxUnavailable is about evictions alone; one of minAvailable says what the work needs, where it is for that work alone. */
  private tooFewLeft(context: RuleContext, workload: WorkloadManifest, placements: readonly Placement[]): Outcome | undefined {
    const pods = podsOn(placements);
    const lost = lossesByZone(placements);
    const budget = budgetsOf(context.model, workload).find((each) => each.minAvailable !== undefined && guardedBy(context.model, each).length === 1);
    const kept = budget && keptBy(budget, pods);
    const [zone, most] = [...lost].sort(([, a], [, b]) => b - a)[0] ?? ['', 0];
    // What the budget wants of pods in full health is another rule's.
    if (!budget || kept === undefined || kept >= pods || pods - most >= kept) return undefined;
    const aftermath = aftermathOf(context, workload, zone);
    return fail({
      object: workload.object,
      path: [...workload.podPath, 'topologySpreadConstraints'],
      message: `${most} of ${pods} pods are in ${zone}: when that zone is lost, ${pods - most} are left, and PodDisruptionBudget ${budget.name} says that ${kept} are needed`
        + aftermathText(aftermath),
      remedy: `spread the pods evenly over the zones, and run as many that ${kept} are left without one of them`,
      evidence: { zone, left: pods - most, needed: kept, pods, withoutNode: aftermath?.pods ?? null },
    });
  }

  /** Pods that keep to zones of their own will stay out where they have to: what is left of them has been judged. */
  private notTakenIn(context: RuleContext, workload: WorkloadManifest, placements: readonly Placement[]): Outcome | undefined {
    if (!mayBeLeftOut(context, workload, placements)) return undefined;
    const zones = context.catalog.zones.map((zone) => ({ zone, ...aftermathOf(context, workload, zone) }));
    const { zone, pods: out = 0, why } = zones.reduce((worst, each) => (each.pods ?? 0) > (worst.pods ?? 0) ? each : worst);
    const pods = podsOn(placements);
    if (out === 0) return undefined;
    return fail({
      object: workload.object,
      path: workload.podPath,
      message: `when ${zone} is lost, ${out} of ${count(pods, 'pod')} ${out === 1 ? 'has' : 'have'} no node in the end (simulated): ${why}`,
      remedy: 'let NodePools use the other zones, with limits that leave room for these pods, and volumes in each',
      evidence: { zone, left: pods - out, pods, withoutNode: out },
    });
  }
}

function podsOn(placements: readonly Placement[]): number {
  return placements.reduce((sum, { pods }) => sum + pods, 0);
}

/** Pods that are in a zone for sure. */
function lossesByZone(placements: readonly Placement[]): Map<string, number> {
  const lost = new Map<string, number>();
  for (const { zones: [zone, ...others], pods } of placements) if (others.length === 0) lost.set(zone, (lost.get(zone) ?? 0) + pods);
  return lost;
}

function keptBy(budget: PdbManifest, pods: number): number | undefined {
  const demand = demandOf(budget, pods);
  return demand && pods - demand.allowed;
}
