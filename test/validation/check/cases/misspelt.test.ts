import { AMD64, CLASS, explainedRemedy, isType, ON_DEMAND, pool, verdictOf, workload } from './fixtures';
import { check } from '../../../../src/validation';

const ON_M7I = isType('m7i.large', 'm7i.xlarge');

const misspeltPod = (pod: string, more: object = {}) => [CLASS, pool('general'), workload('web', { pod, ...more })];

describe('a value that is misspelt in a pod', () => {
  test('gets the known value, at the value, with a safe fix', () => {
    const documents = misspeltPod('nodeSelector: { karpenter.sh/capacity-type: On-Demand }');
    const { errors, changes } = verdictOf(documents);
    const remedy = 'select nodes with capacity type on-demand instead of On-Demand';
    expect(errors).toEqual([
      expect.objectContaining({
        rule: 'KARP-213',
        path: 'spec.template.spec.nodeSelector["karpenter.sh/capacity-type"]',
        remedy,
        fix: expect.objectContaining({ safe: true }),
      }),
    ]);
    expect(changes).toEqual(Array(3).fill(remedy));
    expect(explainedRemedy(documents, 'shop/web-0')).toBe(remedy);
  });

  test('gets no fix if it is a zone that the region does not have, because each other zone may be meant', () => {
    const documents = misspeltPod('nodeSelector: { topology.kubernetes.io/zone: eu-west-1d }');
    const { errors, changes } = verdictOf(documents, { region: 'eu-west-1' });
    const remedy = 'select nodes with zone eu-west-1a, eu-west-1b or eu-west-1c instead of eu-west-1d';
    expect(errors).toEqual([expect.objectContaining({ rule: 'KARP-216', remedy, fix: undefined })]);
    expect(changes).toEqual(Array(3).fill(remedy));
  });
});

test.each([
  ['kubernetes.io/hostnames', 'kubernetes.io/hostname'],
  ['failure-domain.beta.kubernetes.io/zone', 'topology.kubernetes.io/zone'],
])('topology key %s gets the label that was meant, and its spread stays', (written, meant) => {
  const spread = `topologySpreadConstraints: [{ maxSkew: 1, topologyKey: ${written}, whenUnsatisfiable: DoNotSchedule, labelSelector: { matchLabels: { app: web } } }]`;
  const { changes } = verdictOf([CLASS, pool('main'), workload('web', { pod: spread })]);
  expect(changes[0]).toBe(`write ${meant} instead of ${written} in the topology spread`);
});

test.each([
  ['blockDeviceMappings: [{ deviceName: /dev/xvda, ebs: { volumeSize: 50 } }]', 'write 50Gi or 50G'],
  ['blockDeviceMappings: [{ deviceName: /dev/xvda, ebs: { volumeType: gp4 } }]', 'write gp2 or gp3'],
])('a node class with %s: %s', (field, remedy) => {
  const { errors } = verdictOf([`${CLASS}  ${field}\n`, pool('main'), workload('web')]);
  expect(errors).toEqual([expect.objectContaining({ rule: 'KARP-100', remedy })]);
});

test('memory that a node class keeps from all pods is a warning', () => {
  const { findings } = check([
    {
      path: 'a.yaml',
      text: `${CLASS}  kubelet: { kubeReserved: { memory: 60Gi }, systemReserved: { memory: 2Gi } }\n`,
    },
  ]);
  expect(findings.filter(({ rule }) => rule === 'KARP-100')).toMatchObject([
    { severity: 'warning', location: { path: 'spec.kubelet.kubeReserved.memory' } },
  ]);
});

test('a misspelt StorageClass is one error, whose remedy is not blamed for what the pods have besides', () => {
  const storageClass = `apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: { name: encrypted-gp3 }
provisioner: ebs.csi.aws.com
volumeBindingMode: WaitForFirstConsumer
`;
  const claims =
    'volumeClaimTemplates: [{ metadata: { name: data }, spec: { accessModes: [ReadWriteOnce], storageClassName: encryptd-gp3, resources: { requests: { storage: 20Gi } } } }]';
  const db = workload('db', { kind: 'StatefulSet' }).replace(
    '  replicas:',
    `  serviceName: db\n  ${claims}\n  replicas:`,
  );
  const { errors } = verdictOf([CLASS, pool('main'), storageClass, db]);
  expect(errors).toEqual([
    expect.objectContaining({ rule: 'KARP-821', remedy: 'write encrypted-gp3 instead of encryptd-gp3' }),
  ]);
});

test('a misspelt RuntimeClass is one error, too', () => {
  const gvisor = 'apiVersion: node.k8s.io/v1\nkind: RuntimeClass\nmetadata: { name: gvisor }\nhandler: runsc\n';
  const { errors } = verdictOf([CLASS, pool('main'), gvisor, workload('web', { pod: 'runtimeClassName: gviser' })]);
  expect(errors).toEqual([expect.objectContaining({ rule: 'KARP-123', remedy: 'write gvisor instead of gviser' })]);
});

test('the name of another region as a zone gets the zones of that region', () => {
  const selector = 'nodeSelector: { topology.kubernetes.io/zone: eu-west-1 }';
  const { errors } = verdictOf([CLASS, pool('main'), workload('web', { pod: selector })]);
  expect(errors).toEqual([expect.objectContaining({ rule: 'KARP-216' })]);
  expect(errors[0].remedy).toContain('eu-west-1a');
  expect(errors[0].remedy).not.toContain('us-east-1');
});

test('a misspelt value of a NodePool is the only finding of the pods that wait for it', () => {
  const capacityType = 'key: karpenter.sh/capacity-type, operator: In, values: [Spot, ondemand]';
  const gpu = pool('gpu', {
    template: 'taints: [{ key: nvidia.com/gpu, value: "true", effect: NoSchedule }]',
    requirements: [ON_DEMAND, AMD64, 'key: karpenter.k8s.aws/instance-family, operator: In, values: [g5]'],
  });
  const documents = [CLASS, pool('general', { requirements: [capacityType, AMD64, ON_M7I] }), gpu, workload('web')];
  const { errors, changes } = verdictOf(documents);
  expect(errors).toEqual([
    expect.objectContaining({
      rule: 'KARP-251',
      subject: 'NodePool general',
      message: expect.stringMatching(/; 3 pods of Deployment shop\/web wait for it$/),
      fix: expect.objectContaining({ safe: true }),
    }),
  ]);
  expect(changes[0]).toMatch(/^write spot instead of Spot /);
});

describe('a device that no instance type has', () => {
  const requesting = (requests: string, type: string) => [
    CLASS,
    pool('devices', { requirements: [ON_DEMAND, AMD64, isType(type)] }),
    workload('job', { replicas: 1, requests: `cpu: 1, memory: 1Gi, ${requests}` }).replace(
      /requests: (\{[^}]*\})/,
      `requests: $1, limits: { ${requests} }`,
    ),
  ];

  test('gets the name that was meant', () => {
    const { errors, changes } = verdictOf(requesting('aws.amazon.com/neurondevice: 1', 'inf2.xlarge'));
    expect(errors.map(({ remedy }) => remedy)).toEqual([
      'request aws.amazon.com/neuron instead of aws.amazon.com/neurondevice',
    ]);
    expect(changes).toEqual(errors.map(({ remedy }) => remedy));
  });

  test('is never dropped: a NodeOverlay can declare it', () => {
    const { errors, changes } = verdictOf(requesting('smarter-devices/fuse: 1', 'm7i.large'));
    expect(errors.map(({ remedy }) => remedy)).toEqual([
      'declare smarter-devices/fuse in spec.capacity of a NodeOverlay (feature gate NodeOverlay), if a device plugin provides it',
    ]);
    expect(changes).toEqual(errors.map(({ remedy }) => remedy));
  });
});
