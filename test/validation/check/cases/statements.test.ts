import { AMD64, CLASS, isType, ON_DEMAND, pool, verdictOf, workload } from './fixtures';
import { explain, renderExplanationsText } from '../../../../src/validation';

const sources = (documents: readonly string[]) => [{ path: 'a.yaml', text: documents.join('---\n') }];
const GATE = { featureGates: { StaticCapacity: true } };

describe('pods of a static NodePool', () => {
  const documents = [
    CLASS,
    pool('gate', {
      spec: 'replicas: 2\n  limits: { nodes: 5 }',
      requirements: [ON_DEMAND, AMD64, isType('m7i.large')],
    }),
    workload('web', { replicas: 5, requests: 'cpu: 1500m, memory: 1Gi' }),
  ];

  test('wait although limits.nodes is not reached, and more replicas help', () => {
    const { errors, changes } = verdictOf(documents, GATE);
    expect(errors.map(({ message }) => message)).toEqual([
      expect.stringContaining(
        'NodePool gate is static: it keeps 2 nodes and launches none for pods, whatever its limits are',
      ),
    ]);
    expect(new Set(changes)).toEqual(new Set(['raise replicas of NodePool gate from 2 to 5']));
  });

  test('run on planned nodes, not on nodes that exist, in an empty cluster', () => {
    const text = renderExplanationsText(explain(sources(documents), ['web'], GATE));
    expect(text).toContain('shop/web-0 runs on gate-0, a planned node\n');
    expect(text).not.toContain('already exists');
  });
});

test('the smallest of the types with one GPU is the one with the fewest CPUs', () => {
  const gpu = pool('gpu', {
    spec: 'limits: { nvidia.com/gpu: 1 }',
    requirements: [ON_DEMAND, AMD64, isType('g5.16xlarge', 'g5.xlarge', 'g5.2xlarge')],
  });
  const { errors } = verdictOf([
    CLASS,
    gpu,
    workload('train', {
      replicas: 2,
      requests: 'cpu: 1, memory: 1Gi, nvidia.com/gpu: 1 }, limits: { nvidia.com/gpu: 1',
    }),
  ]);
  expect(errors.map(({ message }) => message).join()).toContain('the smallest instance type, g5.xlarge, has 1');
});

describe('a pod with a volume that must share the zone of a larger pod', () => {
  const team = 'labelSelector: { matchLabels: { team: pair } }, topologyKey: topology.kubernetes.io/zone';
  const affinity = `affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ ${team} }] } }`;
  const member = (name: string, requests: string, more = '') =>
    workload(name, { kind: 'StatefulSet', replicas: 1, requests, pod: affinity }).replace(
      `labels: { app: ${name} }`,
      `labels: { app: ${name}, team: pair }`,
    ) + more;
  const claim = `  volumeClaimTemplates:
  - metadata: { name: data }
    spec: { accessModes: [ReadWriteOnce], storageClassName: gp3, resources: { requests: { storage: 20Gi } } }
`;
  const storageClass = `apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: { name: gp3 }
provisioner: ebs.csi.aws.com
volumeBindingMode: WaitForFirstConsumer
`;
  const volume = `apiVersion: v1
kind: PersistentVolume
metadata: { name: data-store-0 }
spec:
  capacity: { storage: 20Gi }
  accessModes: [ReadWriteOnce]
  storageClassName: gp3
  csi: { driver: ebs.csi.aws.com, volumeHandle: vol-0 }
  claimRef: { namespace: shop, name: data-store-0, kind: PersistentVolumeClaim, apiVersion: v1 }
  nodeAffinity:
    required:
      nodeSelectorTerms: [{ matchExpressions: [{ key: topology.ebs.csi.aws.com/zone, operator: In, values: [us-east-1c] }] }]
status: { phase: Bound }
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: { name: data-store-0, namespace: shop, annotations: { pv.kubernetes.io/bind-completed: 'yes' } }
spec:
  accessModes: [ReadWriteOnce]
  storageClassName: gp3
  volumeName: data-store-0
  resources: { requests: { storage: 20Gi } }
status: { phase: Bound }
`;
  const options = { cluster: [{ path: 'cluster.yaml', text: volume }], region: 'us-east-1' };
  const documents = [
    CLASS,
    storageClass,
    pool('pair', { spec: 'limits: { cpu: 100 }', requirements: [ON_DEMAND, AMD64, isType('m7i.2xlarge')] }),
    member('calc', 'cpu: 6, memory: 8Gi'),
    member('store', 'cpu: 4, memory: 8Gi', claim),
  ];

  test('waits because of the two zones', () => {
    const { errors } = verdictOf(documents, options);
    expect(errors.map(({ message }) => message)).toEqual([
      expect.stringContaining(
        "the pods that the pod affinity selects are in us-east-1a (1 pod), and the pod's volumes can only be used in us-east-1c",
      ),
    ]);
  });

  test('fits if the larger pod selects the zone of the volume', () => {
    const [{ remedy, fix }] = verdictOf(documents, options).errors;
    expect(remedy).toBe('select zone us-east-1c in shop/calc, whose zone this pod must share');
    expect(fix?.edits).toHaveLength(1);
    const zone = '      nodeSelector: { topology.kubernetes.io/zone: us-east-1c }\n      containers:';
    const selected = documents.map((document) =>
      document.includes('name: calc,') ? document.replace('      containers:', zone) : document,
    );
    expect(verdictOf(selected, options).unschedulable).toEqual([]);
  });
});
