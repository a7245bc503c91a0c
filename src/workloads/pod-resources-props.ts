import { ExtendedResource } from './extended-resource';
import { VolumeClaim } from './volume-claim';

/**
 * Resources of the pods that cdk8s-plus has no properties for.
 */
export interface PodResourcesProps {
  /**
   * GPUs and other devices that the containers use.
   *
   * @default - none
   */
  readonly extendedResources?: ExtendedResource[];

  /**
   * Volumes that are created for the pods, with their mounts.
   *
   * @default - none
   */
  readonly volumeClaims?: VolumeClaim[];
}
