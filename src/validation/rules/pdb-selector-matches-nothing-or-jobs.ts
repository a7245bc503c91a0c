import { PdbManifest, WorkloadManifest } from '../manifest/model';
import { guardedBy, hasSelector } from './private/budgets-of-pods';
import { fail, pass } from './private/outcome';
import { percentOf } from './private/pdb-demand';
import { count, joinNames } from './private/wording';
import { Outcome, Rule, RuleContext } from './rule';

const WITHOUT_SCALE = ['Job', 'CronJob', 'Pod', 'DaemonSet'];

/** @see https://kubernetes.io/docs/tasks/run-application/configure-pdb/#arbitrary-controllers-and-selectors */
export class PdbSelectorMatchesNothingOrJobs implements Rule {
  public readonly id = 'KARP-412';
  public readonly name = 'pdb-selector-matches-nothing-or-jobs';
  public readonly severity = 'warning';
  public readonly summary = 'A PodDisruptionBudget selects no pod of the input, or pods of which Kubernetes cannot tell how many there should be.';

  public check({ model }: RuleContext): Outcome[] {
    return model.pdbs.flatMap((pdb) => {
      const inNamespace = model.workloads.filter(({ namespace }) => namespace === pdb.namespace);
      if (inNamespace.length === 0) return [];
      const guarded = guardedBy(model, pdb);
      return [guarded.length === 0 ? this.selectsNothing(pdb, inNamespace.length) : this.checkKinds(pdb, guarded)];
    });
  }

  private selectsNothing(pdb: PdbManifest, workloads: number): Outcome {
    const why = hasSelector(pdb) ? 'its selector matches the pod labels of none' : 'it has no selector';
    return fail({
      object: pdb.object,
      path: ['spec', 'selector'],
      message: `guards no pod of the ${count(workloads, 'workload')} in namespace ${pdb.namespace}: ${why}`,
      remedy: 'write the labels of the pod template that it is meant for, or leave it out where its pods come from elsewhere',
      evidence: { workloads },
    });
  }

  /** An integer `minAvailable` needs no number of replicas. */
  private checkKinds(pdb: PdbManifest, guarded: readonly WorkloadManifest[]): Outcome {
    const jobs = guarded.filter(({ kind }) => WITHOUT_SCALE.includes(kind)).map(({ kind, name }) => `${kind} ${name}`).sort();
    const needsReplicas = pdb.maxUnavailable !== undefined || percentOf(pdb.minAvailable) !== undefined;
    if (jobs.length === 0 || !needsReplicas) return pass(pdb.object);
    const field = pdb.minAvailable === undefined ? 'maxUnavailable' : 'minAvailable';
    return fail({
      object: pdb.object,
      path: ['spec', field],
      message: `cannot tell how many pods there should be of ${joinNames(jobs)}, which have no replicas, and so never lets one of them go`,
      remedy: 'write minAvailable as a number, or protect such pods by the annotation karpenter.sh/do-not-disrupt instead',
      evidence: { workloads: jobs },
    });
  }
}
