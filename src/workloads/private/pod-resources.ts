import { ApiObject } from 'cdk8s';
import { ExtendedResources } from '../extended-resources';
import { PodResourcesProps } from '../pod-resources-props';
import { VolumeClaims } from '../volume-claims';

/** Applies the mixins for devices and volumes that the props have. */
export function addPodResources(
  workload: ApiObject,
  { extendedResources = [], volumeClaims = [] }: PodResourcesProps,
): void {
  if (extendedResources.length > 0) new ExtendedResources(...extendedResources).applyTo(workload);
  if (volumeClaims.length > 0) new VolumeClaims(...volumeClaims).applyTo(workload);
}
