import { CheckOptions, SimulatedScenario, simulateScenario } from '../../../src/validation';
import { dump, karpenterNode, node, nodeClaim, Plain, pod } from '../cluster/dump';
import { deployment, manifests, NODE_CLASS, nodePool, SMALL } from '../setup';

const budget = (field: string) => `apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: { name: web }
spec: { ${field}, selector: { matchLabels: { app: web } } }
`;
const WEB = deployment('web', 2, SMALL);
const POOL = nodePool(['m5.large']);
const WEB_KEY = 'Deployment default/web';

function simulate(name: SimulatedScenario, documents: readonly string[], options: CheckOptions = {}) {
  return simulateScenario(manifests(NODE_CLASS, ...documents), name, options);
}

describe('a scenario on an existing cluster', () => {
  const cluster = (podFields: string) => [
    {
      path: 'cluster.yaml',
      text: `apiVersion: v1
kind: Node
metadata:
  name: n1
  labels: { karpenter.sh/nodepool: default, karpenter.sh/registered: "true", karpenter.sh/initialized: "true", kubernetes.io/hostname: n1,
    node.kubernetes.io/instance-type: m5.large, topology.kubernetes.io/zone: us-east-1a, karpenter.sh/capacity-type: on-demand }
spec: { providerID: "aws:///us-east-1a/i-1" }
status: { capacity: { cpu: 2, memory: 8Gi, pods: 29 }, allocatable: { cpu: 1930m, memory: 7Gi, pods: 29 } }
---
apiVersion: karpenter.sh/v1
kind: NodeClaim
metadata: { name: default-x, creationTimestamp: "2026-03-02T10:00:00Z", labels: { karpenter.sh/nodepool: default } }
spec: { expireAfter: 24h, requirements: [], nodeClassRef: { group: karpenter.k8s.aws, kind: EC2NodeClass, name: main } }
status: { nodeName: n1, providerID: "aws:///us-east-1a/i-1", conditions: [{ type: Initialized, status: "True", lastTransitionTime: "2026-03-02T10:01:00Z" }] }
---
apiVersion: v1
kind: Pod
metadata: { name: web-abc-1, labels: { app: web, pod-template-hash: abc }, ownerReferences: [{ apiVersion: apps/v1, kind: ReplicaSet, name: web-abc }] }
spec: { nodeName: n1, ${podFields}containers: [{ name: main, resources: { requests: { cpu: 500m, memory: 1Gi } } }] }
status: { phase: Running, startTime: "2026-03-02T10:02:00Z" }
`,
    },
  ];

  test('starts at the latest time in the cluster files, and uses the facts of its NodeClaims', () => {
    const {
      reports: [report],
      assumptions,
    } = simulate('expiration', [POOL], { cluster: cluster('') });
    expect(assumptions[0]).toBe('the simulation starts at 2026-03-02T10:02:00.000Z, with all scheduled pods ready');
    expect(report.timeline[0]).toEqual({ second: 24 * 3600 - 120, what: 'n1 expires' });
    expect(report.workloads).toEqual([{ workload: WEB_KEY, replicas: 1, lowestReady: 0, evictions: 1 }]);
  });

  test('reschedules the pods of a deleted node, though spec.nodeName names it', () => {
    const {
      reports: [report],
    } = simulate('drift', [POOL], { cluster: cluster('') });
    expect(report.stuck).toEqual([]);
    expect(report.workloads).toEqual([{ workload: WEB_KEY, replicas: 1, lowestReady: 0, evictions: 1 }]);
  });

  test('reports that a pod stays pending because it is not evaluated', () => {
    const {
      reports: [report],
    } = simulate('expiration', [POOL], {
      cluster: cluster('volumes: [{ name: data, persistentVolumeClaim: { claimName: data } }], '),
    });
    expect(report.pending).toHaveLength(1);
    expect(report.unplaced).toEqual([
      {
        workload: WEB_KEY,
        pods: report.pending,
        why: 'it is not evaluated, and therefore not scheduled: PersistentVolumeClaim default/data, which is not in the input',
      },
    ]);
  });

  test('uses the NodeClaim of a node that has not joined', () => {
    const [{ path, text }] = cluster('');
    const coming = [{ path, text: text.replace(/karpenter.sh\/(registered|initialized): "true", /g, '') }];
    const {
      reports: [report],
    } = simulate('expiration', [POOL], { cluster: coming });
    expect(report.timeline[0]).toEqual({ second: 24 * 3600 - 120, what: 'default-x expires' });
  });
});

describe('a starting node of the cluster', () => {
  const ready = '2026-03-02T10:00:00Z';
  const labels = {
    'karpenter.sh/capacity-type': 'on-demand',
    'node.kubernetes.io/instance-type': 'm5.large',
    'topology.kubernetes.io/zone': 'us-east-1a',
  };
  const claim = (created: string) =>
    nodeClaim('default-x', {
      labels,
      metadata: { creationTimestamp: created },
      status: { nodeName: undefined, conditions: [{ type: 'Launched', status: 'True', lastTransitionTime: created }] },
    });
  const told = node('n1', { metadata: { creationTimestamp: ready } });
  const drift = (...items: Plain[]) => simulate('drift', [POOL], { cluster: dump(told, ...items) }).reports[0];

  test('is initialized when the scenario starts', () => {
    const {
      stuck,
      timeline: [{ what }],
    } = drift(claim('2026-03-02T09:59:00Z'));
    expect([stuck, what]).toEqual([[], 'Drift decides to delete default-x']);
    const coming = karpenterNode('default-x', {
      labels: { ...labels, 'karpenter.sh/initialized': '' },
      taints: [{ key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' }],
    });
    expect(drift(claim('2026-03-02T09:59:00Z'), coming).stuck).toEqual([]);
  });

  test('is stuck after the registration timeout', () => {
    expect(drift(claim('2026-03-02T09:44:00Z')).stuck).toMatchObject([
      {
        what: 'node default-x',
        why: 'nodeclaim does not have an associated node',
        remedy: expect.stringMatching(/^find out why the node is not initialized/),
      },
    ]);
  });
});

describe('a deleting node of the cluster', () => {
  const ofWeb = { owner: ['ReplicaSet', 'web-5d9c'] as const, labels: { app: 'web', 'pod-template-hash': '5d9c' } };
  const labels = { 'karpenter.sh/capacity-type': 'on-demand' };
  const kept = { metadata: { annotations: { 'karpenter.sh/do-not-disrupt': 'true' } } };
  const machine = (name: string, metadata: Plain = {}, spec: Plain = {}) => [
    karpenterNode(name, { labels, metadata: { creationTimestamp: '2026-03-02T10:00:00Z' } }),
    nodeClaim(`default-${name}`, {
      of: name,
      labels,
      metadata: { creationTimestamp: '2026-03-02T09:00:00Z', ...metadata },
      spec,
      status: { nodeName: name },
    }),
  ];
  const going = (spec?: Plain) => [
    ...machine('n1'),
    pod('web-5d9c-a', { on: 'n1', ...ofWeb }),
    ...machine('n2', { deletionTimestamp: '2026-03-02T09:56:00Z' }, spec),
    pod('web-5d9c-b', { on: 'n2', ...ofWeb, ...kept }),
  ];
  const drift = (items: Plain[]) =>
    simulate('drift', [POOL, WEB, budget('maxUnavailable: 1')], { cluster: dump(...items) }).reports[0];

  test('counts as a node while it has pods to evict, and uses up the budget of its NodePool', () => {
    const { stuck, before } = drift(going());
    expect(before.nodes).toBe(2);
    expect(stuck).toMatchObject([
      { what: 'node n2', why: 'pod default/web-5d9c-b has the annotation karpenter.sh/do-not-disrupt' },
      { what: 'node n1', why: 'the disruption budgets of NodePool "default" allow no more at this time' },
    ]);
    const open = nodePool(
      ['m5.large'],
      'default',
      '  disruption: { consolidateAfter: 0s, budgets: [{ nodes: "2" }] }\n',
    );
    const rolled = simulate('drift', [open, WEB, budget('maxUnavailable: 1')], { cluster: dump(...going()) })
      .reports[0];
    expect(rolled.stuck.map(({ what }) => what)).toEqual(['node n2']);
    expect(rolled.timeline.map(({ what }) => what)).toEqual(expect.arrayContaining(['n2 drains', 'n1 is terminated']));
  });

  test('neither expires nor fails again', () => {
    const expirations = simulate('expiration', [POOL, WEB], { cluster: dump(...going({ expireAfter: '2h' })) }).reports;
    expect(expirations).toEqual([]);
    expect(
      simulate('node-repair', [POOL, WEB], { cluster: dump(...going()) }).reports.map(({ subject }) => subject),
    ).toEqual(['node n1']);
  });

  test('is terminated when the terminationGracePeriod since its deletion is over', () => {
    const { timeline } = drift(going({ terminationGracePeriod: '10m' }));
    const { second } = timeline.find(({ what }) => what === 'n2 is terminated')!;
    expect(Math.abs(second - 6 * 60)).toBeLessThanOrEqual(30);
  });

  test('counts its pods for their workload, even if the manifests do not contain it', () => {
    const gone = [...machine('n1'), ...machine('n2', { deletionTimestamp: '2026-03-02T09:56:00Z' })];
    const pods = [pod('web-5d9c-a', { on: 'n1', ...ofWeb }), pod('web-5d9c-b', { on: 'n2', ...ofWeb })];
    const [{ workloads, lost }] = simulate('drift', [POOL], { cluster: dump(...gone, ...pods) }).reports;
    expect([workloads, lost]).toEqual([[{ workload: WEB_KEY, replicas: 2, lowestReady: 0, evictions: 2 }], []]);
  });

  test('is left out if it has no pods to evict', () => {
    expect(
      drift([
        ...machine('n1'),
        ...machine('n2', { deletionTimestamp: '2026-03-02T09:56:00Z' }),
        pod('web-5d9c-b', { on: 'n2', ...ofWeb }),
      ]).before.nodes,
    ).toBe(1);
  });
});

describe('a workload that is only in the cluster', () => {
  const ofWeb = { owner: ['ReplicaSet', 'web-5d9c'] as const, labels: { app: 'web', 'pod-template-hash': '5d9c' } };
  const unplaced = pod('web-5d9c-c', {
    ...ofWeb,
    cpu: '500',
    status: { phase: 'Pending', conditions: [{ type: 'PodScheduled', reason: 'Unschedulable' }] },
  });
  const cluster = ['a', 'b'].flatMap((name) => [
    karpenterNode(name),
    nodeClaim(`default-${name}`, { of: name }),
    pod(`web-5d9c-${name}`, { on: name, ...ofWeb }),
  ]);
  const pdb = JSON.parse(`{ "apiVersion": "policy/v1", "kind": "PodDisruptionBudget", "metadata": { "name": "web" },
    "spec": { "maxUnavailable": 1, "selector": { "matchLabels": { "app": "web" } } } }`);
  const drift = (...more: Plain[]) => simulate('drift', [POOL], { cluster: dump(...cluster, pdb, ...more) }).reports[0];
  const isEvicted = (...more: Plain[]) => drift(...more).workloads[0].evictions > 0;

  test('wants its pending pod, too, which counts as unready for a PodDisruptionBudget', () => {
    expect([isEvicted(), isEvicted(unplaced)]).toEqual([true, false]);
    expect(drift(unplaced).stuck.map(({ remedy }) => remedy)).toEqual(
      ['a', 'b'].map(
        () =>
          'get all 3 pods of the workload scheduled: with 2 healthy pods, the PodDisruptionBudget allows no eviction',
      ),
    );
  });

  test('wants the replicas of its own object', () => {
    const object = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web', namespace: 'default' } };
    expect([2, 3].map((replicas) => isEvicted({ ...object, spec: { replicas } }))).toEqual([true, false]);
  });
});

describe('a NodePool that is not in the input', () => {
  const cluster = (...more: Plain[]) =>
    dump(karpenterNode('n1'), ...more, node('n2'), pod('web-0', { on: 'n1', owner: ['ReplicaSet', 'web'] }));
  const notesFor = (documents: string[], ...more: Plain[]) =>
    simulateScenario(manifests(...documents), 'drift', { cluster: cluster(...more) }).notEvaluated;

  test('is reported as missing; pods are rescheduled to nodes with room', () => {
    const [documents, claim] = [[NODE_CLASS], nodeClaim('default-1', { of: 'n1' })];
    expect(notesFor(documents, claim)).toEqual([
      'NodePool default is not in the input: Karpenter launches no node of it, and disrupts none',
    ]);
    const deleted = simulateScenario(
      manifests(...documents),
      'deletion',
      { cluster: cluster(claim) },
      { of: { kind: 'node', name: 'n1' } },
    );
    expect(deleted.reports[0].pending).toEqual([]);
  });

  test('is reported as missing if the input has no NodePool at all', () => {
    expect(notesFor([NODE_CLASS])).toEqual(['there is no NodePool in the input: Karpenter launches no node']);
  });

  test('is not reported as missing if its last nodes are deleting, or if it is only invalid', () => {
    const deleting = { metadata: { deletionTimestamp: '2026-03-02T09:56:00Z' } };
    const other = nodePool(['m5.large'], 'other');
    expect(notesFor([NODE_CLASS, other], nodeClaim('default-1', { of: 'n1', ...deleting }))).toEqual([]);
    const broken = POOL.replace('spec:\n', 'spec:\n  disruption: { consolidateAfter: soon }\n');
    expect(notesFor([NODE_CLASS, broken], nodeClaim('default-1', { of: 'n1' }))).toEqual([
      'NodePool default is not disrupted: the NodePool is invalid as written',
    ]);
  });
});
