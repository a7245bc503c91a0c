import { ApiObject } from 'cdk8s';
import { IConstruct, IMixin } from 'constructs';
import { ExtendedResource } from './extended-resource';
import { hasPods } from './private/editable-workload';
import { requestExtendedResources } from './private/resource-requests';

/**
 * Adds extended resources, such as GPUs, to the requests and limits of any workload:
 * `job.with(new ExtendedResources(ExtendedResource.nvidiaGpu(1)))`. The workload is a Deployment, StatefulSet,
 * ReplicaSet, DaemonSet, Job or CronJob, no matter how it was created.
 */
export class ExtendedResources implements IMixin {
  private readonly resources: ExtendedResource[];

  /**
   * @param resources at least one; each resource at most once for a container
   * @throws Error if there is none, or a container has the same resource twice
   */
  constructor(...resources: ExtendedResource[]) {
    if (resources.length === 0)
      throw new Error(
        'ExtendedResources: must have at least one resource, got none; write for example ExtendedResource.nvidiaGpu(1)',
      );
    this.resources = resources;
    assertDistinct(resources);
  }

  public supports(construct: IConstruct): boolean {
    return ApiObject.isApiObject(construct) && hasPods(construct as ApiObject);
  }

  public applyTo(construct: IConstruct): void {
    requestExtendedResources(construct as ApiObject, this.resources);
  }
}

function assertDistinct(resources: readonly ExtendedResource[]): void {
  const twice = resources.find(({ resource, container }, index) =>
    resources.slice(0, index).some((other) => other.resource === resource && other.container === container),
  );
  if (twice)
    throw new Error(`ExtendedResources: a container can have ${twice.resource} once, got it twice; add up the counts`);
}
