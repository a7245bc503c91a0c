import { check, NodeVerdict, Verdict } from '../../../../src/validation';
import { deployment, manifests, NODE_CLASS, nodePool, SMALL } from '../../setup';

const DAEMON_SET = `apiVersion: apps/v1
kind: DaemonSet
metadata: { name: agent }
spec:
  selector: { matchLabels: { app: agent } }
  template:
    metadata: { labels: { app: agent } }
    spec:
      containers:
      - { name: main, resources: { requests: { cpu: 100m, memory: 128Mi } } }
`;
const GIB = 2 ** 30;

function nodesOf(...documents: string[]): readonly NodeVerdict[] {
  return check(manifests(NODE_CLASS, ...documents)).nodes;
}

test('lists the capacity of a new node, and what the system leaves of it', () => {
  const [node] = nodesOf(nodePool(['m5.large']), deployment('web', 1, SMALL));
  expect(node).toMatchObject({
    name: 'default-0',
    existing: false,
    nodePool: 'default',
    instanceType: 'm5.large',
    capacityType: 'on-demand',
    capacity: { cpu: 2, pods: 29 },
  });
  expect(node.allocatable.cpu).toBe(1.93);
  expect(node.allocatable.memory).toBeLessThan(node.capacity.memory);
});

test('tells the requests of pods and DaemonSets apart', () => {
  const [node] = nodesOf(nodePool(['m5.large']), deployment('web', 2, SMALL), DAEMON_SET);
  expect(node.requests).toEqual({
    pods: { cpu: 1, memory: 2 * GIB, pods: 2 },
    daemonSets: { cpu: 0.1, memory: GIB / 8, pods: 1 },
  });
  expect(node.workloads).toEqual([{ workload: 'default/web', pods: 2, requests: { cpu: 0.5, memory: GIB } }]);
});

test('names the kind and date of the price', () => {
  const [node] = nodesOf(nodePool(['m5.large']), deployment('web', 1, SMALL));
  expect(node.price).toEqual({ perHour: 0.096, kind: 'published', date: '2026-07-20' });
});

test('says what the cheaper types of the pool lack', () => {
  const [node] = nodesOf(
    nodePool(['m5.large', 'm5.xlarge', 'm5.2xlarge']),
    deployment('web', 1, 'cpu: 3, memory: 1Gi'),
  );
  expect(node.instanceType).toBe('m5.xlarge');
  expect(node.cheaperTypes).toEqual({
    count: 1,
    lack: { cpu: 1 },
    nearest: { instanceType: 'm5.large', perHour: 0.096, lacks: ['cpu'] },
  });
});

test('names no cheaper type for a node of the cheapest type', () => {
  expect(nodesOf(nodePool(['m5.large']), deployment('web', 1, SMALL))[0].cheaperTypes).toBeNull();
});

describe('with cluster files', () => {
  const cluster = [
    {
      path: 'cluster.yaml',
      text: `apiVersion: v1
kind: Node
metadata: { name: ip-1, labels: { karpenter.sh/nodepool: default, node.kubernetes.io/instance-type: m5.large, topology.kubernetes.io/zone: us-east-1a, karpenter.sh/capacity-type: on-demand, karpenter.sh/registered: "true", karpenter.sh/initialized: "true" } }
spec: { providerID: aws:///us-east-1a/i-1 }
status: { allocatable: { cpu: 1930m, memory: 6903Mi, pods: "29" }, capacity: { cpu: "2", memory: 7577Mi, pods: "29" } }
---
apiVersion: v1
kind: Pod
metadata: { name: old-6d5f-x1, namespace: shop, labels: { pod-template-hash: 6d5f }, ownerReferences: [{ apiVersion: apps/v1, kind: ReplicaSet, name: old-6d5f, controller: true, uid: a }] }
spec: { nodeName: ip-1, containers: [{ name: main, resources: { requests: { cpu: 500m } } }] }
status: { phase: Running }
`,
    },
  ];
  const { nodes }: Verdict = check(manifests(NODE_CLASS, nodePool(['m5.large']), deployment('web', 1, SMALL)), {
    cluster,
  });

  test('lists an existing node with its running and its new pods', () => {
    expect(nodes).toHaveLength(1);
    expect(nodes[0]).toMatchObject({
      name: 'ip-1',
      existing: true,
      nodePool: 'default',
      instanceType: 'm5.large',
      allocatable: { cpu: 1.93 },
    });
    expect(nodes[0].workloads.map(({ workload, pods }) => [workload, pods])).toEqual([
      ['default/web', 1],
      ['shop/old', 1],
    ]);
  });

  test('prices an existing node by its labels', () => {
    expect(nodes[0].price).toMatchObject({ perHour: 0.096 });
  });
});
