/**
 * Formats of user data, and which of them each AMI family takes.
 *
 * Sources: pkg/providers/amifamily/bootstrap of Karpenter for AWS 1.15.1 (eksbootstrap.go, nodeadm.go, bottlerocket.go,
 * windows.go, mime/mime.go); https://karpenter.sh/docs/concepts/nodeclasses/#specuserdata.
 */

export type UserDataFormat = 'mime' | 'shell' | 'node-config' | 'cloud-config' | 'powershell' | 'toml';

const NAMES: Readonly<Record<UserDataFormat, string>> = {
  mime: 'a MIME archive',
  shell: 'a shell script',
  'node-config': 'a NodeConfig',
  'cloud-config': 'a cloud-config file',
  powershell: 'a script in <powershell> tags',
  toml: 'TOML settings',
};

interface FamilyFormat {
  readonly accepts: readonly UserDataFormat[];
  /** What happens to another format, as a clause. */
  readonly otherwise: string;
  readonly remedy: string;
  /** Whether Karpenter launches no node with another format. @default false */
  readonly preventsLaunch?: boolean;
}

const WINDOWS: FamilyFormat = {
  accepts: [],
  otherwise: 'Karpenter puts it between <powershell> tags of its own, and PowerShell cannot run it',
  remedy: 'write PowerShell commands without tags',
};
const FAMILIES: Readonly<Record<string, FamilyFormat>> = {
  AL2: {
    accepts: ['mime', 'shell'],
    otherwise: 'Karpenter passes it on as a shell script, which fails at boot',
    remedy: 'write a shell script that begins with #!/bin/bash, or a MIME archive',
  },
  AL2023: {
    accepts: ['mime', 'shell', 'node-config'],
    otherwise: 'Karpenter passes it on as a shell script, which fails at boot',
    remedy:
      'write a shell script that begins with #!/bin/bash, a NodeConfig of node.eks.aws/v1alpha1, or a MIME archive',
  },
  Bottlerocket: {
    accepts: ['toml'],
    otherwise: 'Karpenter cannot parse it as TOML, and launches nothing',
    preventsLaunch: true,
    remedy: 'write settings in TOML, such as [settings.kernel.sysctl], or use an AL2023 alias',
  },
  Windows2019: WINDOWS,
  Windows2022: WINDOWS,
  Windows2025: WINDOWS,
};

export interface FormatProblem {
  /** The format, with its article. */
  readonly format: string;
  readonly otherwise: string;
  readonly remedy: string;
  /** Whether Karpenter launches no node. */
  readonly preventsLaunch: boolean;
}

/** The problem of user data in a format that the AMI family does not take. */
export function findFormatProblem(family: string, userData: string): FormatProblem | undefined {
  const known = Object.hasOwn(FAMILIES, family) ? FAMILIES[family] : undefined;
  const format = detectUserDataFormat(userData);
  if (!known || format === undefined || known.accepts.includes(format)) return undefined;
  const { otherwise, remedy, preventsLaunch = false } = known;
  return { format: NAMES[format], otherwise: reasonOf(family, format) ?? otherwise, remedy, preventsLaunch };
}

/** What Karpenter does with a format in special cases. */
function reasonOf(family: string, format: UserDataFormat): string | undefined {
  if (family === 'AL2023' && format === 'cloud-config')
    return 'Karpenter passes any YAML on as a NodeConfig, which nodeadm refuses: the node does not join';
  if (family.startsWith('Windows') && format === 'powershell')
    return 'Karpenter adds these tags itself, and nested tags end the script before the node joins';
  return undefined;
}

/** The format that the first lines show; undefined if they show none. */
export function detectUserDataFormat(userData: string): UserDataFormat | undefined {
  const text = userData.trim();
  if (/^(MIME-Version|Content-Type):/.test(text)) return 'mime';
  if (text.startsWith('#cloud-config')) return 'cloud-config';
  if (/^<powershell>/i.test(text)) return 'powershell';
  const [first = ''] = userDataLines(text);
  if (text.startsWith('#!')) return first === '' ? undefined : 'shell';
  if (/^(apiVersion:\s*["']?|\{\s*"apiVersion":\s*")node\.eks\.aws\//m.test(text)) return 'node-config';
  if (/^\[\s*"?settings"?\s*[.\]]/.test(first) || /^settings\.[\w.-]+\s*=/.test(first)) return 'toml';
  return undefined;
}

/** The lines of user data without blank lines and comments. */
export function userDataLines(userData: string): string[] {
  return userData
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
}
