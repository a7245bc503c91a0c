/**
 * Settings of Bottlerocket that Karpenter or Bottlerocket does not know.
 *
 * Sources: BottlerocketConfig in pkg/providers/amifamily/bootstrap/bottlerocketsettings.go of Karpenter for AWS 1.15.1:
 * it passes on the table `settings` only, and from settings.kubernetes only the fields of BottlerocketKubernetes.
 * Bottlerocket refuses settings at boot that https://bottlerocket.dev/en/os/latest/#/api/settings/ does not list.
 */
import { readToml } from './toml';
import { nearestName } from '../../model';

const SETTINGS = (
  'autoscaling aws bootstrap-commands bootstrap-containers boot cloudformation container-registry ' +
  'container-runtime container-runtime-plugins dns ecs host-containers kernel kubelet-device-plugins kubernetes ' +
  'metrics motd network ntp nvidia-container-runtime oci-defaults oci-hooks pki updates xfs'
).split(' ');
const KUBERNETES = (
  'api-server cloud-provider cluster-certificate cluster-name cluster-dns-ip credential-providers node-labels ' +
  'node-taints max-pods static-pods eviction-hard eviction-soft eviction-soft-grace-period ' +
  'eviction-max-pod-grace-period kube-reserved system-reserved allowed-unsafe-sysctls server-tls-bootstrap ' +
  'registry-qps registry-burst event-qps event-burst kube-api-qps kube-api-burst container-log-max-size ' +
  'container-log-max-files cpu-manager-policy cpu-manager-policy-options cpu-manager-reconcile-period ' +
  'memory-manager-policy memory-manager-reserved-memory topology-manager-scope topology-manager-policy ' +
  'topology-manager-policy-options image-gc-high-threshold-percent image-gc-low-threshold-percent ids-per-pod ' +
  'cpu-cfs-quota-enforced shutdown-grace-period shutdown-grace-period-for-critical-pods cluster-domain ' +
  'seccomp-default pod-pids-limit device-ownership-from-security-context single-process-oom-kill ' +
  'container-log-max-workers container-log-monitor-interval hostname-override-source log-level'
).split(' ');

/** Fields of other tables. Bottlerocket itself decodes them. */
const FIELDS: Readonly<Record<string, readonly string[]>> = {
  boot: ['reboot-to-reconcile', 'kernel-parameters', 'init-parameters'],
  'container-registry': ['mirrors', 'credentials'],
  dns: ['name-servers', 'search-list'],
  kernel: ['lockdown', 'modules', 'sysctl'],
  network: ['hostname', 'hosts', 'https-proxy', 'no-proxy'],
  ntp: ['time-servers', 'options'],
  'oci-defaults': ['capabilities', 'resource-limits'],
};

export interface UnknownSetting {
  readonly written: string;
  readonly meant: string;
  /** Whether Bottlerocket refuses it at boot; otherwise Karpenter leaves it out. */
  readonly isRefused: boolean;
}

/** The settings that resemble a known one. Others may be of another release. */
export function unknownSettings(userData: string): UnknownSetting[] {
  const found = readToml(userData).keys.flatMap(({ path }) => unknownPart(path) ?? []);
  return found.filter(({ written }, index) => found.findIndex((other) => other.written === written) === index);
}

function unknownPart([root, setting, field]: readonly string[]): UnknownSetting | undefined {
  if (root !== 'settings') {
    const isSettings = nearestName(root, ['settings']) !== undefined;
    if (!isSettings && !SETTINGS.includes(root)) return undefined;
    return { written: root, meant: isSettings ? 'settings' : `settings.${root}`, isRefused: false };
  }
  if (setting !== undefined && !SETTINGS.includes(setting)) {
    const meant = nearestName(setting, SETTINGS);
    return meant === undefined
      ? undefined
      : { written: `settings.${setting}`, meant: `settings.${meant}`, isRefused: true };
  }
  const isKubernetes = setting === 'kubernetes';
  const fields = isKubernetes ? KUBERNETES : Object.hasOwn(FIELDS, setting ?? '') ? FIELDS[setting] : undefined;
  if (fields === undefined || field === undefined || fields.includes(field)) return undefined;
  const meant = nearestName(field, fields);
  const table = `settings.${setting}`;
  return meant === undefined
    ? undefined
    : { written: `${table}.${field}`, meant: `${table}.${meant}`, isRefused: !isKubernetes };
}
