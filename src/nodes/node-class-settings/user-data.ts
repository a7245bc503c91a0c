import { Yaml } from 'cdk8s';
import { BottlerocketSetting } from './bottlerocket-setting';
import { KubeletSetting } from './kubelet-setting';
import { toToml } from '../private/toml';
import {
  FORMAT_NAMES,
  rejectFlag,
  rejectSetting,
  rejectTag,
  UserDataKind,
  withoutOwnSettings,
} from '../private/user-data-checks';

/**
 * Fields of a NodeConfig, the settings of nodes with Amazon Linux 2023.
 *
 * @see https://awslabs.github.io/amazon-eks-ami/nodeadm/doc/api/
 */
export interface NodeConfigOptions {
  /**
   * Settings of the kubelet that `kubelet` of an EC2NodeClass does not have:
   * `{ registryPullQPS: KubeletSetting.number(20) }`.
   *
   * @default - none
   */
  readonly kubeletConfig?: { [setting: string]: KubeletSetting };

  /**
   * Flags of the kubelet, such as `--v=4`. Settings that `kubelet` of an EC2NodeClass has are refused.
   *
   * @default - none
   */
  readonly kubeletFlags?: string[];

  /**
   * Configuration of containerd in TOML, which is merged with that of the AMI.
   *
   * @default - that of the AMI
   */
  readonly containerdConfig?: string;

  /**
   * Feature gates of nodeadm, such as `{ FastImagePull: true }`.
   *
   * @default - none
   */
  readonly featureGates?: { [gate: string]: boolean };
}

/**
 * User data of nodes: settings or a script that run before a node joins the cluster. Karpenter merges its own user data
 * into it. Each AMI family takes certain formats only, and an EC2NodeClass refuses the others.
 *
 * @see https://karpenter.sh/docs/concepts/nodeclasses/#specuserdata
 */
export class UserData {
  /**
   * A NodeConfig for AL2023.
   *
   * @param options settings of the kubelet, of containerd and of nodeadm
   * @throws Error if a setting belongs into `kubelet` of the EC2NodeClass, with which Karpenter plans
   */
  public static nodeConfig(options: NodeConfigOptions): UserData {
    const { kubeletConfig, kubeletFlags, containerdConfig, featureGates } = options;
    Object.keys(kubeletConfig ?? {}).forEach((name) => rejectSetting('UserData.nodeConfig.kubeletConfig', name));
    kubeletFlags?.forEach((flag) => rejectFlag('UserData.nodeConfig.kubeletFlags', flag));
    const spec = {
      ...unlessEmptyField('kubelet', {
        ...(kubeletConfig && { config: valuesOf(kubeletConfig) }),
        ...(kubeletFlags && { flags: [...kubeletFlags] }),
      }),
      ...(containerdConfig !== undefined && { containerd: { config: containerdConfig } }),
      ...(featureGates && { featureGates }),
    };
    return new UserData(
      'node-config',
      Yaml.stringify({ apiVersion: 'node.eks.aws/v1alpha1', kind: 'NodeConfig', spec }).replace(/^---\n/, ''),
    );
  }

  /**
   * A script in Bash, for AL2023 and AL2. It runs as root, before the node joins the cluster.
   *
   * @param lines of the script. `#!/bin/bash` is added if the first one has no `#!`.
   * @throws Error if there is no line
   */
  public static shellScript(...lines: string[]): UserData {
    requireLines('UserData.shellScript', lines, 'sysctl -w vm.max_map_count=262144');
    const script = lines[0].startsWith('#!') ? lines : ['#!/bin/bash', ...lines];
    return new UserData('shell', `${script.join('\n')}\n`);
  }

  /**
   * Several parts for AL2023 or AL2, in a MIME archive: NodeConfigs and scripts. They are used in this order.
   *
   * @param parts made by `nodeConfig` and `shellScript`
   * @throws Error if a part has another format
   */
  public static multipart(...parts: UserData[]): UserData {
    if (parts.length === 0)
      throw new Error(
        "UserData.multipart: must have at least one part, got none; write for example UserData.shellScript('…')",
      );
    const texts = parts.map(({ _kind: kind, content }) => {
      const type = kind === undefined ? undefined : CONTENT_TYPES[kind];
      if (type === undefined)
        throw new Error(
          `UserData.multipart: must have NodeConfigs and shell scripts as parts, got ${kind === undefined ? 'raw text' : FORMAT_NAMES[kind]}; ` +
            'write UserData.nodeConfig or UserData.shellScript',
        );
      return `--${BOUNDARY}\nContent-Type: ${type}\n\n${content}`;
    });
    const boundary = parts.find(({ content }) => content.split('\n').some((line) => line.startsWith(`--${BOUNDARY}`)));
    if (boundary !== undefined)
      throw new Error(
        `UserData.multipart: must not have a line that begins with --${BOUNDARY}, got one; change the line`,
      );
    const head = `MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary="${BOUNDARY}"\n\n`;
    return new UserData('mime', `${head}${texts.join('')}--${BOUNDARY}--\n`);
  }

  /**
   * Settings of Bottlerocket, by the tables that its TOML has below `settings`:
   * `{ kernel: { lockdown: BottlerocketSetting.text('integrity') } }`.
   *
   * @param tables the settings of each table
   * @throws Error if a setting belongs into `kubelet` of the EC2NodeClass, with which Karpenter plans, is one that
   * Karpenter writes itself, or has a value that TOML has no form for
   * @see https://bottlerocket.dev/en/os/latest/#/api/settings/
   */
  public static bottlerocket(tables: { [table: string]: { [setting: string]: BottlerocketSetting } }): UserData {
    const settings = Object.fromEntries(Object.entries(tables).map(([table, values]) => [table, valuesOf(values)]));
    withoutOwnSettings('UserData.bottlerocket', settings);
    return new UserData('toml', toToml('UserData.bottlerocket', { settings }));
  }

  /**
   * Commands in PowerShell, for Windows. They run before the node joins the cluster.
   *
   * @param commands without `<powershell>` tags, which Karpenter adds
   * @throws Error if there is no command, or one has such a tag
   */
  public static powershell(...commands: string[]): UserData {
    requireLines('UserData.powershell', commands, 'Set-TimeZone -Id UTC');
    commands.forEach((command) => rejectTag('UserData.powershell', command));
    return new UserData('powershell', `${commands.join('\n')}\n`);
  }

  /**
   * Any text, for example from a file, or of an AMI of your own. What an AMI family is known to refuse is refused.
   *
   * @param content the user data
   */
  public static raw(content: string): UserData {
    return new UserData(undefined, content);
  }

  private constructor(
    /**
     * Undefined for raw text.
     *
     * @internal
     */
    public readonly _kind: UserDataKind | undefined,
    /** The text in `spec.userData`. */
    public readonly content: string,
  ) {}
}

const BOUNDARY = '//';
const CONTENT_TYPES: Readonly<Partial<Record<UserDataKind, string>>> = {
  'node-config': 'application/node.eks.aws',
  shell: 'text/x-shellscript; charset="us-ascii"',
};

function valuesOf(settings: { readonly [name: string]: BottlerocketSetting | KubeletSetting }): {
  [name: string]: unknown;
} {
  return Object.fromEntries(Object.entries(settings).map(([name, setting]) => [name, setting._toValue()]));
}

function unlessEmptyField(name: string, fields: object): object {
  return Object.keys(fields).length === 0 ? {} : { [name]: fields };
}

function requireLines(name: string, lines: readonly string[], example: string): void {
  if (lines.length > 0) return;
  throw new Error(`${name}: must have at least one line, got none; write for example ${example}`);
}
