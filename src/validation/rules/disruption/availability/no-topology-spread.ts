import { isSpread, SPREAD_REMEDY } from './pod-spread';
import { WorkloadManifest } from '../../../manifest/model';
import { Placement, placementsOf } from '../../common/placements';
import { pdbsSelecting, pdbAllowanceOf, workloadsSelectedBy } from '../../common/pod-disruption-budgets';
import { minimumReplicas } from '../../common/replicas';
import { servingWorkloads } from '../../common/serving-workloads';
import { fail, notEvaluated, Outcome, pass, Rule, RuleContext } from '../../rule';
import { pdbStateOf } from '../pdb/missing-pdb';

/**
 * KARP-402 reports a workload that also has no PodDisruptionBudget.
 *
 * @see https://karpenter.sh/docs/concepts/scheduling/#topology-spread
 */
export const noTopologySpread: Rule = {
  id: 'KARP-414',
  name: 'no-topology-spread',
  severity: 'warning',
  isWorkloadAdvice: true,
  summary:
    'Nothing spreads the pods of a workload, and the plan puts more of them on one node than the workload can lose.',
  check(context: RuleContext): Outcome[] {
    return servingWorkloads(context.model).flatMap((workload) => checkWorkload(context, workload));
  },
};

function checkWorkload(context: RuleContext, workload: WorkloadManifest): Outcome[] {
  const { object } = workload;
  const { pods, unknown } = minimumReplicas(context.model, workload);
  if (unknown === undefined && pods < 2) return [];
  if (isSpread(workload)) return [pass(object)];
  if (pdbStateOf(context, workload).state === 'missing') return [];
  if (unknown !== undefined) return [notEvaluated(object, unknown)];
  const placements = placementsOf(context, workload);
  if (placements.length === 0) return [notEvaluated(object, 'the plan has no node for its pods')];
  const fullest = placements.reduce((most, placement) => (placement.pods > most.pods ? placement : most));
  const planned = placements.reduce((sum, placement) => sum + placement.pods, 0);
  return [
    fullest.pods > tolerableLoss(context, workload, planned) ? finding(workload, fullest, planned) : pass(object),
  ];
}

function finding(workload: WorkloadManifest, { pods, running, claim, node }: Placement, planned: number): Outcome {
  const where = claim?.cheapest ? `one node (${claim.cheapest.instanceType})` : `node ${node}`;
  const packed =
    pods === running
      ? `${pods} of ${planned} pods run on ${where}`
      : `the plan puts ${pods} of ${planned} pods on ${where}`;
  return fail({
    object: workload.object,
    path: [...workload.podPath, 'topologySpreadConstraints'],
    message: `${packed}, because nothing spreads them: if that node fails, ${Math.round((100 * pods) / planned)}% of them are lost`,
    remedy: `add ${SPREAD_REMEDY}`,
    evidence: { podsOnFullestNode: pods, pods: planned },
  });
}

/**
 * Evictions that the PodDisruptionBudget allows for all pods that it selects; without a budget, all pods except
 * one.
 */
function tolerableLoss({ model }: RuleContext, workload: WorkloadManifest, planned: number): number {
  const [pdb] = pdbsSelecting(model, workload);
  const others = pdb ? workloadsSelectedBy(model, pdb).filter((selected) => selected !== workload) : [];
  const total = others.reduce((sum, { replicas }) => sum + replicas, planned);
  const allowed =
    pdb && (pdb.minAvailable ?? pdb.maxUnavailable) !== undefined ? pdbAllowanceOf(pdb, total)?.allowed : undefined;
  return Math.max(1, allowed ?? planned - 1);
}
