import { asRecord } from '../../contract';
import { selects } from '../../model';
import { ManifestModel, ManifestObject, PdbManifest, WorkloadManifest } from '../manifest/model';
import { guardedBy, hasSelector } from './private/budgets-of-pods';
import { fail, notEvaluated, pass } from './private/outcome';
import { percentOf } from './private/pdb-demand';
import { count, joinNames } from './private/wording';
import { Outcome, Rule, RuleContext } from './rule';

/** Kinds of which Kubernetes can tell how many pods there should be. */
const SCALABLE = ['Deployment', 'ReplicaSet', 'StatefulSet'];
/** Labels that are in no pod template: controllers write them on the pods that they make. */
const WRITTEN_LATER = [
  'statefulset.kubernetes.io/pod-name', 'apps.kubernetes.io/pod-index', 'controller-revision-hash', 'pod-template-hash',
  'job-name', 'batch.kubernetes.io/job-name', 'controller-uid', 'batch.kubernetes.io/controller-uid', 'batch.kubernetes.io/job-completion-index',
];

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
      if (guarded.length > 0) return [this.checkKinds(pdb, guarded)];
      const unknown = unknownController(model, pdb);
      if (unknown !== undefined) return [notEvaluated(pdb.object, `it selects pods of ${unknown.kind} ${unknown.name}, which this tool does not know`)];
      const label = keysOf(pdb).find((key) => WRITTEN_LATER.includes(key));
      if (label !== undefined) return [notEvaluated(pdb.object, `it selects by ${label}, which is written on pods as they are made`)];
      return [this.selectsNothing(pdb, inNamespace.length)];
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

  /** An integer `minAvailable` needs no number of replicas. Bare pods count for nothing beside others, and alone make a budget of no pods. */
  private checkKinds(pdb: PdbManifest, guarded: readonly WorkloadManifest[]): Outcome {
    const controlled = guarded.filter(({ kind }) => kind !== 'Pod');
    const others = controlled.filter(({ kind }) => SCALABLE.includes(kind));
    const jobs = (controlled.length === 0 ? guarded : controlled).filter(({ kind }) => !SCALABLE.includes(kind));
    const needsReplicas = pdb.maxUnavailable !== undefined || percentOf(pdb.minAvailable) !== undefined;
    return jobs.length === 0 || !needsReplicas ? pass(pdb.object) : this.withoutReplicas(pdb, namesOf(jobs), namesOf(others));
  }

  private withoutReplicas(pdb: PdbManifest, jobs: readonly string[], others: readonly string[]): Outcome {
    const field = pdb.minAvailable === undefined ? 'maxUnavailable' : 'minAvailable';
    const rest = others.length === 0 ? '' : `, nor one of ${joinNames(others)} as long as they are there`;
    return fail({
      object: pdb.object,
      path: ['spec', field],
      message: `cannot tell how many pods there should be of ${joinNames(jobs)}, which have no replicas, and so never lets one of them go${rest}`,
      remedy: `${others.length === 0 ? '' : 'let the selector leave them out; or '}write minAvailable as a number, or protect such pods by the annotation `
        + 'karpenter.sh/do-not-disrupt instead',
      evidence: { workloads: jobs },
    });
  }
}

function keysOf({ selector: { matchLabels = {}, matchExpressions = [] } }: PdbManifest): string[] {
  return [...Object.keys(matchLabels), ...matchExpressions.map(({ key }) => key)];
}

function namesOf(workloads: readonly WorkloadManifest[]): string[] {
  return workloads.map(({ kind, name }) => `${kind} ${name}`).sort();
}

/** What has a pod template that the budget selects, of a kind that is not judged, such as a Rollout. */
function unknownController({ objects, workloads }: ManifestModel, pdb: PdbManifest): ManifestObject | undefined {
  const known = new Set<string>(workloads.map(({ kind }) => kind));
  return !hasSelector(pdb) ? undefined : objects.find(({ kind, namespace = 'default', raw }) => {
    const { metadata, spec } = asRecord(asRecord(raw.spec)?.template) ?? {};
    if (known.has(kind) || namespace !== pdb.namespace || !Array.isArray(asRecord(spec)?.containers)) return false;
    return selects(pdb.selector, (asRecord(asRecord(metadata)?.labels) ?? {}) as Record<string, string>);
  });
}
