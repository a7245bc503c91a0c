import { memoizeByIdentity } from '../../../model';
import { ManifestModel, WorkloadManifest } from '../../manifest/model';
import { terminationHandlers } from '../../termination-handler';
import { RuleContext } from '../rule';
import { podSpecOf } from './pod-constraints';

const SYSTEM_CLASSES: readonly unknown[] = ['system-cluster-critical', 'system-node-critical'];

/** The Deployments of Karpenter, of AWS Node Termination Handler in queue mode, and of cluster DNS. */
export const essentialWorkloads = memoizeByIdentity(
  ({ controllers, model }: RuleContext): readonly WorkloadManifest[] => {
    const essentialObjects = new Set([...controllers, ...handlersOfQueues(model)].map(({ object }) => object));
    return model.workloads.filter(
      ({ object, kind, podLabels }) =>
        kind === 'Deployment' && (essentialObjects.has(object) || podLabels['k8s-app'] === 'kube-dns'),
    );
  },
);

/**
 * Whether KARP-904 checks that the workload has a PodDisruptionBudget, so that other rules can skip it. KARP-904
 * reports a missing priority class first, and then does not check the budget.
 */
export function isEssentialAndCritical(context: RuleContext, workload: WorkloadManifest): boolean {
  return (
    essentialWorkloads(context).includes(workload) && isSystemPriorityClass(podSpecOf(workload)?.priorityClassName)
  );
}

export function isSystemPriorityClass(priorityClass: unknown): boolean {
  return SYSTEM_CLASSES.includes(priorityClass);
}

function handlersOfQueues(model: ManifestModel) {
  return terminationHandlers(model).filter(({ settings }) => settings?.mode === 'queue');
}
