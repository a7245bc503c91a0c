import { Duration } from 'cdk8s';
import { toGoDuration } from './private/lowering';

/**
 * Settings of the kubelet that Karpenter reckons with when it sizes nodes.
 *
 * @see https://karpenter.sh/docs/concepts/nodeclasses/#speckubelet
 */
export interface KubeletConfiguration {
  /**
   * Addresses of the cluster's DNS.
   *
   * @default - found out from the cluster
   */
  readonly clusterDns?: string[];

  /**
   * Highest number of pods on a node.
   *
   * @default - as many as the instance type's network interfaces have addresses for
   */
  readonly maxPods?: number;

  /**
   * Highest number of pods for each vCPU.
   *
   * @default - no such limit
   */
  readonly podsPerCore?: number;

  /**
   * Resources kept for the operating system, as quantities of `cpu`, `memory`, `ephemeral-storage` and `pid`.
   *
   * @default - nothing beside what `kubeReserved` keeps
   */
  readonly systemReserved?: { [resource: string]: string };

  /**
   * Resources kept for the kubelet and the container runtime.
   *
   * @default - by the number of vCPUs and pods, as the machine image reckons it
   */
  readonly kubeReserved?: { [resource: string]: string };

  /**
   * Thresholds at which pods are evicted at once, by signal: `{ 'memory.available': '5%' }`.
   *
   * @default - 100Mi of memory, 10% of the root file system
   */
  readonly evictionHard?: { [signal: string]: string };

  /**
   * Thresholds at which pods are evicted after the grace period of the same signal.
   *
   * @default - no soft eviction
   */
  readonly evictionSoft?: { [signal: string]: string };

  /**
   * How long a soft threshold must be crossed, by signal.
   *
   * @default - no soft eviction
   */
  readonly evictionSoftGracePeriod?: { [signal: string]: Duration };

  /**
   * Longest time that a softly evicted pod gets to stop.
   *
   * @default - no limit beside the pod's own
   */
  readonly evictionMaxPodGracePeriod?: Duration;

  /**
   * Percentage of disk use above which images are removed.
   *
   * @default - 85
   */
  readonly imageGcHighThresholdPercent?: number;

  /**
   * Percentage of disk use down to which images are removed.
   *
   * @default - 80
   */
  readonly imageGcLowThresholdPercent?: number;

  /**
   * Whether CPU limits of containers are enforced.
   *
   * @default true
   */
  readonly cpuCfsQuota?: boolean;
}

/** @internal */
export function _toKubelet(kubelet: KubeletConfiguration): Record<string, unknown> {
  const { clusterDns, evictionSoftGracePeriod: grace } = kubelet;
  return {
    clusterDNS: clusterDns && [...clusterDns],
    maxPods: kubelet.maxPods,
    podsPerCore: kubelet.podsPerCore,
    systemReserved: kubelet.systemReserved,
    kubeReserved: kubelet.kubeReserved,
    evictionHard: kubelet.evictionHard,
    evictionSoft: kubelet.evictionSoft,
    evictionSoftGracePeriod: grace && Object.fromEntries(Object.entries(grace).map(([signal, period]) => [signal, toGoDuration(period)])),
    evictionMaxPodGracePeriod: kubelet.evictionMaxPodGracePeriod?.toSeconds({ integral: false }),
    imageGCHighThresholdPercent: kubelet.imageGcHighThresholdPercent,
    imageGCLowThresholdPercent: kubelet.imageGcLowThresholdPercent,
    cpuCFSQuota: kubelet.cpuCfsQuota,
  };
}
