import { volumeRefusedAtLaunch } from '../../../../src/validation/rules/storage/volume-refused-at-launch';
import { judge, nodeClass } from '../judge';

const rule = volumeRefusedAtLaunch;

function judgeVolume(ebs: object, deviceName: string = '/dev/xvdf', fields: object = {}) {
  return judge(rule, [nodeClass('default', { blockDeviceMappings: [{ deviceName, ebs }], ...fields })]);
}

describe('KARP-813 volume-refused-at-launch', () => {
  test.each([
    ['more IOPS than gp3 allows for its size', { volumeSize: '10Gi', volumeType: 'gp3', iops: 6000 }, 'iops'],
    ['more IOPS than io1 allows for its size', { volumeSize: '10Gi', volumeType: 'io1', iops: 1000 }, 'iops'],
    ['io2 without IOPS', { volumeSize: '10Gi', volumeType: 'io2' }, 'iops'],
    ['io1 of less than 4 GiB', { volumeSize: '1Gi', volumeType: 'io1', iops: 50 }, 'volumeSize'],
    ['st1 of less than 125 GiB', { volumeSize: '100Gi', volumeType: 'st1' }, 'volumeSize'],
    ['more throughput than its IOPS allow', { volumeSize: '100Gi', volumeType: 'gp3', throughput: 1000 }, 'throughput'],
  ])('reports %s', (_, ebs, field) => {
    expect(judgeVolume(ebs).findings).toMatchObject([
      {
        path: ['spec', 'blockDeviceMappings', 0, 'ebs', field],
        message: expect.stringContaining('EC2 refuses the launch of every node'),
      },
    ]);
  });

  test('offers the IOPS that the throughput needs', () => {
    const [finding] = judgeVolume({ volumeSize: '100Gi', volumeType: 'gp3', throughput: 1000 }).findings;
    expect(finding.remedy).toBe('write 750 or less, or iops: 4000');
    expect(finding.fix).toMatchObject({ edits: [{ operation: 'set', value: 4000 }] });
  });

  test('reports a root volume that is smaller than the snapshot of the AMI', () => {
    expect(judgeVolume({ volumeSize: '10Gi' }, '/dev/xvda').findings).toMatchObject([
      {
        path: ['spec', 'blockDeviceMappings', 0, 'ebs', 'volumeSize'],
        remedy: 'write 20Gi or more',
        fix: { edits: [{ operation: 'set', value: '20Gi' }] },
      },
    ]);
  });

  test('reports a root volume of a type that EC2 does not boot from, by its device or its mark', () => {
    const ebs = { volumeSize: '200Gi', volumeType: 'st1' };
    expect(judgeVolume(ebs, '/dev/xvda').findings).toMatchObject([{ remedy: 'write volumeType: gp3' }]);
    const marked = { amiFamily: 'Custom', blockDeviceMappings: [{ deviceName: '/dev/sda1', rootVolume: true, ebs }] };
    expect(judge(rule, [nodeClass('default', marked)]).findings).toHaveLength(1);
    expect(judgeVolume(ebs, '/dev/xvdb').findings).toEqual([]);
  });

  test.each([
    ['a root volume of 20 GiB', { volumeSize: '20Gi' }, '/dev/xvda', {}],
    ['a root volume with its own snapshot', { volumeSize: '10Gi', snapshotID: 'snap-1' }, '/dev/xvda', {}],
    [
      'the root volume of a custom AMI',
      { volumeSize: '10Gi' },
      '/dev/xvda',
      { amiFamily: 'AL2023', amiSelectorTerms: [{ id: 'ami-0123456789abcdef0' }] },
    ],
    [
      'the system volume of Bottlerocket',
      { volumeSize: '4Gi' },
      '/dev/xvda',
      { amiSelectorTerms: [{ alias: 'bottlerocket@latest' }] },
    ],
    ['a small gp3 volume with the baseline', { volumeSize: '1Gi', volumeType: 'gp3', iops: 3000 }, '/dev/xvdf', {}],
    ['fast gp3 volumes', { volumeSize: '200Gi', volumeType: 'gp3', iops: 16000, throughput: 1000 }, '/dev/xvdf', {}],
  ])('passes %s', (_, ebs, deviceName, fields) => {
    expect(judgeVolume(ebs, deviceName, fields).states).toEqual(['pass EC2NodeClass/default']);
  });

  test('does not apply without block device mappings', () => {
    expect(judge(rule, [nodeClass()]).outcomes).toEqual([]);
  });

  test('does not evaluate sizes that are known only at deployment', () => {
    expect(judgeVolume({ volumeSize: '${Token[TOKEN.1]}' }).whys).toHaveLength(1);
  });
});
