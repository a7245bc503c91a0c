import { DO_NOT_DISRUPT, Protection, protectionOf } from '../../../contract';
import { FieldPath, WorkloadManifest } from '../../manifest/model';

/** Of the pods, where the annotation has to be. */
export function podAnnotationsPath({ podPath }: WorkloadManifest): FieldPath {
  return [...podPath.slice(0, -1), 'metadata', 'annotations'];
}

export function podAnnotations(workload: WorkloadManifest): Readonly<Record<string, unknown>> {
  const found = podAnnotationsPath(workload).reduce<any>((value, key) => value?.[key], workload.object.raw);
  return typeof found === 'object' && found !== null ? found : {};
}

/** What `karpenter.sh/do-not-disrupt` of the pods means. */
export function protectionOfPods(workload: WorkloadManifest): Protection {
  return protectionOf(podAnnotations(workload)[DO_NOT_DISRUPT]);
}

/** Whether its pods end by themselves. */
export function isBatch({ kind }: WorkloadManifest): boolean {
  return kind === 'Job' || kind === 'CronJob';
}
