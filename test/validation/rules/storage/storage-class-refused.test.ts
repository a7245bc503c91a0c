import { storageClassRefused } from '../../../../src/validation/rules/storage/storage-class-refused';
import { deployment, judge } from '../judge';

const rule = storageClassRefused;
const storageClass = (parameters: object, provisioner = 'ebs.csi.aws.com') =>
  JSON.stringify({
    apiVersion: 'storage.k8s.io/v1',
    kind: 'StorageClass',
    metadata: { name: 'fast' },
    provisioner,
    parameters,
  });

describe('KARP-826 storage-class-refused', () => {
  test('reports a throughput above that of the IOPS, and writes the IOPS that it needs', () => {
    const { findings } = judge(rule, [storageClass({ type: 'gp3', throughput: '1000' })]);
    expect(findings).toMatchObject([
      {
        path: ['parameters', 'throughput'],
        message:
          'parameters.throughput: must be at most 750 for the 3000 IOPS of a gp3 volume without iops: EBS allows 0.25 MiB/s for each of the IOPS, got 1000; no volume is created, and pods that claim one stay Pending',
        remedy: 'write iops: "4000", or a throughput of "750" or less',
        fix: { edits: [{ path: ['parameters', 'iops'], value: '4000' }] },
      },
    ]);
  });

  test.each([
    [{ type: 'gp3', iops: '1000' }, 'write "3000" or more'],
    [{ throughput: '60' }, 'write "125"'],
    [{ type: 'gp3', iops: '16000', throughput: '4000' }, 'write "2000"'],
    [{ type: 'io2' }, 'write type: gp3, which has 3000 IOPS at no extra price, or set iops'],
    [{ type: 'io1', iops: '2000', iopsPerGB: '20' }, 'remove it'],
    [{ type: 'GP3' }, 'write gp3'],
    [{ type: 'ssd' }, 'write gp3, or another type of EBS volume'],
    [{ type: 'gp3', throughputs: '300' }, 'write throughput'],
  ])('reports %j', (parameters, remedy) => {
    expect(judge(rule, [storageClass(parameters)]).findings.map((finding) => finding.remedy)).toEqual([remedy]);
  });

  test.each([
    { type: 'gp3', iops: '4000', throughput: '1000' },
    { type: 'gp3', iopsPerGB: '10', throughput: '1000' },
    { type: 'io1', iopsPerGB: '10' },
    { type: 'gp2', throughput: '1000' },
    { TYPE: 'gp3', fsType: 'xfs', tagSpecification_1: 'a=b', 'csi.storage.k8s.io/fstype': 'ext4', kmskeyid: 'a' },
  ])('passes %j', (parameters) => {
    expect(judge(rule, [storageClass(parameters)]).states).toEqual(['pass StorageClass/fast']);
  });

  test('does not apply to classes of other drivers', () => {
    expect(judge(rule, [storageClass({ type: 'x' }, 'efs.csi.aws.com'), deployment('web')]).outcomes).toEqual([]);
  });
});
