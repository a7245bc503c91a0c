import { ContainerProps, Deployment, DeploymentProps, Container } from 'cdk8s-plus-28';
import { Construct } from 'constructs';
import { PodResourcesProps } from './pod-resources-props';
import { withMemoryLimit } from './private/cdk8s-plus-defaults';
import { makeResilient } from './private/make-resilient';
import { ResilienceProps } from './resilience-props';

/**
 * Properties of a ResilientDeployment.
 */
export interface ResilientDeploymentProps extends DeploymentProps, ResilienceProps, PodResourcesProps {}

/**
 * A Deployment that keeps serving while Karpenter replaces the nodes under it: a `Deployment` of cdk8s-plus-28 with all
 * safeguards of `Resilience`.
 *
 * Programs in TypeScript that use another release import this class from its module, such as
 * `karpenter-constructs/lib/cdk8s-plus-33`. `Resilience` protects the workloads of every release.
 *
 * @see https://karpenter.sh/docs/concepts/disruption/
 */
export class ResilientDeployment extends Deployment {
  /**
   * @throws Error if a property has an invalid value, or a waiver has no reason
   */
  constructor(scope: Construct, id: string, props: ResilientDeploymentProps = {}) {
    super(scope, id, props);
    makeResilient(this.apiObject, props, 2);
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
