import { ApiObjectMetadata } from 'cdk8s';
import { PriceAdjustment } from './price-adjustment';
import { NodeRequirement } from './requirements/node-requirement';

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
   * Instance types, and offerings of them, that the overlay is for: by well-known labels, by labels of NodePools, or by
   * the NodePool itself.
   *
   * @default - all of them
   */
  readonly requirements?: NodeRequirement[];

  /**
   * Price in USD an hour, instead of the one that AWS lists. It must not be given together with `priceAdjustment`.
   *
   * @default - the listed price
   */
  readonly price?: number;

  /**
   * What comes on top of the price that AWS lists, or goes off it. It must not be given together with `price`.
   *
   * @default - nothing
   */
  readonly priceAdjustment?: PriceAdjustment;

  /**
   * Extended resources that the nodes have beside those that AWS knows of, as Kubernetes quantities: `{
   * 'smarter-devices/fuse': '1' }`.
   *
   * @default - no further resources
   */
  readonly capacity?: { [resource: string]: string };

  /**
   * Priority among the overlays that are for the same instance type, from 1 to 10000: the highest decides. Two of the
   * same weight must not set the same price or resource.
   *
   * @default - 0, below every weight that can be set
   */
  readonly weight?: number;
}
