import { classesOfKind, judgeNamedClass, NamedClass } from './named-class';
import { memoizeByIdentity } from '../../../model';
import { ManifestModel } from '../../manifest/model';
import { defineRule } from '../define-rule';
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
    const existing = () => [...priorityClasses(model), ...(options.priorityClasses ?? [])];
    return judgeNamedClass(workload, model, { ...PRIORITY_CLASS, existing });
  },
});

const PRIORITY_CLASS: Omit<NamedClass, 'existing'> = {
  kind: 'PriorityClass',
  field: 'priorityClassName',
  refusal: (name) => `"no PriorityClass with name ${name} was found"`,
  declaredWith: '--priority-classes',
};

const priorityClasses = memoizeByIdentity((model: ManifestModel): string[] => [
  ...SYSTEM_CLASSES,
  ...classesOfKind(model, PRIORITY_CLASS).map(({ name }) => name),
]);
