import { asRecord } from '../../../../contract';
import { memoizeByIdentity } from '../../../../model';
import { ManifestModel, ManifestObject, WorkloadManifest } from '../../../manifest/model';
import { stringOrUndefined } from '../../../manifest/records';

/** A HorizontalPodAutoscaler and the workload that it scales. */
export interface HorizontalAutoscaler {
  readonly object: ManifestObject;
  readonly namespace: string;
  readonly targetKind: string;
  readonly targetName: string;
  readonly target?: WorkloadManifest;
}

/** The HorizontalPodAutoscalers of the input that name a target. */
export const horizontalAutoscalers = memoizeByIdentity(
  ({ objects, workloads }: ManifestModel): readonly HorizontalAutoscaler[] =>
    objects.flatMap((object) => {
      const { apiVersion, kind, namespace = 'default', raw } = object;
      if (kind !== 'HorizontalPodAutoscaler' || !apiVersion.startsWith('autoscaling/')) return [];
      const reference = asRecord(asRecord(raw?.spec)?.scaleTargetRef);
      const [targetKind, targetName] = [stringOrUndefined(reference?.kind), stringOrUndefined(reference?.name)];
      if (targetKind === undefined || targetName === undefined) return [];
      const target = workloads.find(
        (workload) => workload.kind === targetKind && workload.namespace === namespace && workload.name === targetName,
      );
      return [{ object, namespace, targetKind, targetName, target }];
    }),
);
