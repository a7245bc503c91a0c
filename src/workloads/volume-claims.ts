import { ApiObject } from 'cdk8s';
import { IConstruct, IMixin } from 'constructs';
import { hasPods } from './private/editable-workload';
import { claimVolumes } from './private/volumes';
import { VolumeClaim } from './volume-claim';

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
