import { ApiObject } from 'cdk8s';
import { ReclaimPolicy, StorageClass, StorageClassProps } from '../storage-class';

/** What the kinds of classes differ in. */
interface VolumeKind {
  readonly name: string;
  readonly provisioner: string;
  readonly parameters: { [name: string]: string | undefined };
  readonly canExpand: boolean;
}

export function newStorageClassObject(scope: StorageClass, props: StorageClassProps, volumes: VolumeKind): ApiObject {
  const { metadata, isDefault = false, reclaimPolicy = ReclaimPolicy.DELETE } = props;
  const annotations = {
    ...metadata?.annotations,
    ...(isDefault ? { 'storageclass.kubernetes.io/is-default-class': 'true' } : {}),
  };
  return new ApiObject(scope, 'Resource', {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'StorageClass',
    metadata: { name: volumes.name, ...metadata, annotations },
    provisioner: volumes.provisioner,
    parameters: volumes.parameters,
    reclaimPolicy,
    // Volumes bound before their pod is scheduled could be in a zone without a node for it.
    volumeBindingMode: 'WaitForFirstConsumer',
    ...(volumes.canExpand ? { allowVolumeExpansion: true } : {}),
  });
}
