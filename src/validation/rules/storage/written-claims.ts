import { isEbsDriver } from './attach-limit';
import { asRecord } from '../../../contract';
import { memoizeByIdentity } from '../../../model';
import { FieldPath, ManifestModel, ManifestObject } from '../../manifest/model';
import { PlainRecord, recordsOf, stringOrUndefined } from '../../manifest/records';
import { EKS_STORAGE_CLASS, isDefaultClass } from '../../manifest/workload/storage';
import { podSpecOf } from '../common/pod-constraints';
import { RuleContext } from '../rule';

const IN_TREE_EBS = 'kubernetes.io/aws-ebs';

/** The spec of a claim that the input writes: a PersistentVolumeClaim, or a template of claims. */
export interface WrittenClaim {
  readonly object: ManifestObject;
  /** Of the spec. */
  readonly path: FieldPath;
  readonly spec: PlainRecord;
}

export interface StorageClasses {
  /** StorageClasses of the input and of the cluster, by name. */
  readonly written: ReadonlyMap<string, ManifestObject>;
  /** Names of all known StorageClasses. */
  readonly names: ReadonlySet<string>;
  /** Whether all StorageClasses of the cluster are known. */
  readonly isComplete: boolean;
  /** The name of the default class, if the input has one. */
  readonly defaultName?: string;
}

/** The claims of the input that have no volume yet. */
export const writtenClaims = memoizeByIdentity(({ objects, workloads }: ManifestModel): readonly WrittenClaim[] => [
  ...objects
    .filter(({ apiVersion, kind }) => apiVersion === 'v1' && kind === 'PersistentVolumeClaim')
    .flatMap((object) => claimAt(object, ['spec'], object.raw?.spec)),
  ...workloads.flatMap((workload) => {
    const { object, kind, podPath } = workload;
    const templates = kind === 'StatefulSet' ? recordsOf(object.raw?.spec?.volumeClaimTemplates) : [];
    const volumes = recordsOf(podSpecOf(workload)?.volumes);
    return [
      ...templates.flatMap(({ spec }, index) => claimAt(object, ['spec', 'volumeClaimTemplates', index, 'spec'], spec)),
      ...volumes.flatMap(({ ephemeral }, index) =>
        claimAt(
          object,
          [...podPath, 'volumes', index, 'ephemeral', 'volumeClaimTemplate', 'spec'],
          asRecord(asRecord(ephemeral)?.volumeClaimTemplate)?.spec,
        ),
      ),
    ];
  }),
]);

function claimAt(object: ManifestObject, path: FieldPath, raw: unknown): WrittenClaim[] {
  const spec = asRecord(raw);
  return spec === undefined || (stringOrUndefined(spec.volumeName) ?? '') !== '' ? [] : [{ object, path, spec }];
}

export const storageClassesOf = memoizeByIdentity(({ model, options }: RuleContext): StorageClasses => {
  const inCluster = (model.cluster?.objects ?? []).filter(isStorageClass);
  const classes = [...inCluster, ...model.objects.filter(isStorageClass)];
  const written = new Map(classes.map((object) => [object.name, object]));
  return {
    written,
    names: new Set([EKS_STORAGE_CLASS, ...(options.storageClasses ?? []), ...written.keys()]),
    // A dump of the cluster without any StorageClass was made without them.
    isComplete: inCluster.length > 0,
    defaultName: classes.find(({ raw }) => isDefaultClass(raw as PlainRecord))?.name,
  };
});

export function isStorageClass({ apiVersion, kind }: ManifestObject): boolean {
  return kind === 'StorageClass' && apiVersion.startsWith('storage.k8s.io/');
}

/** The class that the claim names, or the default class; undefined if neither is known. */
export function classNameOf({ spec }: WrittenClaim, { defaultName }: StorageClasses): string | undefined {
  const { storageClassName } = spec;
  return storageClassName === undefined || storageClassName === null
    ? defaultName
    : stringOrUndefined(storageClassName);
}

export function provisionerOf(object: ManifestObject): string {
  return stringOrUndefined(object.raw?.provisioner) ?? '';
}

/** Whether a StorageClass makes EBS volumes. */
export function makesEbsVolumes(object: ManifestObject): boolean {
  return isEbsDriver(provisionerOf(object)) || isInTreeEbs(object);
}

export function isInTreeEbs(object: ManifestObject): boolean {
  return provisionerOf(object) === IN_TREE_EBS;
}
