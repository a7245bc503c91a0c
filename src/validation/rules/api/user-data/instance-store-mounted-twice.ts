import { classesWithUserData, userDataOf } from './known-user-data';
import { compareKarpenterVersions, diskSetupIn } from '../../../../contract';
import { defineRule, NOT_APPLICABLE } from '../../define-rule';

/** Since this release, Karpenter mounts the instance store of Bottlerocket nodes by itself. */
const BOTTLEROCKET_RAID0_SINCE = '1.4.0';

/** @see https://karpenter.sh/docs/concepts/nodeclasses/#specinstancestorepolicy */
export const instanceStoreMountedTwice = defineRule({
  id: 'KARP-154',
  name: 'instance-store-mounted-twice',
  severity: 'error',
  summary:
    'A node class has instanceStorePolicy RAID0, and its user data also sets up the instance store disks: the second setup fails.',
  subjects: classesWithUserData((family, userData) => diskSetupIn(family, userData) !== undefined),
  judge({ object }, { options }) {
    const { family, userData } = userDataOf(object.raw);
    if (object.raw?.spec?.instanceStorePolicy !== 'RAID0') return undefined;
    const version = options.karpenterVersion;
    const isBottlerocket = family === 'Bottlerocket';
    if (isBottlerocket && version !== undefined && compareKarpenterVersions(version, BOTTLEROCKET_RAID0_SINCE) < 0)
      return NOT_APPLICABLE;
    const command = diskSetupIn(family, userData);
    return {
      path: ['spec', 'userData'],
      message: `the user data runs ${command}, and instanceStorePolicy RAID0 makes Karpenter set up the same disks: ${
        isBottlerocket ? 'the second setup fails at boot, and the node does not join' : 'the second setup fails'
      }`,
      remedy: 'remove the setup of the disks from the user data, or remove instanceStorePolicy',
      evidence: { amiFamily: family, instanceStorePolicy: 'RAID0', command },
    };
  },
});
