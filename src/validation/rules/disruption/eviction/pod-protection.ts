import { DO_NOT_DISRUPT, DoNotDisruptValue, parseDoNotDisrupt } from '../../../../contract';
import { FieldPath, WorkloadManifest } from '../../../manifest/model';

/** Path of the pods' annotations, where Karpenter reads `karpenter.sh/do-not-disrupt`. */
export function podAnnotationsPath({ podPath }: WorkloadManifest): FieldPath {
  return [...podPath.slice(0, -1), 'metadata', 'annotations'];
}

export function podAnnotations(workload: WorkloadManifest): Readonly<Record<string, unknown>> {
  const annotations = podAnnotationsPath(workload).reduce<any>((value, key) => value?.[key], workload.object.raw);
  return typeof annotations === 'object' && annotations !== null ? annotations : {};
}

/** The meaning of `karpenter.sh/do-not-disrupt` on the pods. */
export function protectionOfPods(workload: WorkloadManifest): DoNotDisruptValue {
  return parseDoNotDisrupt(podAnnotations(workload)[DO_NOT_DISRUPT]);
}

/** Whether the pods finish by themselves. */
export function isBatch({ kind }: WorkloadManifest): boolean {
  return kind === 'Job' || kind === 'CronJob';
}
