import { ContainerProps, Job, JobProps, Container } from 'cdk8s-plus-28';
import { Construct } from 'constructs';
import { PodResourcesProps } from './pod-resources-props';
import { withMemoryLimit } from './private/cdk8s-plus-defaults';
import { makeResilient } from './private/make-resilient';
import { ResilienceProps } from './resilience-props';

/**
 * Properties of a ResilientJob.
 */
export interface ResilientJobProps extends JobProps, ResilienceProps, PodResourcesProps {}

/**
 * A Job that Karpenter does not interrupt: a `Job` of cdk8s-plus-28 with all safeguards of `Resilience` for
 * Jobs. Karpenter disrupts no node of a running pod, until `activeDeadline` if it is given.
 *
 * Programs in TypeScript that use another release import this class from its module, such as
 * `karpenter-constructs/lib/cdk8s-plus-33`. `Resilience` protects the workloads of every release.
 *
 * @see https://karpenter.sh/docs/concepts/disruption/#pod-level-controls
 */
export class ResilientJob extends Job {
  /**
   * @throws Error if a property has an invalid value, or a waiver has no reason
   */
  constructor(scope: Construct, id: string, props: ResilientJobProps = {}) {
    super(scope, id, props);
    makeResilient(this.apiObject, props);
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
