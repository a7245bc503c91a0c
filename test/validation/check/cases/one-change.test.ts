import { AMD64, CLASS, ON_DEMAND, pool, verdictOf, workload } from './fixtures';

describe('workloads that fit after one change of a NodePool', () => {
  const notForAll = 'nodeSelector: { topology.kubernetes.io/zone: us-east-1c }';
  const zones = 'key: topology.kubernetes.io/zone, operator: In, values: [us-east-1a, us-east-1b]';

  test('are one finding', () => {
    const { errors } = verdictOf([
      CLASS,
      pool('main', { requirements: [ON_DEMAND, AMD64, zones] }),
      workload('web', { pod: notForAll }),
      workload('api', { pod: notForAll, replicas: 2 }),
    ]);
    expect(errors).toHaveLength(1);
    expect(errors[0].message).toMatch(/; the same change lets \d pods of Deployment shop\/\w+ fit$/);
    expect(errors[0].remedy).toBe('allow zone us-east-1c in NodePool main (the nodes of the plan then cost $0.1504/h)');
  });

  test('wait for the misspelt value in it', () => {
    const capacityType = 'key: karpenter.sh/capacity-type, operator: In, values: [spot, ondemand]';
    const { errors } = verdictOf([
      CLASS,
      pool('main', { requirements: [capacityType, AMD64] }),
      workload('web', { pod: 'nodeSelector: { karpenter.sh/capacity-type: on-demand }' }),
    ]);
    expect(errors).toEqual([
      expect.objectContaining({
        rule: 'KARP-251',
        subject: 'NodePool main',
        message: expect.stringMatching(/; 3 pods of Deployment shop\/web wait for it$/),
      }),
    ]);
  });

  test('need the startup taint of an agent that is written among the taints', () => {
    const taint = '{ key: ebs.csi.aws.com/agent-not-ready, effect: NoExecute }';
    const documents = [CLASS, pool('main', { template: `taints: [${taint}]` }), workload('web'), workload('api')];
    const { errors } = verdictOf(documents);
    expect(errors).toHaveLength(1);
    expect(errors[0].remedy).toBe(
      'write ebs.csi.aws.com/agent-not-ready:NoExecute in startupTaints of NodePool main instead of in taints',
    );
    const fixed = [CLASS, pool('main', { template: `startupTaints: [${taint}]` }), workload('web'), workload('api')];
    expect(verdictOf(fixed).errors).toEqual([]);
  });
});

describe('pods that are too large', () => {
  const sized = (device: string) =>
    CLASS.replace('al2023@v20250501', 'bottlerocket@v1.44.0').replace(
      'spec:\n',
      `spec:\n  blockDeviceMappings: [{ deviceName: ${device}, ebs: { volumeSize: 200Gi } }]\n`,
    );
  const web = workload('web', { requests: 'cpu: 500m, memory: 1Gi, ephemeral-storage: 90Gi' });

  test('wait for the volume that the node class sizes in vain', () => {
    const { errors } = verdictOf([sized('/dev/xvda'), pool('main'), web]);
    expect(errors).toEqual([
      expect.objectContaining({
        rule: 'KARP-803',
        message: expect.stringMatching(/; 3 pods of Deployment shop\/web wait for it$/),
      }),
    ]);
    expect(verdictOf([sized('/dev/xvdb'), pool('main'), web]).errors).toEqual([]);
  });

  test('wait for the feature gate of the NodeOverlay with their device', () => {
    const overlay = `apiVersion: karpenter.sh/v1alpha1
kind: NodeOverlay
metadata: { name: fuse }
spec: { requirements: [{ key: kubernetes.io/os, operator: In, values: [linux] }], capacity: { devices/fuse: "9" } }
`;
    const fuse = workload('web').replace(
      'requests: { cpu: 500m, memory: 1Gi }',
      'requests: { cpu: 500m, memory: 1Gi }, limits: { devices/fuse: 1 }',
    );
    const { errors } = verdictOf([CLASS, pool('main'), overlay, fuse]);
    expect(errors.map(({ rule }) => rule)).toEqual(['KARP-111']);
  });
});

test('a NodePool with fewer types than its minValues is the cause for all pods that it would take', () => {
  const minValues = 'key: node.kubernetes.io/instance-type, operator: Exists, minValues: 10';
  const gpu = pool('gpu', {
    requirements: [ON_DEMAND, AMD64, 'key: karpenter.k8s.aws/instance-family, operator: In, values: [g5]', minValues],
  });
  const infer = workload('infer').replace(
    'requests: { cpu: 500m, memory: 1Gi }',
    'requests: { cpu: 500m, memory: 1Gi }, limits: { nvidia.com/gpu: 1 }',
  );
  const { errors } = verdictOf([CLASS, pool('main'), gpu, infer]);
  expect(errors).toEqual([
    expect.objectContaining({
      rule: 'KARP-201',
      subject: 'NodePool gpu',
      message: expect.stringMatching(/; 3 pods of Deployment shop\/infer wait for it$/),
    }),
  ]);
});

test('a pod affinity that looks in the wrong namespace gets the namespace of the pods that it selects', () => {
  const affinity = `affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: topology.kubernetes.io/zone, labelSelector: { matchLabels: { app: db } } }] } }`;
  const db = workload('db').replace('namespace: shop', 'namespace: data');
  const documents = [CLASS, pool('main'), db, workload('web', { pod: affinity })];
  const { errors } = verdictOf(documents);
  expect(errors).toEqual([
    expect.objectContaining({
      rule: 'KARP-213',
      remedy: 'add namespaces: [data] to the pod affinity over topology.kubernetes.io/zone',
      path: expect.stringContaining('podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0]'),
    }),
  ]);
  const fixed = documents.map((text) => text.replace('app: db } } }] }', 'app: db } }, namespaces: [data] }] }'));
  expect(verdictOf(fixed).errors).toEqual([]);
});
