import { storageDriverMissing } from '../../../../src/validation/rules/storage/storage-driver-missing';
import { judge, judgeFiles, manifest } from '../judge';

const rule = storageDriverMissing;

const cluster = (...addons: string[]) =>
  JSON.stringify({
    apiVersion: 'eksctl.io/v1alpha5',
    kind: 'ClusterConfig',
    metadata: { name: 'demo', region: 'eu-west-1' },
    addons: addons.map((name) => ({ name })),
  });
const storageClass = (provisioner: string, name = 'fast') =>
  JSON.stringify({ apiVersion: 'storage.k8s.io/v1', kind: 'StorageClass', metadata: { name }, provisioner });
const store = (storageClassName = 'fast') =>
  manifest('apps/v1', 'StatefulSet', 'store', {
    selector: { matchLabels: { app: 'store' } },
    template: { metadata: { labels: { app: 'store' } }, spec: { containers: [{ name: 'main', image: 'a' }] } },
    volumeClaimTemplates: [{ metadata: { name: 'data' }, spec: { storageClassName, accessModes: ['ReadWriteOnce'] } }],
  });
const OTHERS = ['vpc-cni', 'coredns'];

describe('KARP-825 storage-driver-missing', () => {
  test.each([
    ['ebs.csi.aws.com', 'aws-ebs-csi-driver'],
    ['kubernetes.io/aws-ebs', 'aws-ebs-csi-driver'],
    ['efs.csi.aws.com', 'aws-efs-csi-driver'],
    ['s3.csi.aws.com', 'aws-mountpoint-s3-csi-driver'],
  ])('fails for claims of %s, and adds %s to the add-ons', (provisioner, addon) => {
    expect(judge(rule, [cluster(...OTHERS), storageClass(provisioner), store()]).findings).toMatchObject([
      {
        object: { kind: 'ClusterConfig' },
        path: ['addons'],
        remedy: `add - name: ${addon} to addons; eksctl gives it its role`,
        fix: { edits: [{ operation: 'append', path: ['addons'], value: { name: addon } }] },
        related: { object: { kind: 'StorageClass' }, path: ['provisioner'] },
      },
    ]);
    expect(judge(rule, [cluster(...OTHERS, addon), storageClass(provisioner), store()]).outcomes).toEqual([]);
  });

  test('fails for the StorageClass gp2 of EKS, and for a volume that somebody has created', () => {
    expect(judge(rule, [cluster(...OTHERS), store('gp2')]).findings).toMatchObject([
      { evidence: { driver: 'ebs.csi.aws.com' } },
    ]);
    const volume = manifest('v1', 'PersistentVolume', 'shared', { csi: { driver: 'efs.csi.aws.com' } });
    expect(judge(rule, [cluster(...OTHERS), volume]).findings).toMatchObject([
      { evidence: { driver: 'efs.csi.aws.com' } },
    ]);
  });

  test('says nothing if the add-ons are unknown, if a file names the driver, or if no pod mounts a volume of it', () => {
    const objects = [storageClass('ebs.csi.aws.com'), store()];
    const autoMode = JSON.stringify({ ...JSON.parse(cluster(...OTHERS)), autoModeConfig: { enabled: true } });
    for (const documents of [
      objects,
      [cluster(), ...objects],
      [autoMode, ...objects],
      [cluster(...OTHERS), cluster(...OTHERS).replace('demo', 'test'), ...objects],
      [cluster(...OTHERS), storageClass('ebs.csi.aws.com')],
      [cluster(...OTHERS), ...objects, manifest('v1', 'ServiceAccount', 'ebs-csi-controller-sa', undefined)],
    ])
      expect(judge(rule, documents).outcomes).toEqual([]);
    const sources = [{ path: 'a.yaml', text: [cluster(...OTHERS), ...objects].join('\n---\n') }];
    expect(judgeFiles(rule, [{ ...sources[0], clusterPrograms: ['ebs.csi.aws.com'] }]).outcomes).toEqual([]);
  });

  test('fails if the driver is only in a comment', () => {
    const text = `${[cluster(...OTHERS), storageClass('ebs.csi.aws.com'), store()].join('\n---\n')}\n# - name: aws-ebs-csi-driver\n`;
    expect(judgeFiles(rule, [{ path: 'a.yaml', text }]).findings).toHaveLength(1);
  });
});
