import { autoModeVolumes } from '../../../../src/validation/rules/storage/auto-mode-volumes';
import { deployment, judge, manifest, nodeClass, nodePool } from '../judge';

const rule = autoModeVolumes;
const storageClass = (provisioner: string) =>
  JSON.stringify({
    apiVersion: 'storage.k8s.io/v1',
    kind: 'StorageClass',
    metadata: { name: 'fast' },
    provisioner,
    volumeBindingMode: 'WaitForFirstConsumer',
  });
const AUTO = storageClass('ebs.csi.eks.amazonaws.com');
const CLAIM = manifest('v1', 'PersistentVolumeClaim', 'data', {
  accessModes: ['ReadWriteOnce'],
  storageClassName: 'fast',
  resources: { requests: { storage: '10Gi' } },
});
const DB = deployment('db', { volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }] });

describe('KARP-824 auto-mode-volumes', () => {
  test('reports the driver of Auto Mode for pods on nodes of an EC2NodeClass', () => {
    const { findings } = judge(rule, [nodeClass(), nodePool('core'), AUTO, CLAIM, DB]);
    expect(findings).toMatchObject([
      {
        object: { kind: 'StorageClass', name: 'fast' },
        path: ['provisioner'],
        evidence: { workloads: ['default/db'] },
        fix: { edits: [{ operation: 'set', value: 'ebs.csi.aws.com' }] },
      },
    ]);
  });

  test('asks for the driver only if the cluster has no such add-on', () => {
    const cluster = (name: string) =>
      JSON.stringify({
        apiVersion: 'eksctl.io/v1alpha5',
        kind: 'ClusterConfig',
        metadata: { name: 'shop', region: 'us-east-1' },
        addons: [{ name }],
      });
    const remedy = (name: string) =>
      judge(rule, [nodeClass(), nodePool('core'), AUTO, CLAIM, DB, cluster(name)]).findings[0].remedy;
    expect(remedy('vpc-cni')).toMatch(/, and install the EBS CSI driver$/);
    expect(remedy('aws-ebs-csi-driver')).toMatch(/because the field cannot be changed$/);
  });

  test('does not apply if no such pod mounts its volumes', () => {
    expect(judge(rule, [nodeClass(), nodePool('core'), AUTO, CLAIM, deployment('web')]).outcomes).toEqual([]);
    expect(judge(rule, [AUTO, CLAIM, DB]).outcomes).toEqual([]);
  });

  test('does not apply to the driver of other nodes', () => {
    expect(judge(rule, [nodeClass(), nodePool('core'), storageClass('ebs.csi.aws.com'), CLAIM, DB]).outcomes).toEqual(
      [],
    );
  });
});
