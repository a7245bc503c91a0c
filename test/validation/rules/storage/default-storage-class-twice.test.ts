import { defaultStorageClassTwice } from '../../../../src/validation/rules/storage/default-storage-class-twice';
import { judge } from '../judge';

const rule = defaultStorageClassTwice;
const storageClass = (name: string, isDefault: string = 'true', type: string = name) =>
  JSON.stringify({
    apiVersion: 'storage.k8s.io/v1',
    kind: 'StorageClass',
    metadata: { name, annotations: { 'storageclass.kubernetes.io/is-default-class': isDefault } },
    provisioner: 'ebs.csi.aws.com',
    parameters: { type },
  });
const claim = (fields: object = {}) =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: 'data' },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, ...fields },
  });

describe('KARP-829 default-storage-class-twice', () => {
  test('reports the earlier of two default classes, and lets the other one be the default', () => {
    const { findings } = judge(rule, [storageClass('gp3'), storageClass('gp2'), claim()]);
    expect(findings).toMatchObject([
      {
        object: { name: 'gp2' },
        severity: 'warning',
        message:
          'is the default class like StorageClass gp3, which makes other volumes: claims without a class, such as PersistentVolumeClaim data, get the class that was created last',
        evidence: { defaults: ['gp2', 'gp3'], claims: ['PersistentVolumeClaim data'] },
        fix: { edits: [{ value: 'false' }] },
      },
    ]);
  });

  test('is a note if no claim of the input takes the default', () => {
    const documents = [storageClass('a'), storageClass('b'), claim({ storageClassName: 'a' })];
    expect(judge(rule, documents).findings).toMatchObject([{ object: { name: 'a' }, severity: 'info' }]);
  });

  test('passes one default class, and two with the same volumes', () => {
    expect(judge(rule, [storageClass('gp3'), storageClass('gp2', 'false')]).findings).toEqual([]);
    expect(judge(rule, [storageClass('a', 'true', 'gp3'), storageClass('b', 'true', 'gp3')]).findings).toEqual([]);
  });
});
