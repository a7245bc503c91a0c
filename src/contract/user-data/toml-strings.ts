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
