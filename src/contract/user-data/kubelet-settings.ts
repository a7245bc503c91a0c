/**
 * Kubelet settings in user data. Karpenter plans with `spec.kubelet` only.
 *
 * Sources: resolveLaunchTemplates in pkg/providers/amifamily/resolver.go of Karpenter for AWS 1.15.1, which writes
 * maxPods for every launch; bootstrap/bottlerocket.go, which overwrites the settings that the class has;
 * https://karpenter.sh/docs/concepts/nodeclasses/#specuserdata.
 */
import { detectUserDataFormat } from './format';

/** Fields of `spec.kubelet` that decide what a node has for pods. */
const FIELDS = ['maxPods', 'kubeReserved', 'systemReserved', 'evictionHard', 'evictionSoft'] as const;

export interface HiddenSetting {
  /** The field of `spec.kubelet`. */
  readonly field: (typeof FIELDS)[number];
  /** The setting as user data has it. */
  readonly written: string;
  /** Whether it is a flag of the kubelet, which wins over the configuration that Karpenter writes. */
  readonly isFlag: boolean;
  /** The value, if it is a number. */
  readonly value?: number;
}

/** The kubelet settings of user data for families whose format has fields for them. */
export function kubeletSettingsIn(family: string, userData: string): HiddenSetting[] {
  if (family === 'Bottlerocket') return tomlSettings(userData);
  return family === 'AL2023' ? nodeConfigSettings(userData) : [];
}

function tomlSettings(userData: string): HiddenSetting[] {
  const settings = tomlKeys(userData);
  return FIELDS.flatMap((field): HiddenSetting[] => {
    const name = field.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    const key = `settings.kubernetes.${name}`;
    const found = settings.find((setting) => setting.key === key || setting.key.startsWith(`${key}.`));
    return found ? [settingOf(field, key, found.value)] : [];
  });
}

/** The keys of TOML text with their tables, and the rest of their lines. */
export function tomlKeys(text: string): Array<{ readonly key: string; readonly value: string }> {
  let table = '';
  return text
    .replaceAll(/"""[^]*?"""|'''[^]*?'''/g, '""')
    .split('\n')
    .flatMap((line) => {
      const header = /^\s*\[([^[\]]+)\]\s*(?:#.*)?$/.exec(line)?.[1];
      if (header !== undefined) {
        table = header;
        return [];
      }
      const [, key, value] = /^\s*([\w."-]+)\s*=\s*(.*)$/.exec(line) ?? [];
      return key === undefined ? [] : [{ key: bareKey(table === '' ? key : `${table}.${key}`), value }];
    });
}

function bareKey(key: string): string {
  return key.replaceAll(/["'\s]/g, '');
}

function nodeConfigSettings(userData: string): HiddenSetting[] {
  return nodeConfigsOf(userData).flatMap((text) =>
    FIELDS.flatMap((field): HiddenSetting[] => {
      const flag = `--${field.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
      const [, flagValue] = new RegExp(`["'\\s]${flag}=([^"'\\s]*)`).exec(text) ?? [];
      if (flagValue !== undefined) return [{ ...settingOf(field, flag, flagValue), isFlag: true }];
      const [, value] = new RegExp(`^\\s*["']?${field}["']?\\s*:\\s*([^\\s,}]*)`, 'm').exec(text) ?? [];
      return value === undefined ? [] : [settingOf(field, field, value)];
    }),
  );
}

/** The NodeConfigs of user data: the whole text, or the parts of a MIME archive. */
export function nodeConfigsOf(userData: string): string[] {
  const format = detectUserDataFormat(userData);
  if (format === 'node-config') return [userData];
  if (format !== 'mime') return [];
  return userData.split(/^--.*$/m).filter((part) => /Content-Type:\s*application\/node\.eks\.aws/i.test(part));
}

function settingOf(field: HiddenSetting['field'], written: string, text: string): HiddenSetting {
  const value = /^\d+$/.test(text.trim()) ? Number(text) : undefined;
  return { field, written, isFlag: false, ...(value === undefined ? {} : { value }) };
}
