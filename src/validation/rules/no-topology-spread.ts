import { Label } from '../../model';
import { WorkloadManifest } from '../manifest/model';
import { budgetsOf, guardedBy } from './private/budgets-of-pods';
import { fail, notEvaluated, pass } from './private/outcome';
import { demandOf } from './private/pdb-demand';
import { Placement, placementsOf } from './private/placements';
import { selectsOwnPods } from './private/pod-constraints';
import { fullHealthReplicas } from './private/replicas';
import { servingWorkloads, waiverOf } from './private/serving';
import { Outcome, Rule, RuleContext } from './rule';

/** @see https://karpenter.sh/docs/concepts/scheduling/#topology-spread */
export class NoTopologySpread implements Rule {
  public readonly id = 'KARP-414';
  public readonly name = 'no-topology-spread';
  public readonly severity = 'warning';
  public readonly summary = 'Nothing keeps the pods of a workload apart, and the plan puts more of them on one node than may be missing at a time.';

  public check(context: RuleContext): Outcome[] {
    return servingWorkloads(context.model).flatMap((workload) => this.checkWorkload(context, workload));
  }

  private checkWorkload(context: RuleContext, workload: WorkloadManifest): Outcome[] {
    const { object } = workload;
    const { pods, unknown } = fullHealthReplicas(context.model, workload);
    if (unknown === undefined && pods < 2) return [];
    if (isKeptApart(workload) || waiverOf(workload, 'hostname-spread') !== undefined) return [pass(object)];
    if (unknown !== undefined) return [notEvaluated(object, unknown)];
    const placements = placementsOf(context, workload);
    if (placements.length === 0) return [notEvaluated(object, 'the plan has no node for its pods')];
    const fullest = placements.reduce((most, placement) => placement.pods > most.pods ? placement : most);
    const planned = placements.reduce((sum, placement) => sum + placement.pods, 0);
    return [fullest.pods > tolerable(context, workload, planned) ? this.finding(workload, fullest, planned) : pass(object)];
  }

  private finding(workload: WorkloadManifest, { pods, running, claim, node }: Placement, planned: number): Outcome {
    const where = claim?.cheapest ? `one node (${claim.cheapest.instanceType})` : `node ${node}`;
    const packed = pods === running ? `${pods} of ${planned} pods run on ${where}` : `the plan packs ${pods} of ${planned} pods on ${where}`;
    return fail({
      object: workload.object,
      path: [...workload.podPath, 'topologySpreadConstraints'],
      message: `${packed}, and nothing keeps them apart: when that node is lost, ${Math.round(100 * pods / planned)}% of them are`,
      remedy: `spread them by topologySpreadConstraints over ${Label.ZONE} and ${Label.HOSTNAME}, with the labels of the pod template as labelSelector`,
      evidence: { podsOnFullestNode: pods, pods: planned },
    });
  }
}

/** A spread over zones is one over nodes too: zones share none. What selects other pods keeps these no further apart. */
function isKeptApart(workload: WorkloadManifest): boolean {
  const { shape } = workload;
  const domains = [Label.ZONE, Label.HOSTNAME] as readonly string[];
  const { required = [], preferred = [] } = shape?.podAntiAffinity ?? {};
  const constraints = [...shape?.topologySpread ?? [], ...required, ...preferred.map(({ term }) => term)];
  return constraints.some((constraint) => domains.includes(constraint.topologyKey) && selectsOwnPods(constraint, workload));
}

/** How many pods may be gone: what the budget lets go of all that it guards, or without one all but the last. */
function tolerable({ model }: RuleContext, workload: WorkloadManifest, planned: number): number {
  const [budget] = budgetsOf(model, workload);
  const others = budget ? guardedBy(model, budget).filter((other) => other !== workload) : [];
  const total = others.reduce((sum, { replicas }) => sum + replicas, planned);
  const allowed = budget && (budget.minAvailable ?? budget.maxUnavailable) !== undefined ? demandOf(budget, total)?.allowed : undefined;
  return Math.max(1, allowed ?? planned - 1);
}
