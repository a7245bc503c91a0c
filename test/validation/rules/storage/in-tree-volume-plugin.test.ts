import { inTreeVolumePlugin } from '../../../../src/validation/rules/storage/in-tree-volume-plugin';
import { deployment, judge } from '../judge';

const rule = inTreeVolumePlugin;
const storageClass = (provisioner: string) =>
  JSON.stringify({ apiVersion: 'storage.k8s.io/v1', kind: 'StorageClass', metadata: { name: 'gp2' }, provisioner });

describe('KARP-822 in-tree-volume-plugin', () => {
  test('reports the EBS plugin of Kubernetes itself', () => {
    expect(judge(rule, [storageClass('kubernetes.io/aws-ebs')]).findings).toMatchObject([
      { path: ['provisioner'], evidence: { provisioner: 'kubernetes.io/aws-ebs' } },
    ]);
  });

  test('passes the CSI driver', () => {
    expect(judge(rule, [storageClass('ebs.csi.aws.com')]).states).toEqual(['pass StorageClass/gp2']);
  });

  test('does not apply to other objects', () => {
    expect(judge(rule, [deployment('web')]).outcomes).toEqual([]);
  });
});
