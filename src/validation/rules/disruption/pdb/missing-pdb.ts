import { workloadElsewhere, workloadMeantBy } from './meant-workload';
import { memoizeByIdentity } from '../../../../model';
import { disruptionsByName } from '../../../manifest/karpenter/pool-disruption';
import { ManifestModel, WorkloadManifest } from '../../../manifest/model';
import { isEssentialAndCritical } from '../../common/essential-workloads';
import { pdbsSelecting, unusablePdb } from '../../common/pod-disruption-budgets';
import { minimumReplicas } from '../../common/replicas';
import { optOutReason } from '../../common/serving-workloads';
import { RuleContext } from '../../rule';
import { permanentEvictionBlocker } from '../eviction/eviction-blockers';

/** Whether a PodDisruptionBudget is missing. */
export interface PdbState {
  readonly state: 'not-needed' | 'present' | 'missing' | 'unknown';
  /** The least number of pods, with `missing`. */
  readonly pods?: number;
  /** Why the state is unknown. */
  readonly why?: string;
}

/** A single pod, and a workload that another rule judges, needs no PodDisruptionBudget. */
export function pdbStateOf(context: RuleContext, workload: WorkloadManifest): PdbState {
  const { model } = context;
  const { pods, unknown } = minimumReplicas(model, workload);
  if (isEssentialAndCritical(context, workload) || (unknown === undefined && pods < 2)) return { state: 'not-needed' };
  if (pdbsSelecting(model, workload).length > 0 || optOutReason(workload, 'pod-disruption-budget') !== undefined)
    return { state: 'present' };
  // KARP-412 reports a budget with a wrong selector, or in a wrong namespace.
  if (meantWorkloads(model).has(workload)) return { state: 'present' };
  if (permanentEvictionBlocker(context, workload, disruptionsByName(context)) !== undefined)
    return { state: 'present' };
  const unusable = unusablePdb(model, workload.namespace);
  if (unusable !== undefined)
    return {
      state: 'unknown',
      why: `PodDisruptionBudget ${unusable.name} may select its pods, but is invalid as written`,
    };
  return unknown === undefined ? { state: 'missing', pods } : { state: 'unknown', why: unknown };
}

/** The workloads that PodDisruptionBudgets were written for, which select no pods. */
const meantWorkloads = memoizeByIdentity(
  (model: ManifestModel) =>
    new Set(model.pdbs.flatMap((pdb) => [workloadMeantBy(model, pdb), workloadElsewhere(model, pdb)])),
);
