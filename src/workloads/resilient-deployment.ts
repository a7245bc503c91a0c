import { ContainerProps, Deployment, DeploymentProps, Container } from 'cdk8s-plus-28';
import { Construct } from 'constructs';
import { PodResourcesProps } from './pod-resources-props';
import { defaultedProps, withMemoryLimit } from './private/cdk8s-plus-defaults';
import { ensureDisruptionBudget } from './private/disruption-budget';
import { addPodResources } from './private/pod-resources';
import { protect } from './private/protected-object';
import { settingsOf } from './private/settings';
import { ResilienceProps } from './resilience-props';

/**
 * Properties of a ResilientDeployment.
 */
export interface ResilientDeploymentProps extends DeploymentProps, ResilienceProps, PodResourcesProps {}

/**
 * A Deployment that keeps serving while Karpenter replaces the nodes under it: a `Deployment` of cdk8s-plus with all
 * safeguards of `Resilience`.
 *
 * @see https://karpenter.sh/docs/concepts/disruption/
 */
export class ResilientDeployment extends Deployment {
  /**
   * @throws Error if a property has an invalid value, or a waiver has no reason
   */
  constructor(scope: Construct, id: string, props: ResilientDeploymentProps = {}) {
    super(scope, id, props);
    addPodResources(this.apiObject, props);
    protect(this.apiObject, settingsOf(props, defaultedProps(props, 2)));
    ensureDisruptionBudget(this.apiObject);
  }

  /**
   * Add a container to the pod. Without `resources`, its memory limit equals its memory request.
   *
   * @param cont properties of the container
   */
  public override addContainer(cont: ContainerProps): Container {
    return super.addContainer(withMemoryLimit(cont));
  }

  /**
   * Add an init container to the pod. Without `resources`, its memory limit equals its memory request.
   *
   * @param cont properties of the container
   */
  public override addInitContainer(cont: ContainerProps): Container {
    return super.addInitContainer(withMemoryLimit(cont));
  }
}
