import { tomlKeys } from './kubelet-settings';

/**
 * Settings of Bottlerocket whose values are strings, also if they look like numbers or booleans.
 *
 * Sources: BottlerocketKubernetes in pkg/providers/amifamily/bootstrap/bottlerocketsettings.go of Karpenter for AWS
 * 1.15.1, into which Karpenter decodes settings.kubernetes; https://bottlerocket.dev/en/os/latest/#/api/settings/kernel/.
 */
const TEXTS: readonly string[] = [
  'settings.kernel.sysctl.',
  'settings.kubernetes.node-labels.',
  'settings.kubernetes.eviction-hard.',
  'settings.kubernetes.kube-reserved.',
  'settings.kubernetes.system-reserved.',
];

/** Settings of the kubelet that are numbers or booleans. */
const NUMBERS =
  /^settings\.kubernetes\.(?:max-pods|eviction-max-pod-grace-period|registry-qps|registry-burst|event-qps|event-burst|kube-api-qps|kube-api-burst|container-log-max-files|ids-per-pod|pod-pids-limit|container-log-max-workers|log-level)$/;
const BOOLEANS =
  /^settings\.kubernetes\.(?:server-tls-bootstrap|cpu-cfs-quota-enforced|seccomp-default|device-ownership-from-security-context|single-process-oom-kill)$/;

export interface QuotedSetting {
  readonly key: string;
  /** Without quotes. */
  readonly value: string;
}

/** Texts in user data of Bottlerocket at settings into which Karpenter decodes a number or a boolean. */
export function quotedSettings(userData: string): QuotedSetting[] {
  return tomlKeys(userData).flatMap(({ key, value }) => {
    const text = /^(?:"([^"]*)"|'([^']*)')\s*(?:#.*)?$/.exec(value.trim());
    const written = text?.[1] ?? text?.[2];
    const isWrong = written !== undefined && !written.includes('$') && (NUMBERS.test(key) || BOOLEANS.test(key));
    return isWrong ? [{ key, value: written }] : [];
  });
}

export interface UnquotedSetting {
  readonly key: string;
  /** The last part of the key, in quotes if it has dots. */
  readonly name: string;
  /** As written. */
  readonly value: string;
  /** Whether Karpenter decodes the setting itself, and launches nothing if it cannot. */
  readonly preventsLaunch: boolean;
}

/** Numbers and booleans in user data of Bottlerocket at settings that are strings. */
export function unquotedSettings(userData: string): UnquotedSetting[] {
  return tomlKeys(userData).flatMap(({ key, value }) => {
    const bare = value.replace(/\s*#.*$/, '').trim();
    const table = TEXTS.find((text) => key.startsWith(text));
    if (table === undefined || !/^([+-]?[\d._]+|true|false)$/.test(bare)) return [];
    const last = key.slice(table.length);
    const name = /[./]/.test(last) ? `"${last}"` : last;
    return [{ key, name, value: bare, preventsLaunch: key.startsWith('settings.kubernetes.') }];
  });
}
