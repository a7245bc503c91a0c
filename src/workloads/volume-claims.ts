import { ApiObject, Lazy } from 'cdk8s';
import { IConstruct, IMixin } from 'constructs';
import { hasPods, EditableWorkload, Json, ensureList, namedContainer } from './private/editable-workload';
import { VolumeClaim } from './volume-claim';
import { errorWithoutStack } from '../model';
import { editManifest, withoutSafeguards } from './private/protections';

/**
 * Adds volumes, each with its claim and mount, to any workload:
 * `job.with(new VolumeClaims(VolumeClaim.perPod('scratch', { size, mountPath })))`. The workload is a Deployment,
 * StatefulSet, ReplicaSet, DaemonSet, Job or CronJob, no matter how it was created.
 */
export class VolumeClaims implements IMixin {
  private readonly claims: VolumeClaim[];

  /**
   * @param claims at least one, with different names
   * @throws Error if there is none, or two have the same name
   */
  constructor(...claims: VolumeClaim[]) {
    if (claims.length === 0)
      throw new Error('VolumeClaims: must have at least one claim, got none; write for example VolumeClaim.perPod(…)');
    this.claims = claims;
    const twice = claims.find(({ name }, index) => claims.findIndex((claim) => claim.name === name) < index);
    if (twice)
      throw new Error(
        `VolumeClaims: the volumes of a pod must have different names, got ${twice.name} twice; rename one of them`,
      );
  }

  public supports(construct: IConstruct): boolean {
    return ApiObject.isApiObject(construct) && hasPods(construct as ApiObject);
  }

  /**
   * @throws Error if a claim is for each replica, and the workload is not a StatefulSet
   */
  public applyTo(construct: IConstruct): void {
    claimVolumes(construct as ApiObject, this.claims);
  }
}

// Adds volumes to a workload: the claims or claim templates, the volumes of the pod, and the mounts.

function claimVolumes(workload: ApiObject, claims: readonly VolumeClaim[]): void {
  for (const claim of claims) {
    if (claim._lifetime === 'perReplica' && workload.kind !== 'StatefulSet') {
      throw errorWithoutStack(
        `${workload.node.path}: a volume for each replica needs a StatefulSet, got a ${workload.kind} with VolumeClaim.perReplica('${claim.name}'); ` +
          'write VolumeClaim.perPod for a volume that is deleted with its pod, or VolumeClaim.shared for one volume of all pods',
      );
    }
    if (claim._lifetime === 'shared') addClaim(workload, claim);
  }
  editManifest(workload, (manifest) =>
    claims.forEach((claim) => mountVolume(workload, new EditableWorkload(manifest), claim)),
  );
}

function addClaim(workload: ApiObject, claim: VolumeClaim): void {
  const object = new ApiObject(workload, `Claim-${claim.name}`, {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: claimName(workload, claim), namespace: workload.metadata.namespace },
    spec: Lazy.any({ produce: () => claim._toSpec() }),
  });
  const render = object.toJson.bind(object);
  // Follows the workload's namespace, which a patch may have changed after the claim was created.
  object.toJson = () => {
    const { namespace } = withoutSafeguards(workload).metadata ?? {};
    const manifest: Json = render();
    return namespace === undefined ? manifest : { ...manifest, metadata: { ...manifest.metadata, namespace } };
  };
}

function claimName({ name }: ApiObject, claim: VolumeClaim): string {
  return `${name}-${claim.name}`;
}

function mountVolume(workload: ApiObject, subject: EditableWorkload, claim: VolumeClaim): void {
  const {
    name,
    _options: { mountPath, container: containerName },
  } = claim;
  const volumes = ensureList(subject.pod, 'volumes');
  const templates = claim._lifetime === 'perReplica' ? ensureList(subject.spec, 'volumeClaimTemplates') : [];
  if (volumes.some((volume) => volume.name === name) || templates.some(({ metadata }) => metadata?.name === name)) {
    throw errorWithoutStack(
      `${workload.node.path}: the volumes of a pod must have different names, got ${name} twice; rename one of them`,
    );
  }
  if (claim._lifetime === 'perReplica') templates.push({ metadata: { name }, spec: claim._toSpec() });
  else if (claim._lifetime === 'perPod')
    volumes.push({ name, ephemeral: { volumeClaimTemplate: { spec: claim._toSpec() } } });
  else volumes.push({ name, persistentVolumeClaim: { claimName: claimName(workload, claim) } });
  if (volumes.length === 0) delete subject.pod.volumes;
  const container = namedContainer(subject, containerName, workload.node.path);
  const mounts = ensureList(container, 'volumeMounts');
  const taken = mounts.find((mount) => mount.mountPath === mountPath);
  if (taken) {
    throw errorWithoutStack(
      `${workload.node.path}: each volume of container ${container.name} needs a path of its own, got ${mountPath} for ${taken.name} and ${name}; change one of them`,
    );
  }
  mounts.push({ name, mountPath });
}
