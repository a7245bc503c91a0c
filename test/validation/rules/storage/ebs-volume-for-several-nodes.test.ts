import { ebsVolumeForSeveralNodes } from '../../../../src/validation/rules/storage/ebs-volume-for-several-nodes';
import { deployment, judge, manifest } from '../judge';

const rule = ebsVolumeForSeveralNodes;
const claim = (spec: object) => manifest('v1', 'PersistentVolumeClaim', 'data', spec);
const storageClass = (name: string, more: object = {}) =>
  JSON.stringify({
    apiVersion: 'storage.k8s.io/v1',
    kind: 'StorageClass',
    metadata: { name },
    provisioner: 'ebs.csi.aws.com',
    volumeBindingMode: 'WaitForFirstConsumer',
    ...more,
  });
const shared = { accessModes: ['ReadWriteMany'], storageClassName: 'gp3' };

describe('KARP-823 ebs-volume-for-several-nodes', () => {
  test('reports a ReadWriteMany claim of an EBS class', () => {
    expect(judge(rule, [claim(shared), storageClass('gp3')]).findings).toMatchObject([
      { path: ['spec', 'accessModes'], evidence: { accessModes: ['ReadWriteMany'], storageClass: 'gp3' } },
    ]);
    expect(judge(rule, [claim({ ...shared, storageClassName: 'gp2' })]).states).toEqual([
      'fail PersistentVolumeClaim/data',
    ]);
  });

  test('passes a class of a file system', () => {
    expect(judge(rule, [claim(shared), storageClass('gp3', { provisioner: 'efs.csi.aws.com' })]).states).toEqual([
      'pass PersistentVolumeClaim/data',
    ]);
  });

  test('is not evaluated if the class is not in the input', () => {
    expect(judge(rule, [claim(shared)]).whys).toEqual(['StorageClass gp3 is not in the input']);
    expect(judge(rule, [claim({ accessModes: ['ReadWriteMany'] })]).whys).toEqual([
      'its StorageClass is not in the input',
    ]);
  });

  test('does not apply to ReadWriteOnce claims, block devices and bound claims', () => {
    const claims = [
      { ...shared, accessModes: ['ReadWriteOnce'] },
      { ...shared, volumeMode: 'Block' },
      { ...shared, volumeName: 'pv' },
    ];
    for (const spec of claims) expect(judge(rule, [claim(spec), storageClass('gp3')]).outcomes).toEqual([]);
    expect(judge(rule, [deployment('web')]).outcomes).toEqual([]);
  });
});
