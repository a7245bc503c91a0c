import { ApiObjectMetadata } from 'cdk8s';
import { OverlayPrice } from './overlay-price';
import { Requirement } from './requirements/requirement';

/**
 * Properties of a NodeOverlay.
 */
export interface NodeOverlayProps {
  /**
   * Name, labels and annotations of the NodeOverlay itself.
   *
   * @default - a name made from the construct's path
   */
  readonly metadata?: ApiObjectMetadata;

  /**
   * Instance types and offerings that the overlay applies to, selected by well-known labels, by labels of NodePools, or
   * by NodePool.
   *
   * @default - all instance types
   */
  readonly requirements?: Requirement[];

  /**
   * A price of its own, or a surcharge or discount on the list price of AWS.
   *
   * @default - the list price
   */
  readonly price?: OverlayPrice;

  /**
   * Extended resources of the nodes that AWS does not know, as Kubernetes quantities:
   * `{ 'smarter-devices/fuse': '1' }`.
   *
   * @default - no further resources
   */
  readonly capacity?: { [resource: string]: string };

  /**
   * Priority among the overlays that apply to the same instance type, from 1 to 10000. The overlay with the highest
   * weight wins. Two overlays of equal weight must not set the same price or resource.
   *
   * @default - 0, below every weight that can be set
   */
  readonly weight?: number;
}
