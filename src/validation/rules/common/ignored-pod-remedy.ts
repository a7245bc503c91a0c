const CLAIM = /\((PersistentVolumeClaim \S+)\)$/;

/** Remedies for what Karpenter says about pods that it ignores. `{claim}` is the volume claim of the message. */
const REMEDIES: ReadonlyArray<readonly [words: RegExp, remedy: string]> = [
  [
    /persistentvolumeclaim is being deleted/,
    'let the deletion of {claim} end, and create it again, or mount another claim',
  ],
  [
    /bound to non-existent persistentvolume/,
    'restore the PersistentVolume of {claim}; if its data is not needed, mount a new claim',
  ],
  [
    /persistentvolume is being deleted/,
    'save the data of {claim}, whose PersistentVolume is being deleted, and mount a new claim',
  ],
  [
    /considered unbound/,
    'let Kubernetes bind {claim}: its PersistentVolume must be free, with the same class, access mode and size',
  ],
  [/must define a storage class/, 'name a StorageClass in {claim}: storageClassName: gp3, for example'],
  [
    /immediate volume binding mode must be bound/,
    'give {claim} a StorageClass with volumeBindingMode: WaitForFirstConsumer',
  ],
  [
    /Dynamic Resource Allocation/,
    'request the resource of the device plugin, such as nvidia.com/gpu, instead of a resource claim',
  ],
];

/** What to do about a pod that Karpenter ignores: no NodePool helps. The cause may be in a volume claim of the pod. */
export function ignoredPodRemedy(message: string): string {
  const claim = CLAIM.exec(message)?.[1];
  const remedy = REMEDIES.find(([words]) => words.test(message))?.[1];
  if (remedy !== undefined && (claim !== undefined || !remedy.includes('{claim}')))
    return remedy.replace('{claim}', claim ?? '');
  return 'change this in the pod template: with it, Karpenter launches no node for the pods from any NodePool';
}
