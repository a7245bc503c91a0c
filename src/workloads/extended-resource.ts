import { isQualifiedName } from '../contract';
import { shownNumber } from '../model';

/**
 * Devices that a container uses, such as GPUs: an extended resource of Kubernetes, with its count. A device plugin on
 * the node offers them, and Karpenter launches an instance type that has enough of them.
 *
 * @see https://karpenter.sh/docs/concepts/scheduling/#acceleratorsgpu-resources
 */
export class ExtendedResource {
  /**
   * NVIDIA GPUs: `nvidia.com/gpu`.
   *
   * @param count whole number from 1
   * @throws Error if `count` is not a whole number from 1
   */
  public static nvidiaGpu(count: number): ExtendedResource {
    return new ExtendedResource('nvidia.com/gpu', count);
  }

  /**
   * AMD GPUs: `amd.com/gpu`.
   *
   * @param count whole number from 1
   * @throws Error if `count` is not a whole number from 1
   */
  public static amdGpu(count: number): ExtendedResource {
    return new ExtendedResource('amd.com/gpu', count);
  }

  /**
   * AWS Inferentia or Trainium devices: `aws.amazon.com/neuron`.
   *
   * @param count whole number from 1
   * @throws Error if `count` is not a whole number from 1
   */
  public static neuron(count: number): ExtendedResource {
    return new ExtendedResource('aws.amazon.com/neuron', count);
  }

  /**
   * Cores of AWS Inferentia or Trainium devices: `aws.amazon.com/neuroncore`.
   *
   * @param count whole number from 1
   * @throws Error if `count` is not a whole number from 1
   */
  public static neuronCore(count: number): ExtendedResource {
    return new ExtendedResource('aws.amazon.com/neuroncore', count);
  }

  /**
   * Elastic Fabric Adapter interfaces: `vpc.amazonaws.com/efa`.
   *
   * @param count whole number from 1
   * @throws Error if `count` is not a whole number from 1
   */
  public static efa(count: number): ExtendedResource {
    return new ExtendedResource('vpc.amazonaws.com/efa', count);
  }

  /**
   * Any other extended resource.
   *
   * @param resource name with a domain, such as `habana.ai/gaudi`
   * @param count whole number from 1
   * @throws Error if `resource` has no domain, or `count` is not a whole number from 1
   */
  public static of(resource: string, count: number): ExtendedResource {
    return new ExtendedResource(resource, count);
  }

  private constructor(
    /** Name of the resource, such as `nvidia.com/gpu`. */
    public readonly resource: string,
    /** How many the container uses. */
    public readonly count: number,
    /** Name of the container. Undefined is the first container of the pod. */
    public readonly container?: string,
  ) {
    const [domain, name] = resource.split('/');
    if (name === undefined || !isQualifiedName(resource) || /(^|\.)kubernetes\.io$/.test(domain)) {
      throw new Error(
        `ExtendedResource.of: must be a name with a domain of its own, got ${JSON.stringify(resource)}; write for example nvidia.com/gpu`,
      );
    }
    if (!Number.isSafeInteger(count) || count < 1) {
      throw new Error(
        `ExtendedResource: the count of ${resource} must be a whole number from 1, because devices cannot be divided, got ${shownNumber(count)}; write for example 1`,
      );
    }
  }

  /**
   * The same devices for a certain container, instead of the first container of the pod.
   *
   * @param name name of the container or init container
   */
  public inContainer(name: string): ExtendedResource {
    return new ExtendedResource(this.resource, this.count, name);
  }
}
