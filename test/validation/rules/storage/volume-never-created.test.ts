import { volumeNeverCreated } from '../../../../src/validation/rules/storage/volume-never-created';
import { judge, manifest } from '../judge';

const rule = volumeNeverCreated;
const storageClass = (parameters: object, provisioner = 'ebs.csi.aws.com') =>
  JSON.stringify({
    apiVersion: 'storage.k8s.io/v1',
    kind: 'StorageClass',
    metadata: { name: 'fast' },
    provisioner,
    parameters,
  });
const remedies = (...documents: string[]) =>
  judge(rule, documents).findings.map(({ remedy }) => remedy.replace(/; param.*/, ''));

describe('KARP-827 volume-never-created', () => {
  test('reports a claim that is too small or too large for the type', () => {
    const claim = manifest('v1', 'PersistentVolumeClaim', 'data', {
      storageClassName: 'fast',
      resources: { requests: { storage: '100Gi' } },
    });
    const { findings } = judge(rule, [storageClass({ type: 'st1' }), claim]);
    expect(findings).toMatchObject([{ object: { kind: 'PersistentVolumeClaim' }, evidence: { type: 'st1' } }]);
    expect(findings[0].message).toContain('must be from 125Gi to 16384Gi');
    expect(remedies(storageClass({ type: 'gp3' }), claim)).toEqual([]);
  });

  test('reports a class of EFS with one of its two parameters, if a claim names it and no volume', () => {
    const claim = manifest('v1', 'PersistentVolumeClaim', 'data', { storageClassName: 'fast' });
    const volume = manifest('v1', 'PersistentVolume', 'data', { storageClassName: 'fast' });
    const efs = (parameters: object, ...more: string[]) =>
      remedies(storageClass(parameters, 'efs.csi.aws.com'), ...more);
    expect(efs({ provisioningMode: 'efs-ap' }, claim)[0]).toContain('write fileSystemId');
    expect(efs({ fileSystemId: 'fs-1' }, claim)).toEqual(['write provisioningMode: efs-ap']);
    expect([efs({}, claim), efs({ fileSystemId: 'fs-1' }), efs({ fileSystemId: 'fs-1' }, claim, volume)]).toEqual([
      [],
      [],
      [],
    ]);
  });

  test('does not apply to other drivers', () => {
    expect(judge(rule, [storageClass({ type: 'x' }, 'nfs.csi.k8s.io')]).outcomes).toEqual([]);
  });
});
