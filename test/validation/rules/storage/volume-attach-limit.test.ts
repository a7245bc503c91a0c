import { volumeAttachLimit } from '../../../../src/validation/rules/storage/volume-attach-limit';
import { judge, manifest, nodeClass, nodePool, oneOf, types } from '../judge';

const rule = volumeAttachLimit;
const ON_DEMAND = oneOf('karpenter.sh/capacity-type', 'on-demand');
const poolOf = (...names: string[]) => nodePool('default', { requirements: [types(...names), ON_DEMAND] });
const EBS = JSON.stringify({
  apiVersion: 'storage.k8s.io/v1',
  kind: 'StorageClass',
  metadata: { name: 'ebs' },
  provisioner: 'ebs.csi.aws.com',
  volumeBindingMode: 'WaitForFirstConsumer',
});
const EFS = EBS.replace('"ebs"', '"efs"').replace('ebs.csi', 'efs.csi');

/** A StatefulSet whose pods have one claim each, or several. */
function db(
  replicas: number,
  {
    storageClassName = 'ebs',
    volumes = 1,
    name = 'db',
    ...pod
  }: { storageClassName?: string; volumes?: number; name?: string } & object = {},
): string {
  const requests = { cpu: '100m', memory: '128Mi' };
  return manifest('apps/v1', 'StatefulSet', name, {
    replicas,
    selector: { matchLabels: { app: name } },
    template: {
      metadata: { labels: { app: name } },
      spec: { containers: [{ name: 'main', image: 'app', resources: { requests } }], ...pod },
    },
    volumeClaimTemplates: Array.from({ length: volumes }, (_, index) => ({
      metadata: { name: `data${index}` },
      spec: { accessModes: ['ReadWriteOnce'], storageClassName, resources: { requests: { storage: '8Gi' } } },
    })),
  });
}
const states = (pool: string, ...documents: string[]) =>
  judge(rule, [nodeClass(), pool, EBS, EFS, ...documents]).states;

describe('KARP-808 volume-attach-limit', () => {
  test('rejects a planned node with more EBS volumes than its instance type attaches', () => {
    const [finding, ...others] = judge(rule, [nodeClass(), poolOf('m7i.4xlarge'), EBS, db(40)]).findings;
    expect(others).toEqual([]);
    expect(finding.message).toBe(
      'a planned m7i.4xlarge of NodePool default gets pods with 40 EBS volumes, but attaches at most 31 besides its root volume: ' +
        'Karpenter learns this limit from a running node, so pods with the other 9 stay pending or in ContainerCreating',
    );
    expect(finding.remedy).toBe(
      'write kubelet.maxPods: 31 or less in EC2NodeClass default, or allow only instance types that attach 41 volumes or more',
    );
    expect(finding).toMatchObject({
      path: ['spec', 'volumeClaimTemplates'],
      evidence: { volumes: 40, attachable: 31, sharedWithNetworkInterfaces: false },
    });
  });

  test('says that network interfaces share the limit of an older type', () => {
    const [{ message }] = judge(rule, [nodeClass(), poolOf('m5.4xlarge'), EBS, db(27)]).findings;
    expect(message).toContain('attaches at most 26 besides its root volume, fewer with several network interfaces: ');
  });

  test.each([
    ['m7i.4xlarge', 31, 'pass'],
    ['m7i.4xlarge', 32, 'fail'],
    ['m8i.16xlarge', 47, 'pass'],
    ['m8i.16xlarge', 48, 'fail'],
  ])('%s with %d volumes: %s', (type, replicas, state) => {
    expect(states(poolOf(type), db(replicas))).toEqual([`${state} StatefulSet/db`]);
  });

  test('passes after each remedy', () => {
    expect(
      judge(rule, [nodeClass('default', { kubelet: { maxPods: 31 } }), poolOf('m7i.4xlarge'), EBS, db(40)]).states,
    ).toEqual(['pass StatefulSet/db']);
    expect(states(poolOf('m8i.16xlarge'), db(40))).toEqual(['pass StatefulSet/db']);
  });

  test('counts every volume of a pod, and all workloads of the node', () => {
    expect(judge(rule, [nodeClass(), poolOf('m7i.4xlarge'), EBS, db(11, { volumes: 3 })]).findings[0]).toMatchObject({
      evidence: { volumes: 33 },
      remedy: expect.stringContaining('maxPods: 10 '),
    });
    const {
      states: all,
      findings: [{ message }],
    } = judge(rule, [nodeClass(), poolOf('m7i.4xlarge'), EBS, db(20), db(15, { name: 'queue' })]);
    expect(all).toEqual(['fail StatefulSet/db']);
    expect(message).toContain('gets pods of 2 workloads with 35 EBS volumes');
  });

  test('counts the volumes of the EC2NodeClass', () => {
    const devices = ['/dev/xvda', '/dev/xvdb'].map((deviceName) => ({ deviceName, ebs: { volumeSize: '50Gi' } }));
    const judged = (fields: object) => judge(rule, [nodeClass('default', fields), poolOf('m7i.4xlarge'), EBS, db(31)]);
    expect(judged({ blockDeviceMappings: devices }).findings[0].message).toContain(
      'at most 30 besides the 2 volumes of its EC2NodeClass',
    );
    expect(judged({ amiSelectorTerms: [{ alias: 'bottlerocket@latest' }] }).states).toEqual(['fail StatefulSet/db']);
  });

  test('counts a claim that several pods of a node share once', () => {
    const claim = manifest('v1', 'PersistentVolumeClaim', 'shared', {
      accessModes: ['ReadWriteOnce'],
      storageClassName: 'ebs',
      resources: { requests: { storage: '8Gi' } },
    });
    const shared = db(40, { volumes: 0 }).replace(
      '"containers"',
      '"volumes":[{"name":"s","persistentVolumeClaim":{"claimName":"shared"}}],"containers"',
    );
    expect(states(poolOf('m7i.4xlarge'), claim, shared)).toEqual(['pass StatefulSet/db']);
  });

  test('takes the type that attaches most if EC2 chooses a spot type', () => {
    const spot = nodePool('default', {
      requirements: [types('m7i.4xlarge', 'm8i.16xlarge'), oneOf('karpenter.sh/capacity-type', 'spot')],
    });
    expect(states(spot, db(40))).toEqual(['pass StatefulSet/db']);
  });

  test('does not apply without EBS volumes, without nodes, or if the limit is unknown', () => {
    expect(states(poolOf('m7i.4xlarge'), db(40, { storageClassName: 'efs' }))).toEqual([]);
    expect(states(poolOf('m7i.4xlarge'), db(0))).toEqual([]);
    expect(states(poolOf('g4ad.16xlarge'), db(40))).toEqual([]);
  });
});
