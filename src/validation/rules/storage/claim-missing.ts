import { asRecord, setField, unsafeFix } from '../../../contract';
import { memoizeByIdentity, nearestName } from '../../../model';
import { isToken } from '../../manifest/field-reader';
import { FieldPath, ManifestModel, ManifestObject, WorkloadManifest } from '../../manifest/model';
import { recordsOf } from '../../manifest/records';
import { podSpecOf } from '../common/pod-constraints';
import { defineRule, unknown } from '../define-rule';
import { subjectsFrom } from '../subjects';

/** A claim that the pods of a workload mount by its name. */
interface Mount {
  readonly object: ManifestObject;
  readonly workload: WorkloadManifest;
  readonly claimName: string;
  readonly path: FieldPath;
}

/** @see https://kubernetes.io/docs/concepts/storage/persistent-volumes/#claims-as-volumes */
export const claimMissing = defineRule({
  id: 'KARP-828',
  name: 'claim-missing',
  severity: 'error',
  summary:
    'Pods mount a claim that does not exist, because its name is misspelt or it is in another namespace: they stay Pending.',
  subjects: subjectsFrom<Mount>(({ model }) => mountsOf(model)),
  judge({ workload: { object, namespace }, claimName, path }, { model }) {
    const claims = claimsOf(model);
    const here = claims.filter((claim) => namespaceOf(claim) === namespace).map(({ name }) => name);
    if (here.includes(claimName)) return undefined;
    const message = `mounts PersistentVolumeClaim ${claimName}, which namespace ${namespace} does not have`;
    const effect = 'its pods stay Pending, and Karpenter launches no node for them';
    const mounted = new Set(mountsOf(model).map((mount) => `${mount.workload.namespace}/${mount.claimName}`));
    const unused = here.filter((name) => !mounted.has(`${namespace}/${name}`) && !isNumbered(name, claimName));
    const meant = nearestName(claimName, unused);
    if (meant !== undefined)
      return {
        path,
        message: `${message}: ${effect}`,
        remedy: `write ${meant} instead of ${claimName}`,
        evidence: { claim: claimName, nearest: meant },
        fix: unsafeFix(setField(path, meant)),
      };
    const elsewhere = claims.find(
      (claim) => claim.name === claimName && claim.namespace !== undefined && object.namespace !== undefined,
    );
    if (elsewhere === undefined) return unknown(`PersistentVolumeClaim ${claimName} is not in the input`);
    const metadata = ['metadata', 'namespace'];
    return {
      path,
      message: `${message}, but namespace ${namespaceOf(elsewhere)}: ${effect}`,
      remedy: `write namespace: ${namespace} in the claim, because pods mount claims of their own namespace only`,
      evidence: { claim: claimName, claimNamespace: namespaceOf(elsewhere) },
      related: { object: elsewhere, path: metadata, label: 'the claim is in this namespace' },
      also: [{ object: elsewhere, fix: unsafeFix(setField(metadata, namespace)) }],
    };
  },
});

const mountsOf = memoizeByIdentity(({ workloads }: ManifestModel): readonly Mount[] =>
  workloads.flatMap((workload) =>
    recordsOf(podSpecOf(workload)?.volumes).flatMap((volume, index) => {
      const claimName = asRecord(volume.persistentVolumeClaim)?.claimName;
      const path = [...workload.podPath, 'volumes', index, 'persistentVolumeClaim', 'claimName'];
      return typeof claimName === 'string' && !isToken(claimName)
        ? [{ object: workload.object, workload, claimName, path }]
        : [];
    }),
  ),
);

/** The claims of the input and of the cluster. */
const claimsOf = memoizeByIdentity(({ objects, cluster }: ManifestModel): readonly ManifestObject[] =>
  [...objects, ...(cluster?.objects ?? [])].filter(
    ({ apiVersion, kind }) => apiVersion === 'v1' && kind === 'PersistentVolumeClaim',
  ),
);

function namespaceOf({ namespace = 'default' }: ManifestObject): string {
  return namespace;
}

/** Names that differ in a number only are those of different claims. */
function isNumbered(name: string, other: string): boolean {
  return name.replace(/\d+/g, '') === other.replace(/\d+/g, '');
}
