import { instanceStoreMountedTwice } from '../../../../../src/validation/rules/api/user-data/instance-store-mounted-twice';
import { judge, nodeClass } from '../../judge';

const rule = instanceStoreMountedTwice;
const TOML =
  '[settings.bootstrap-commands.disks]\ncommands = [\n  ["apiclient", "ephemeral-storage", "init"],\n]\nessential = true\nmode = "always"\n';
const MDADM = '#!/bin/bash\nmdadm --create /dev/md0 --level=0 /dev/nvme1n1 /dev/nvme2n1\n';
const classWith = (alias: string, userData: string, instanceStorePolicy?: string) =>
  nodeClass('default', { amiSelectorTerms: [{ alias }], userData, instanceStorePolicy });

describe('KARP-154 instance-store-mounted-twice', () => {
  test.each([
    ['bottlerocket@v1.46.0', TOML, 'ephemeral-storage init'],
    ['al2023@latest', MDADM, 'mdadm --create'],
    ['al2@latest', '#!/bin/bash\nsetup-local-disks mount\n', 'setup-local-disks mount'],
    [
      'al2023@latest',
      '#!/bin/bash\nsudo mkfs.xfs -f /dev/nvme1n1 && mount /dev/nvme1n1 /x\n',
      'mkfs.xfs -f /dev/nvme1n1',
    ],
    ['al2023@latest', '#!/bin/bash\nDISK=/dev/nvme1n1\nmkfs -t ext4 "${DISK}"\n', 'mkfs -t ext4 /dev/nvme1n1'],
    ['al2@latest', '#!/bin/bash\npvcreate /dev/nvme1n1 /dev/nvme2n1\n', 'pvcreate /dev/nvme1n1 /dev/nvme2n1'],
  ])('reports, for %s with RAID0, the user data %j', (alias, userData, command) => {
    const { findings } = judge(rule, [classWith(alias, userData, 'RAID0')]);
    expect(findings).toMatchObject([{ path: ['spec', 'userData'], evidence: { command } }]);
    expect(findings[0].message).toContain(`the user data runs ${command}, and instanceStorePolicy RAID0`);
    expect(judge(rule, [classWith(alias, userData)]).states).toEqual(['pass EC2NodeClass/default']);
  });

  test('does not apply to Bottlerocket before Karpenter mounts its disks', () => {
    const { outcomes } = judge(rule, [classWith('bottlerocket@v1.46.0', TOML, 'RAID0')], { karpenterVersion: '1.0.8' });
    expect(outcomes).toEqual([]);
  });

  test('reports Bottlerocket from the first release on that mounts its disks', () => {
    const { findings } = judge(rule, [classWith('bottlerocket@v1.46.0', TOML, 'RAID0')], { karpenterVersion: '1.1.0' });
    expect(findings).toHaveLength(1);
  });

  test.each(['al2@latest', 'al2023@latest'])(
    'does not apply to setup-local-disks raid0, which may run twice: %s',
    (alias) => {
      expect(judge(rule, [classWith(alias, '#!/bin/bash\nsetup-local-disks raid0\n', 'RAID0')]).outcomes).toEqual([]);
    },
  );

  test('does not apply to the file system of another EBS volume', () => {
    const userData = '#!/bin/bash\nmkfs.xfs /dev/nvme1n1\n';
    const blockDeviceMappings = ['/dev/xvda', '/dev/xvdb'].map((deviceName) => ({
      deviceName,
      ebs: { volumeSize: '50Gi' },
    }));
    const fields = { userData, instanceStorePolicy: 'RAID0', blockDeviceMappings };
    expect(judge(rule, [nodeClass('default', fields)]).findings).toEqual([]);
    expect(
      judge(rule, [classWith('al2023@latest', '#!/bin/bash\nmkfs.xfs /dev/nvme0n1p4\n', 'RAID0')]).findings,
    ).toEqual([]);
  });

  test('does not apply to user data without disk setup', () => {
    expect(judge(rule, [classWith('al2023@latest', '#!/bin/bash\necho hi\n', 'RAID0')]).outcomes).toEqual([]);
  });
});
