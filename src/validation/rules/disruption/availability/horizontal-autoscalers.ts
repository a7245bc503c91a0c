import { asRecord } from '../../../../contract';
import { memoizeByIdentity } from '../../../../model';
import { ManifestModel, ManifestObject, WorkloadManifest } from '../../../manifest/model';
import { stringOrUndefined } from '../../../manifest/records';
import { isRollout } from '../../../manifest/workload/custom/rollout';

/** A HorizontalPodAutoscaler and the workload that it scales. */
export interface HorizontalAutoscaler {
  readonly object: ManifestObject;
  readonly namespace: string;
  readonly targetKind: string;
  readonly targetName: string;
  readonly target?: WorkloadManifest;
}

/** The HorizontalPodAutoscalers of the input that name a target. */
export const horizontalAutoscalers = memoizeByIdentity((model: ManifestModel): readonly HorizontalAutoscaler[] =>
  autoscalersOf(model, 'HorizontalPodAutoscaler', /^autoscaling\//),
);

/** The ScaledObjects of KEDA, which makes a HorizontalPodAutoscaler from each. They scale Deployments by default. */
export const scaledObjects = memoizeByIdentity((model: ManifestModel): readonly HorizontalAutoscaler[] =>
  autoscalersOf(model, 'ScaledObject', /^keda\.sh\//, 'Deployment'),
);

/** What an autoscaler names to scale the workload: a Rollout, if one makes the pods. */
export function scaledObjectOf({ object }: WorkloadManifest): ManifestObject {
  return object.madeBy !== undefined && isRollout(object.madeBy) ? object.madeBy : object;
}

function autoscalersOf(
  { objects, workloads }: ManifestModel,
  ofKind: string,
  ofVersion: RegExp,
  defaultKind?: string,
): readonly HorizontalAutoscaler[] {
  return objects.flatMap((object) => {
    const { apiVersion, kind, namespace = 'default', raw } = object;
    if (kind !== ofKind || !ofVersion.test(apiVersion)) return [];
    const reference = asRecord(raw?.spec?.scaleTargetRef);
    const targetKind = stringOrUndefined(reference?.kind ?? defaultKind);
    const targetName = stringOrUndefined(reference?.name);
    if (targetKind === undefined || targetName === undefined) return [];
    const target = workloads.find((workload) => {
      const { kind: workloadKind, name } = scaledObjectOf(workload);
      return workloadKind === targetKind && workload.namespace === namespace && name === targetName;
    });
    return [{ object, namespace, targetKind, targetName, target }];
  });
}
