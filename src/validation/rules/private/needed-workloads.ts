import { ManifestModel, WorkloadManifest } from '../../manifest/model';
import { oncePer } from '../../once-per';
import { terminationHandlers } from '../../termination-handler';
import { RuleContext } from '../rule';
import { podSpecOf } from './pod-constraints';

const SYSTEM_CLASSES: readonly unknown[] = ['system-cluster-critical', 'system-node-critical'];

/** Karpenter and AWS Node Termination Handler as manifests have them, and the DNS of the cluster. */
export const neededWorkloads = oncePer(({ controllers, model }: RuleContext): readonly WorkloadManifest[] => {
  const named = new Set([...controllers, ...handlersOfQueues(model)].map(({ object }) => object));
  return model.workloads.filter(({ object, kind, podLabels }) => kind === 'Deployment' && (named.has(object) || podLabels['k8s-app'] === 'kube-dns'));
});

/** Whether KARP-904 looks for a budget of the workload, so that no other rule need: without a priority class it speaks of that first. */
export function isNeededAndCritical(context: RuleContext, workload: WorkloadManifest): boolean {
  return neededWorkloads(context).includes(workload) && isSystemClass(podSpecOf(workload)?.priorityClassName);
}

export function isSystemClass(priorityClass: unknown): boolean {
  return SYSTEM_CLASSES.includes(priorityClass);
}

function handlersOfQueues(model: ManifestModel) {
  return terminationHandlers(model).filter(({ settings }) => settings?.mode === 'queue');
}
