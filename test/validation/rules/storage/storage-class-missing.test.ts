import { storageClassMissing } from '../../../../src/validation/rules/storage/storage-class-missing';
import { deployment, judge, manifest } from '../judge';

const rule = storageClassMissing;
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
const inCluster = (...classes: string[]) => ({ cluster: [{ path: 'dump.yaml', text: classes.join('\n---\n') }] });

describe('KARP-821 storage-class-missing', () => {
  test('reports a name that is almost that of a class of the input', () => {
    const { findings } = judge(rule, [claim({ storageClassName: 'fsat-ssd' }), storageClass('fast-ssd')]);
    expect(findings).toMatchObject([
      {
        path: ['spec', 'storageClassName'],
        remedy: 'write fast-ssd instead of fsat-ssd',
        evidence: { nearest: 'fast-ssd' },
      },
    ]);
  });

  test('warns of a class of EBS volumes beside the only one of the input', () => {
    const judged = (name: string, ...classes: string[]) =>
      judge(rule, [
        claim({ storageClassName: name }),
        ...classes,
        storageClass('files', { provisioner: 'efs.csi.aws.com' }),
      ]);
    expect(judged('gp3-encrypted', storageClass('gp3')).findings).toMatchObject([
      { severity: 'warning', remedy: 'write gp3 instead of gp3-encrypted, or add the manifest of gp3-encrypted' },
    ]);
    for (const others of [[], [storageClass('gp3'), storageClass('io2')]])
      expect(judged('gp3-encrypted', ...others).whys).toEqual(['StorageClass gp3-encrypted is not in the input']);
    expect(judged('longhorn', storageClass('gp3')).findings).toEqual([]);
  });

  test('reports a class that the cluster does not have, and a missing default class', () => {
    const cluster = inCluster(storageClass('ssd'));
    expect(judge(rule, [claim({ storageClassName: 'archive' })], cluster).findings[0].message).toContain(
      'names StorageClass archive, which does not exist',
    );
    expect(judge(rule, [claim({})], cluster).findings[0].message).toContain('names no StorageClass');
  });

  test('reports the template of a StatefulSet', () => {
    const template = { metadata: { name: 'data' }, spec: { storageClassName: 'fsat-ssd' } };
    const set = JSON.stringify({
      apiVersion: 'apps/v1',
      kind: 'StatefulSet',
      metadata: { name: 'db' },
      spec: { ...JSON.parse(deployment('db')).spec, volumeClaimTemplates: [template] },
    });
    expect(judge(rule, [set, storageClass('fast-ssd')]).findings[0].path).toEqual([
      'spec',
      'volumeClaimTemplates',
      0,
      'spec',
      'storageClassName',
    ]);
  });

  test('passes classes of the input, declared ones, and the class that EKS creates', () => {
    const states = (name: string) =>
      judge(rule, [claim({ storageClassName: name }), storageClass('fast')], { storageClasses: ['declared'] }).states;
    for (const name of ['fast', 'declared', 'gp2']) expect(states(name)).toEqual(['pass PersistentVolumeClaim/data']);
    expect(
      judge(
        rule,
        [claim({})],
        inCluster(
          storageClass('ssd', {
            metadata: { name: 'ssd', annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } },
          }),
        ),
      ).states,
    ).toEqual(['pass PersistentVolumeClaim/data']);
  });

  test('is not evaluated if the class may be in the cluster only', () => {
    expect(judge(rule, [claim({ storageClassName: 'gp3' })]).whys).toEqual(['StorageClass gp3 is not in the input']);
    expect(judge(rule, [claim({ storageClassName: 'gp3' }), storageClass('gp1')]).whys).toHaveLength(1);
    expect(judge(rule, [claim({})]).whys).toHaveLength(1);
  });

  test('does not apply to claims that name a volume or no class at all', () => {
    expect(judge(rule, [claim({ volumeName: 'pv-1' }), deployment('web')]).outcomes).toEqual([]);
    expect(judge(rule, [claim({ storageClassName: '' })]).outcomes).toEqual([]);
  });
});
