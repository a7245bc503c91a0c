import { nearestName } from '../../../model';
import { ManifestModel, WorkloadManifest } from '../../manifest/model';
import { podSpecOf } from '../common/pod-constraints';
import { findUnresolved } from '../common/unresolved';
import { someNames } from '../common/wording';
import { fail, notEvaluated, Outcome, pass, Rule, RuleContext } from '../rule';

/** Every cluster has these. */
const SYSTEM_CLASSES = ['system-cluster-critical', 'system-node-critical'];

/** @see https://kubernetes.io/docs/concepts/scheduling-eviction/pod-priority-preemption/ */
export const priorityClassMissing: Rule = {
  id: 'KARP-117',
  name: 'priority-class-missing',
  severity: 'error',
  summary: 'A workload names a PriorityClass that does not exist, so the API server refuses its pods.',
  check({ model, options }: RuleContext): Outcome[] {
    const classes = [...priorityClasses(model), ...(options.priorityClasses ?? [])];
    // A dump of the cluster without any PriorityClass was made without them.
    const isComplete = (model.cluster?.objects ?? []).some(({ kind }) => kind === 'PriorityClass');
    return model.workloads.flatMap((workload): Outcome[] => {
      const name: unknown = podSpecOf(workload)?.priorityClassName;
      if (typeof name !== 'string' || name === '') return [];
      if (findUnresolved(name) !== undefined)
        return [notEvaluated(workload.object, 'its priority class is known only at deployment')];
      if (classes.includes(name)) return [pass(workload.object)];
      const nearest = nearestName(name, classes);
      return [missing(workload, name, nearest, nearest !== undefined || isComplete)];
    });
  },
};

function priorityClasses({ objects, cluster }: ManifestModel): string[] {
  const written = [...objects, ...(cluster?.objects ?? [])].filter(
    ({ kind, apiVersion }) => kind === 'PriorityClass' && apiVersion.startsWith('scheduling.k8s.io/'),
  );
  return [...SYSTEM_CLASSES, ...written.map(({ name }) => name)];
}

/** @param isCertain whether the class is missing in the cluster, too; otherwise this is a note */
function missing(
  { object, podPath }: WorkloadManifest,
  name: string,
  nearest: string | undefined,
  isCertain: boolean,
): Outcome {
  const refusal = `the API server refuses its pods ("no PriorityClass with name ${name} was found")`;
  return fail({
    object,
    path: [...podPath, 'priorityClassName'],
    message:
      `names PriorityClass ${name}, which is not in the input${nearest === undefined ? '' : ` (it has ${someNames([nearest])})`}: ` +
      `${isCertain ? refusal : `if the cluster does not have it either, ${refusal}`}`,
    remedy:
      nearest === undefined
        ? `add the manifest of PriorityClass ${name} to the input, or declare it with --priority-classes ${name}`
        : `write ${nearest} instead of ${name}`,
    evidence: { priorityClassName: name, nearest: nearest ?? null },
    ...(isCertain ? {} : { severity: 'info' as const }),
  });
}
