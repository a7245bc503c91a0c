import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { CAPACITY_BUFFER_API, checkCapacityBufferSpec } from '../contract';
import { CapacityBufferProps } from './capacity-buffer-props';
import { KarpenterObject } from './karpenter-object';
import { newCheckedObject } from './private/checked-object';
import { _toLimits } from './resource-limits';
import { requireProps } from '../model';

/**
 * Spare capacity: nodes for future pods, so that these pods do not wait for a launch. Requires Karpenter 1.14 or newer
 * with the feature gate `CapacityBuffer`.
 *
 * @see https://github.com/kubernetes/autoscaler/blob/master/cluster-autoscaler/proposals/buffers.md
 */
export class CapacityBuffer extends KarpenterObject {
  public readonly apiObject: ApiObject;

  /**
   * @throws Error if Karpenter or the API server would not accept the CapacityBuffer, with the path, the value and what
   * to write instead
   */
  constructor(
    scope: Construct,
    id: string,
    private readonly props: CapacityBufferProps,
  ) {
    super(scope, id);
    requireProps(this, props, { pods: "BufferedPods.deployment('web')" });
    this.apiObject = newCheckedObject(CAPACITY_BUFFER_API, props.metadata, {
      construct: this,
      toSpec: () => this._toSpec(),
      check: checkCapacityBufferSpec,
    });
  }

  /** @internal */
  public _toSpec(): Record<string, unknown> {
    const { pods, replicas, percentage, limits, provisioningStrategy } = this.props;
    return {
      provisioningStrategy: provisioningStrategy?.value,
      ...pods._toSpec(),
      replicas,
      percentage,
      limits: _toLimits(limits),
    };
  }
}
