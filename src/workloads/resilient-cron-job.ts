import { ContainerProps, CronJob, CronJobProps, Container } from 'cdk8s-plus-28';
import { Construct } from 'constructs';
import { PodResourcesProps } from './pod-resources-props';
import { withMemoryLimit } from './private/cdk8s-plus-defaults';
import { makeResilient } from './private/make-resilient';
import { ResilienceProps } from './resilience-props';

/**
 * Properties of a ResilientCronJob.
 */
export interface ResilientCronJobProps extends CronJobProps, ResilienceProps, PodResourcesProps {}

/**
 * A CronJob that Karpenter does not interrupt while it runs: a `CronJob` of cdk8s-plus-28 with all safeguards of
 * `Resilience` for CronJobs. Karpenter disrupts no node of a running pod, until `activeDeadline` if it is given.
 *
 * Programs in TypeScript that use another release import this class from its module, such as
 * `karpenter-constructs/lib/cdk8s-plus-33`. `Resilience` protects the workloads of every release.
 *
 * @see https://karpenter.sh/docs/concepts/disruption/#pod-level-controls
 */
export class ResilientCronJob extends CronJob {
  /**
   * @throws Error if a property has an invalid value, or a waiver has no reason
   */
  constructor(scope: Construct, id: string, props: ResilientCronJobProps) {
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
