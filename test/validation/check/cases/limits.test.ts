import { AMD64, CLASS, explainedRemedy, isType, ON_DEMAND, pool, verdictOf, workload } from './fixtures';

const GPU = pool('gpu', {
  spec: 'limits: { nvidia.com/gpu: 8 }',
  template: 'taints: [{ key: nvidia.com/gpu, value: "true", effect: NoSchedule }]',
  requirements: [ON_DEMAND, AMD64, 'key: karpenter.k8s.aws/instance-family, operator: In, values: [g5]'],
});
const raised = (documents: readonly string[], from: string, to: string) =>
  documents.map((document) => document.replace(`limits: { cpu: ${from} }`, `limits: { cpu: ${to} }`));

describe('limits that are used up', () => {
  const general = pool('general', { spec: 'limits: { cpu: 4 }' });
  const documents = [CLASS, general, GPU, workload('web', { requests: 'cpu: 1, memory: 1Gi' }), workload('db')];

  test('are one finding for the pods of all workloads, at the limit, with the limit that is enough', () => {
    const { errors, changes } = verdictOf(documents);
    expect(errors).toEqual([
      {
        rule: 'KARP-322',
        subject: 'NodePool general',
        path: 'spec.limits.cpu',
        message: expect.stringMatching(/^limits\.cpu has \d of 4 left, .*; \d pods? of .* waits? for it$/),
        remedy: expect.stringMatching(/^raise limits\.cpu of NodePool general from 4 to \d+$/),
        fix: expect.objectContaining({ safe: false }),
      },
    ]);
    expect(new Set(changes)).toEqual(new Set([errors[0].remedy]));
    const limit = / to (\d+)$/.exec(errors[0].remedy)![1];
    expect(verdictOf(raised(documents, '4', limit)).unschedulable).toEqual([]);
  });

  test('have the same remedy in the explanation', () => {
    const { unschedulable } = verdictOf(documents);
    expect(explainedRemedy(documents, unschedulable[0].pod)).toBe(unschedulable[0].smallestChange);
  });

  test('do not lead to a toleration of the GPU taint, also if they are 0 on purpose', () => {
    const { errors, changes } = verdictOf(raised(documents, '4', '0'));
    expect(JSON.stringify([errors, changes])).not.toMatch(/tolerate nvidia/);
  });
});

test('a limit that is no multiple of the only instance size is raised to one', () => {
  const documents = [
    CLASS,
    pool('big', { spec: 'limits: { cpu: 79 }', requirements: [ON_DEMAND, AMD64, isType('r6a.8xlarge')] }),
    workload('cruncher', { requests: 'cpu: 30, memory: 8Gi' }),
  ];
  expect(verdictOf(documents).errors).toEqual([
    expect.objectContaining({
      rule: 'KARP-322',
      message: expect.stringContaining(
        'limits.cpu has 15 of 79 left, and the smallest instance type, r6a.8xlarge, has 32',
      ),
      remedy: 'raise limits.cpu of NodePool big from 79 to 96',
    }),
  ]);
});

test('existing nodes count against the limit that is enough', () => {
  const documents = [CLASS, pool('general', { spec: 'limits: { nodes: 1 }' }), workload('web', { replicas: 1 })];
  const node = `apiVersion: v1
kind: Node
metadata:
  name: busy
  labels:
    karpenter.sh/nodepool: general
    karpenter.sh/registered: "true"
    karpenter.sh/initialized: "true"
    karpenter.sh/capacity-type: on-demand
    node.kubernetes.io/instance-type: m7i.large
    topology.kubernetes.io/zone: us-east-1a
    kubernetes.io/arch: amd64
    kubernetes.io/os: linux
spec: { providerID: aws:///us-east-1a/i-0123456789abcdef0 }
status:
  capacity: { cpu: 2, memory: 8Gi, pods: 29 }
  allocatable: { cpu: 100m, memory: 1Gi, pods: 29 }
  conditions: [{ type: Ready, status: "True" }]
`;
  const { changes } = verdictOf(documents, { cluster: [{ path: 'cluster.yaml', text: node }] });
  expect(changes).toEqual(['raise limits.nodes of NodePool general from 1 to 2']);
});

describe('a static NodePool', () => {
  const fixed = (replicas: number) =>
    pool('gate', {
      spec: `replicas: ${replicas}\n  limits: { nodes: 5 }`,
      requirements: [ON_DEMAND, AMD64, isType('m7i.large')],
    });
  const web = workload('web', { replicas: 5, requests: 'cpu: 1500m, memory: 1Gi' });
  const options = { featureGates: { StaticCapacity: true } };

  test('gets more replicas, and the message says that limits do not help', () => {
    const { errors, changes } = verdictOf([CLASS, fixed(2), web], options);
    expect(errors).toEqual([
      expect.objectContaining({
        rule: 'KARP-318',
        message: expect.stringContaining(
          'NodePool gate is static: it keeps 2 nodes and launches none for pods, whatever its limits are',
        ),
        remedy: 'raise replicas of NodePool gate from 2 to 5',
      }),
    ]);
    expect(changes).toEqual(Array(3).fill('raise replicas of NodePool gate from 2 to 5'));
    expect(verdictOf([CLASS, fixed(5), web], options).unschedulable).toEqual([]);
  });
});
