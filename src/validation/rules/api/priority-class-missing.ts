import { memoizeByIdentity, nearestName, shortListText } from '../../../model';
import { findUnresolved } from '../../manifest/find-unresolved';
import { ManifestModel, WorkloadManifest } from '../../manifest/model';
import { podSpecOf } from '../common/pod-constraints';
import { defineRule, Judgement, NOT_APPLICABLE, unknown } from '../define-rule';
import { workloads } from '../subjects';

/** Every cluster has these. */
const SYSTEM_CLASSES = ['system-cluster-critical', 'system-node-critical'];

/** @see https://kubernetes.io/docs/concepts/scheduling-eviction/pod-priority-preemption/ */
export const priorityClassMissing = defineRule({
  id: 'KARP-117',
  name: 'priority-class-missing',
  severity: 'error',
  summary: 'A workload names a PriorityClass that does not exist, so the API server refuses its pods.',
  subjects: workloads(),
  judge(workload, { model, options }) {
    const name: unknown = podSpecOf(workload)?.priorityClassName;
    if (typeof name !== 'string' || name === '') return NOT_APPLICABLE;
    if (findUnresolved(name) !== undefined) return unknown('its priority class is known only at deployment');
    const classes = [...priorityClasses(model), ...(options.priorityClasses ?? [])];
    if (classes.includes(name)) return undefined;
    // A dump of the cluster without any PriorityClass was made without them.
    const isComplete = (model.cluster?.objects ?? []).some(({ kind }) => kind === 'PriorityClass');
    const nearest = nearestName(name, classes);
    return missing(workload, name, nearest, nearest !== undefined || isComplete);
  },
});

const priorityClasses = memoizeByIdentity(({ objects, cluster }: ManifestModel): string[] => {
  const written = [...objects, ...(cluster?.objects ?? [])].filter(
    ({ kind, apiVersion }) => kind === 'PriorityClass' && apiVersion.startsWith('scheduling.k8s.io/'),
  );
  return [...SYSTEM_CLASSES, ...written.map(({ name }) => name)];
});

/** @param isCertain whether the class is missing in the cluster, too; otherwise this is a note */
function missing(
  { podPath }: WorkloadManifest,
  name: string,
  nearest: string | undefined,
  isCertain: boolean,
): Judgement {
  const refusal = `the API server refuses its pods ("no PriorityClass with name ${name} was found")`;
  return {
    path: [...podPath, 'priorityClassName'],
    message:
      `names PriorityClass ${name}, which is not in the input${nearest === undefined ? '' : ` (it has ${shortListText([nearest])})`}: ` +
      `${isCertain ? refusal : `if the cluster does not have it either, ${refusal}`}`,
    remedy:
      nearest === undefined
        ? `add the manifest of PriorityClass ${name} to the input, or declare it with --priority-classes ${name}`
        : `write ${nearest} instead of ${name}`,
    evidence: { priorityClassName: name, nearest: nearest ?? null },
    ...(isCertain ? {} : { severity: 'info' as const }),
  };
}
