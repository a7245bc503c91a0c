import { asRecord } from '../../../../contract';
import { ManifestModel, WorkloadManifest } from '../../../manifest/model';
import { recordsOf, stringsOf } from '../../../manifest/records';
import { podSpecOf } from '../../common/pod-constraints';

const ONE_NODE: readonly string[] = ['ReadWriteOnce', 'ReadWriteOncePod'];

/** Why a workload runs one pod only. */
export interface SinglePodReason {
  /** After "because", such as `its volume attaches to one node only (…)`. */
  readonly because: string;
  /** The claim of a volume that moves with the pod. @default - no volume is the reason */
  readonly claim?: string;
}

/**
 * Why a second pod of the workload would not start on another node, or must not run beside the first one; undefined if
 * nothing in the manifests forbids it. The pods of a StatefulSet have a claim of their template each.
 */
export function singlePodReason({ objects }: ManifestModel, workload: WorkloadManifest): SinglePodReason | undefined {
  const claims = recordsOf(podSpecOf(workload)?.volumes).flatMap(({ persistentVolumeClaim }) => {
    const name = asRecord(persistentVolumeClaim)?.claimName;
    return typeof name === 'string' ? [name] : [];
  });
  for (const claim of claims) {
    const found = objects.find(
      ({ apiVersion, kind, name, namespace = 'default' }) =>
        apiVersion === 'v1' && kind === 'PersistentVolumeClaim' && name === claim && namespace === workload.namespace,
    );
    const modes = stringsOf(found?.raw.spec?.accessModes);
    if (modes.length > 0 && modes.every((mode) => ONE_NODE.includes(mode)))
      return { because: `the volume of its ${modes[0]} claim ${claim} attaches to one node only`, claim };
  }
  return isRecreated(workload)
    ? { because: 'its strategy Recreate says that two of its pods may not run at the same time' }
    : undefined;
}

export function isRecreated({ object }: WorkloadManifest): boolean {
  return asRecord(object.raw?.spec?.strategy)?.type === 'Recreate';
}
