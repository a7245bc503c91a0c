import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { checkNodeOverlaySpec, NODE_OVERLAY_API } from '../contract';
import { KarpenterObject } from './karpenter-object';
import { NodeOverlayProps } from './node-overlay-props';
import { newCheckedObject, CheckedSpec, throwOnMisuse } from './private/checked-object';
import { unlessEmpty } from './private/lowering';
import { Requirement } from './requirements/requirement';

/**
 * Adds facts about instance types to Karpenter's scheduling that AWS does not know: a negotiated price, a license fee,
 * a device of the node. Requires Karpenter 1.7 or newer with the feature gate `NodeOverlay`.
 *
 * @see https://karpenter.sh/docs/concepts/nodeoverlays/
 */
export class NodeOverlay extends KarpenterObject {
  public readonly apiObject: ApiObject;

  /**
   * Priority among the overlays that apply to the same instance type.
   */
  public readonly weight?: number;

  private readonly _requirements: Requirement[];
  private readonly _capacity: { [resource: string]: string };
  private readonly rules: CheckedSpec = { construct: this, toSpec: () => this._toSpec(), check: checkNodeOverlaySpec };

  /**
   * @throws Error if Karpenter or the API server would not accept the NodeOverlay, with the path, the value and what to
   * write instead
   */
  constructor(
    scope: Construct,
    id: string,
    private readonly props: NodeOverlayProps,
  ) {
    super(scope, id);
    this.weight = props.weight;
    this._requirements = [...(props.requirements ?? [])];
    this._capacity = { ...props.capacity };
    this.apiObject = newCheckedObject(NODE_OVERLAY_API, props.metadata, this.rules);
  }

  /**
   * Requirements that select the instance types of the overlay. The list is a copy: use `addRequirements` to change it.
   */
  public get requirements(): Requirement[] {
    return [...this._requirements];
  }

  /**
   * Extended resources of the nodes. The map is a copy: use `addCapacity` to change it.
   */
  public get capacity(): { [resource: string]: string } {
    return { ...this._capacity };
  }

  /**
   * Adds requirements, so that the overlay applies to fewer instance types.
   */
  public addRequirements(...requirements: Requirement[]): void {
    this._requirements.push(...requirements);
    throwOnMisuse(this.rules);
  }

  /**
   * Adds an extended resource to the nodes, or changes its amount.
   *
   * @param resource such as `smarter-devices/fuse`
   * @param quantity a Kubernetes quantity
   */
  public addCapacity(resource: string, quantity: string): void {
    this._capacity[resource] = quantity;
    throwOnMisuse(this.rules);
  }

  /** @internal */
  public _toSpec(): Record<string, unknown> {
    return {
      requirements: this._requirements.map((requirement) => requirement._toSpec()),
      ...this.props.price?._toSpec(),
      capacity: unlessEmpty({ ...this._capacity }),
      weight: this.weight,
    };
  }
}
