import { classesWithUserData, userDataOf } from './known-user-data';
import { compareKarpenterVersions, conflictingDiskSetup } from '../../../../contract';
import { NodeClassManifest } from '../../../manifest/model';
import { recordsOf } from '../../../manifest/records';
import { defineRule, NOT_APPLICABLE } from '../../define-rule';

/**
 * Since this release, Karpenter mounts the instance store of Bottlerocket nodes by itself.
 *
 * @see https://github.com/aws/karpenter-provider-aws/pull/7044
 */
const BOTTLEROCKET_RAID0_SINCE = '1.1.0';

/** @see https://karpenter.sh/docs/concepts/nodeclasses/#specinstancestorepolicy */
export const instanceStoreMountedTwice = defineRule({
  id: 'KARP-154',
  name: 'instance-store-mounted-twice',
  severity: 'error',
  summary:
    'A node class has instanceStorePolicy RAID0, and its user data also sets up the instance store disks: nodes do not join.',
  subjects: classesWithUserData((family, userData) => conflictingDiskSetup(family, userData) !== undefined),
  judge({ object }, { options }) {
    const { family, userData } = userDataOf(object.raw);
    if (object.raw?.spec?.instanceStorePolicy !== 'RAID0') return undefined;
    const version = options.karpenterVersion;
    const isBeforeRaid0 =
      family === 'Bottlerocket' &&
      version !== undefined &&
      compareKarpenterVersions(version, BOTTLEROCKET_RAID0_SINCE) < 0;
    if (isBeforeRaid0) return NOT_APPLICABLE;
    const command = conflictingDiskSetup(family, userData, hasDataVolumes(object.raw));
    if (command === undefined) return NOT_APPLICABLE;
    return {
      path: ['spec', 'userData'],
      message: `the user data runs ${command}, and instanceStorePolicy RAID0 makes Karpenter set up the same disks: the second setup fails at boot, and the node does not join`,
      remedy: 'remove the setup of the disks from the user data, or remove instanceStorePolicy',
      evidence: { amiFamily: family, instanceStorePolicy: 'RAID0', command, consequence: 'never-joins' },
    };
  },
});

/** Volumes besides the root volume: /dev/nvme1n1 may be one of them. */
function hasDataVolumes(raw: NodeClassManifest['object']['raw']): boolean {
  return recordsOf(raw?.spec?.blockDeviceMappings).length > 1;
}
