import { Duration } from 'cdk8s';
import { KubeletSetting } from './kubelet-setting';
import { MaxPods } from './max-pods';
import { toGoDuration } from '../private/lowering';

/**
 * Settings of the kubelet. Some AMI families ignore some of them. AL2, Bottlerocket and Windows ignore `other` settings
 * and use only one address of `clusterDns`. Bottlerocket ignores `podsPerCore`. With the family Custom, Karpenter
 * schedules with the settings, and the user data must pass them to the kubelet.
 *
 * @see https://karpenter.sh/docs/concepts/nodeclasses/#speckubelet
 */
export interface KubeletConfiguration {
  /**
   * Addresses of the cluster's DNS.
   *
   * @default - detected from the cluster
   */
  readonly clusterDns?: string[];

  /**
   * Highest number of pods on a node.
   *
   * @default - the number of addresses of the instance type's network interfaces
   */
  readonly maxPods?: MaxPods;

  /**
   * Highest number of pods for each vCPU.
   *
   * @default - no such limit
   */
  readonly podsPerCore?: number;

  /**
   * Resources kept for the operating system, as quantities of `cpu`, `memory`, `ephemeral-storage` and `pid`. With the
   * feature gate `NodeClassCEL`, CEL expressions over the instance type are allowed, too.
   *
   * @default - nothing in addition to `kubeReserved`
   */
  readonly systemReserved?: { [resource: string]: string };

  /**
   * Resources kept for the kubelet and the container runtime, in the same format as `systemReserved`.
   *
   * @default - calculated by the machine image from the number of vCPUs and pods
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
   * Longest termination grace period of a pod in a soft eviction.
   *
   * @default - only the grace period of the pod itself
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

  /**
   * Settings that have no property here, by their names in the kubelet configuration:
   * `{ registryPullQPS: KubeletSetting.number(10) }`. Only the AMI family AL2023 passes them to the kubelet, and
   * Karpenter before 1.15 does not accept them.
   *
   * @default - those of the machine image
   */
  readonly other?: { [setting: string]: KubeletSetting };
}

/**
 * Returns the first contradiction between properties as `<path>: …`.
 *
 * @internal
 */
export function _findKubeletMisuse(kubelet: KubeletConfiguration): string | undefined {
  const named = toNamedSettings(kubelet);
  const repeated = Object.keys(kubelet.other ?? {}).find((setting) => Object.hasOwn(named, setting));
  return (
    repeated &&
    `kubelet.other.${repeated}: must not be a setting that has a property, got ${repeated}; use the property`
  );
}

/** @internal */
export function _toKubelet(kubelet: KubeletConfiguration): Record<string, unknown> {
  const other = Object.entries(kubelet.other ?? {}).map(([setting, value]) => [setting, value._toValue()]);
  return { ...toNamedSettings(kubelet), ...Object.fromEntries(other) };
}

function toNamedSettings(kubelet: KubeletConfiguration): Record<string, unknown> {
  const { clusterDns, evictionSoftGracePeriod: grace } = kubelet;
  return {
    clusterDNS: clusterDns && [...clusterDns],
    maxPods: kubelet.maxPods?._toSpec(),
    podsPerCore: kubelet.podsPerCore,
    systemReserved: kubelet.systemReserved,
    kubeReserved: kubelet.kubeReserved,
    evictionHard: kubelet.evictionHard,
    evictionSoft: kubelet.evictionSoft,
    evictionSoftGracePeriod:
      grace && Object.fromEntries(Object.entries(grace).map(([signal, period]) => [signal, toGoDuration(period)])),
    evictionMaxPodGracePeriod: kubelet.evictionMaxPodGracePeriod?.toSeconds({ integral: false }),
    imageGCHighThresholdPercent: kubelet.imageGcHighThresholdPercent,
    imageGCLowThresholdPercent: kubelet.imageGcLowThresholdPercent,
    cpuCFSQuota: kubelet.cpuCfsQuota,
  };
}
