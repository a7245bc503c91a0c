/**
 * Which settings user data must not have, and which format each AMI family takes.
 *
 * Source: pkg/providers/amifamily/bootstrap/bottlerocket.go of Karpenter for AWS, which overwrites the name, the
 * endpoint and the certificate of the cluster, the taints, and the settings that the class has.
 */
import { amiFamilyOfClass, findFormatProblem } from '../../contract';

export type UserDataKind = 'node-config' | 'shell' | 'mime' | 'toml' | 'powershell';

export const FORMAT_NAMES: Readonly<Record<UserDataKind, string>> = {
  'node-config': 'a NodeConfig',
  shell: 'a shell script',
  mime: 'a MIME archive',
  toml: 'settings of Bottlerocket',
  powershell: 'PowerShell commands',
};

const METHODS: Readonly<Record<string, readonly [kinds: readonly UserDataKind[], remedy: string]>> = {
  AL2: [['shell', 'mime'], 'UserData.shellScript or UserData.multipart'],
  AL2023: [['node-config', 'shell', 'mime'], 'UserData.nodeConfig, UserData.shellScript or UserData.multipart'],
  Bottlerocket: [['toml'], 'UserData.bottlerocket'],
  Windows2019: [['powershell'], 'UserData.powershell'],
  Windows2022: [['powershell'], 'UserData.powershell'],
  Windows2025: [['powershell'], 'UserData.powershell'],
};

/** Settings of the kubelet that `kubelet` of an EC2NodeClass has, and its properties. */
const PROPERTIES: Readonly<Record<string, string>> = {
  clusterDNS: 'clusterDns',
  maxPods: 'maxPods',
  podsPerCore: 'podsPerCore',
  systemReserved: 'systemReserved',
  kubeReserved: 'kubeReserved',
  evictionHard: 'evictionHard',
  evictionSoft: 'evictionSoft',
  evictionSoftGracePeriod: 'evictionSoftGracePeriod',
  evictionMaxPodGracePeriod: 'evictionMaxPodGracePeriod',
  imageGCHighThresholdPercent: 'imageGcHighThresholdPercent',
  imageGCLowThresholdPercent: 'imageGcLowThresholdPercent',
  cpuCFSQuota: 'cpuCfsQuota',
};
/** Names of Bottlerocket that differ from those of the kubelet in more than their case. */
const RENAMED: Readonly<Record<string, string>> = {
  'cluster-dns-ip': 'clusterDNS',
  'cpu-cfs-quota-enforced': 'cpuCFSQuota',
};
/** Settings that Karpenter overwrites, with what to write instead. */
const WRITTEN_BY_KARPENTER: Readonly<Record<string, string>> = {
  'cluster-name': 'remove it',
  'api-server': 'remove it',
  'cluster-certificate': 'remove it',
  'node-taints': 'write taints of the NodePool',
};

const inDashes = new Map(
  Object.keys(PROPERTIES).map((name) => [
    name
      .replace(/[A-Z]+/g, (capitals) => `-${capitals.toLowerCase()}`)
      .replace('gchigh', 'gc-high')
      .replace('gclow', 'gc-low'),
    name,
  ]),
);

/** @throws Error if `kubelet` of an EC2NodeClass has the setting */
export function rejectSetting(name: string, setting: string): void {
  if (!Object.hasOwn(PROPERTIES, setting)) return;
  throw new Error(
    `${name}: must not have a setting that kubelet of the EC2NodeClass has, because Karpenter plans with that one, got ${setting}; write kubelet: { ${PROPERTIES[setting]}: … }`,
  );
}

/** @throws Error if the flag is one of a setting that `kubelet` of an EC2NodeClass has */
export function rejectFlag(name: string, flag: string): void {
  const [, dashed = ''] = /^--([\w-]+)/.exec(flag) ?? [];
  const setting = inDashes.get(dashed) ?? (dashed === 'cluster-dns' ? 'clusterDNS' : undefined);
  if (setting !== undefined) rejectSetting(name, setting);
}

/** @throws Error if the settings of Bottlerocket have one that `kubelet` has or that Karpenter writes */
export function withoutOwnSettings(name: string, settings: { readonly [key: string]: unknown }): void {
  if ('settings' in settings)
    throw new Error(
      `${name}: must have the tables below settings, got settings itself; write for example { kernel: … }`,
    );
  for (const [key, value] of Object.entries((settings.kubernetes as object | undefined) ?? {})) {
    if (Object.hasOwn(WRITTEN_BY_KARPENTER, key))
      throw new Error(
        `${name}: must not have a setting that Karpenter writes itself, got kubernetes.${key}; ${WRITTEN_BY_KARPENTER[key]}`,
      );
    const setting = inDashes.get(key) ?? RENAMED[key];
    // For Bottlerocket, an EC2NodeClass refuses podsPerCore and a second address of DNS.
    const isRefusedThere = setting === 'podsPerCore' || (Array.isArray(value) && value.length > 1);
    if (setting !== undefined && !isRefusedThere) rejectSetting(`${name}.kubernetes`, setting);
  }
}

/** @throws Error if the command has a tag that Karpenter adds itself */
export function rejectTag(name: string, command: string): void {
  if (!/<\/?powershell>/i.test(command)) return;
  throw new Error(`${name}: must have no <powershell> tags, because Karpenter adds them, got one; remove the tags`);
}

/** The problem of user data that the AMI family of the class refuses, as `userData: …`. */
export function findUserDataMisuse(
  spec: Readonly<Record<string, unknown>>,
  kind: UserDataKind | undefined,
  content: string,
): string | undefined {
  const family = amiFamilyOfClass(spec);
  if (family === undefined || !Object.hasOwn(METHODS, family)) return undefined;
  const [kinds, remedy] = METHODS[family];
  if (kind !== undefined)
    return kinds.includes(kind)
      ? undefined
      : `userData: must have a format that ${family} takes, got ${FORMAT_NAMES[kind]}; write ${remedy}`;
  const problem = findFormatProblem(family, content);
  return (
    problem &&
    `userData: must have a format that ${family} takes, got ${problem.format}: ${problem.otherwise}; ${problem.remedy}`
  );
}
