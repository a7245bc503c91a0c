/**
 * Scripts of the AMIs that make an instance a node or set up its disks, which Karpenter already runs.
 *
 * Sources: pkg/providers/amifamily/bootstrap of Karpenter for AWS 1.15.1;
 * https://karpenter.sh/docs/concepts/nodeclasses/#specamifamily and #specinstancestorepolicy.
 */
import { userDataLines } from './format';

/** The script of Amazon Linux 2 AMIs. On AL2023 AMIs, it only prints that nodeadm replaced it, and fails. */
const BOOTSTRAP_SCRIPT = '/etc/eks/bootstrap.sh';
const CALL = /^(?:sudo\s+)?(?:(?:bash|sh|exec)\s+(?:-\S+\s+)*)?\/etc\/eks\/bootstrap\.sh(?:\s|$)/;
const GUARD = /(?:\[\[?|test)\s+-[efsx]\s+["']?\/etc\/eks\/bootstrap\.sh/;

/** Whether user data calls the bootstrap script of Amazon Linux 2, whether or not the AMI has it. */
export function callsBootstrapScript(userData: string): boolean {
  return userDataLines(userData).some((line) => CALL.test(line));
}

/** Whether user data uses the bootstrap script without a test that it exists. */
export function needsBootstrapScript(userData: string): boolean {
  const lines = userDataLines(userData);
  return lines.some((line) => line.includes(BOOTSTRAP_SCRIPT)) && !lines.some((line) => GUARD.test(line));
}

/** Commands that join the cluster; without one, user data may load such a command from elsewhere. */
const JOINS = /\/etc\/eks\/bootstrap\.sh|node\.eks\.aws\/|^\s*\[settings\.kubernetes\]|Start-EKSBootstrap/m;
const UNREGISTERED_TAINT = 'karpenter.sh/unregistered';

/** Whether user data visibly joins the cluster, but nowhere names the taint that Karpenter removes at registration. */
export function joinsWithoutTaint(userData: string): boolean {
  return JOINS.test(userData) && !userData.includes(UNREGISTERED_TAINT);
}

/**
 * The commands of user data after which Karpenter's own setup of the instance store disks fails, by AMI family.
 * `setup-local-disks raid0` may run twice: the second run finds the array of the first.
 *
 * Source: templates/shared/runtime/bin/setup-local-disks of https://github.com/awslabs/amazon-eks-ami.
 */
const DISK_SETUP: Readonly<Record<string, RegExp>> = {
  Bottlerocket: /"ephemeral-storage"\s*,\s*"init"|'ephemeral-storage'\s*,\s*'init'/,
  AL2: /setup-local-disks\s+mount|mdadm\s+(?:-C|--create)\b/,
  AL2023: /setup-local-disks\s+mount|mdadm\s+(?:-C|--create)\b/,
};

/**
 * Commands that write a file system or swap to a whole NVMe disk, or make it a volume of LVM. The root volume of
 * Nitro instances is /dev/nvme0n1.
 */
const DISK_USE =
  /(?:^|[;&|(]\s*|\s)((?:mkfs(?:\.\w+)?|mke2fs|pvcreate|mkswap|zpool\s+create)\s(?:[^;&|\n]{0,200}\s)?["']?\/dev\/(?:nvme[1-9]\d*n1|disk\/by-id\/nvme-Amazon_EC2_NVMe_Instance_Storage\S*))(?![\w])/m;
/** The families whose nodes have a shell at boot. */
const SHELL_FAMILIES: readonly string[] = ['AL2', 'AL2023'];

/**
 * The command of user data that takes the instance store disks away from Karpenter's setup.
 *
 * @param hasOtherDisks whether EBS volumes other than the root volume may have the name of an instance store disk
 */
export function conflictingDiskSetup(family: string, userData: string, hasOtherDisks = false): string | undefined {
  if (!Object.hasOwn(DISK_SETUP, family)) return undefined;
  const text = userDataLines(userData).join('\n');
  const use = SHELL_FAMILIES.includes(family) && !hasOtherDisks ? DISK_USE.exec(withDevices(text))?.[1] : undefined;
  return (DISK_SETUP[family].exec(text)?.[0] ?? use)?.replaceAll(/["',]/g, '').replaceAll(/\s+/g, ' ');
}

/** The text with the devices that variables of the shell name. */
function withDevices(text: string): string {
  const devices = new Map(
    [...text.matchAll(/^(?:export\s+)?([A-Za-z_]\w{0,63})=["']?(\/dev\/[\w./-]+)["']?$/gm)].map(([, name, device]) => [
      name,
      device,
    ]),
  );
  return text.replaceAll(/\$\{?([A-Za-z_]\w{0,63})\}?/g, (whole, name: string) => devices.get(name) ?? whole);
}

/** Names of the AMIs that Amazon publishes for EKS, and their AMI families. */
const AMI_NAMES: ReadonlyArray<readonly [RegExp, string]> = [
  [/^bottlerocket-aws-k8s-/, 'Bottlerocket'],
  [/^amazon-eks-node-al2023-/, 'AL2023'],
  [/^amazon-eks-(?:gpu-|arm64-)?node-(?:1\.|\*)/, 'AL2'],
  [/^Windows_Server-2019-.*EKS_Optimized/, 'Windows2019'],
  [/^Windows_Server-2022-.*EKS_Optimized/, 'Windows2022'],
  [/^Windows_Server-2025-.*EKS_Optimized/, 'Windows2025'],
];

/** The AMI family of an AMI that Amazon publishes for EKS, by its name or the pattern of its name. */
export function amiFamilyOfName(name: string): string | undefined {
  return AMI_NAMES.find(([pattern]) => pattern.test(name))?.[1];
}
