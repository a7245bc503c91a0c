import { CheckOptions } from '../check-options';
import { ManifestModel, ManifestObject } from '../manifest/model';
import { EKS_STORAGE_CLASS } from '../manifest/workload/storage';

const CLASS_OF_CLAIM = /"storageClassName":"([^"]+)"/g;

/** One sentence for the StorageClasses that pods use, that the input lacks, and that the cluster is known to have. */
export function storageClassAssumptions(model: ManifestModel, { storageClasses = [] }: CheckOptions): string[] {
  const objects = [...model.objects, ...(model.cluster?.objects ?? [])];
  const written = objects.filter(({ kind }) => kind === 'StorageClass').map(({ name }) => name);
  const used = new Set([
    ...objects.filter(({ kind }) => kind === 'PersistentVolumeClaim').flatMap(classesIn),
    ...model.workloads.flatMap(({ object }) => classesIn(object)),
  ]);
  const names = [EKS_STORAGE_CLASS, ...storageClasses].filter((name) => used.has(name) && !written.includes(name));
  if (names.length === 0) return [];
  return [
    `${names.length === 1 ? 'StorageClass' : 'StorageClasses'} ${[...new Set(names)].join(', ')} ${names.length === 1 ? 'is' : 'are'} not in the input: ` +
      'volumes are assumed to be of the EBS CSI driver, and created where the pod first runs (WaitForFirstConsumer)',
  ];
}

function classesIn({ raw }: ManifestObject): string[] {
  return [...JSON.stringify(raw.spec ?? {}).matchAll(CLASS_OF_CLAIM)].map(([, name]) => name);
}
