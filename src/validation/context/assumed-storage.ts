import { asRecord } from '../../contract';
import { CheckOptions } from '../check-options';
import { ManifestModel, ManifestObject } from '../manifest/model';
import { recordsOf } from '../manifest/records';
import { EKS_STORAGE_CLASS, isDefaultClass } from '../manifest/workload/storage';

const CLASS_OF_CLAIM = /"storageClassName":"([^"]+)"/g;

/** One sentence for the StorageClasses that pods use, that the input lacks, and that the cluster is known to have. */
export function storageClassAssumptions(model: ManifestModel, { storageClasses = [] }: CheckOptions): string[] {
  const objects = [...model.objects, ...(model.cluster?.objects ?? [])];
  const written = objects.filter(({ kind }) => kind === 'StorageClass').map(({ name }) => name);
  const used = new Set([
    ...objects.filter(({ kind }) => kind === 'PersistentVolumeClaim').flatMap(classesIn),
    ...model.workloads.flatMap(({ object }) => classesIn(object)),
  ]);
  return [...defaultClassAssumption(model, objects), ...namedClassAssumption(used, written, storageClasses)];
}

/**
 * EKS marks `gp2` as the default class of clusters that were created with a version before 1.30.
 *
 * @see https://docs.aws.amazon.com/eks/latest/userguide/kubernetes-versions-extended.html
 */
function defaultClassAssumption({ workloads, cluster }: ManifestModel, objects: readonly ManifestObject[]): string[] {
  if (cluster || objects.some(({ kind, raw }) => kind === 'StorageClass' && isDefaultClass(raw))) return [];
  const specs = workloads.map(({ object }) => asRecord(object.raw.spec) ?? {});
  const mounted = JSON.stringify(specs);
  const claims = [
    ...objects
      .filter(({ kind, name }) => kind === 'PersistentVolumeClaim' && mounted.includes(`"claimName":"${name}"`))
      .map(({ raw }) => raw),
    ...specs.flatMap(({ volumeClaimTemplates }) => recordsOf(volumeClaimTemplates)),
  ];
  const isAssumed = claims.some(({ spec: value }) => {
    const spec = asRecord(value) ?? {};
    return (spec.storageClassName ?? undefined) === undefined && !spec.volumeName;
  });
  return isAssumed
    ? [
        'volume claims without storageClassName get the default StorageClass, which is not in the input: gp2 is assumed; ' +
          'clusters that EKS created with version 1.30 or later have no default, so that such pods stay Pending',
      ]
    : [];
}

function namedClassAssumption(
  used: ReadonlySet<string>,
  written: readonly string[],
  declared: readonly string[],
): string[] {
  const names = [EKS_STORAGE_CLASS, ...declared].filter((name) => used.has(name) && !written.includes(name));
  if (names.length === 0) return [];
  return [
    `${names.length === 1 ? 'StorageClass' : 'StorageClasses'} ${[...new Set(names)].join(', ')} ${names.length === 1 ? 'is' : 'are'} not in the input: ` +
      'volumes are assumed to be of the EBS CSI driver, and created where the pod first runs (WaitForFirstConsumer)',
  ];
}

function classesIn({ raw }: ManifestObject): string[] {
  return [...JSON.stringify(raw.spec ?? {}).matchAll(CLASS_OF_CLAIM)].map(([, name]) => name);
}
