import { CheckOptions, playScenario, PlayedScenario, renderScenariosText, SCENARIO_NAMES } from '../../../src/validation';
import { dump, karpenterNode, node, nodeClaim, Plain, pod } from '../cluster/dump';
import { deployment, manifests, NODE_CLASS, nodePool, SMALL } from '../setup';

const budget = (field: string) => `apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: { name: web }
spec: { ${field}, selector: { matchLabels: { app: web } } }
`;
const WEB = deployment('web', 2, SMALL);
const POOL = nodePool(['m5.large']);
const SOLE = 'Deployment default/web';

function play(name: PlayedScenario, documents: readonly string[], options: CheckOptions = {}) {
  return playScenario(manifests(NODE_CLASS, ...documents), name, options);
}

function web(name: PlayedScenario, documents: readonly string[], options: CheckOptions = {}) {
  return play(name, documents, options).reports.map(({ workloads }) => workloads.find(({ workload }) => workload === SOLE));
}

describe('a scenario on what manifests plan', () => {
  test('takes both replicas from one node in a roll without a PodDisruptionBudget, and one at a time with one', () => {
    expect(web('drift', [POOL, WEB])[0]).toEqual({ workload: SOLE, replicas: 2, lowestReady: 0, evictions: 2 });
    expect(web('drift', [POOL, WEB, budget('maxUnavailable: 1')])[0]).toEqual({ workload: SOLE, replicas: 2, lowestReady: 1, evictions: 2, secondsBelowBudget: 0 });
  });

  test('goes by the budgets, the consolidateAfter and the terminationGracePeriod of the NodePool', () => {
    const held = play('drift', [POOL, WEB, budget('maxUnavailable: 0')]).reports[0];
    expect(held.stuck).toMatchObject([{ what: 'node default-0', why: 'pdb prevents pod evictions (PodDisruptionBudget=[default/web])' }]);
    const closed = nodePool(['m5.large'], 'default', '  disruption: { consolidateAfter: 0s, budgets: [{ nodes: "0" }] }\n');
    expect(play('drift', [closed, WEB]).reports[0].stuck[0].why).toContain('budgets of NodePool "default"');
    const tenth = nodePool(['m5.large'], 'default', '  disruption: { consolidateAfter: 0s, budgets: [{ reasons: [Drifted] }] }\n');
    expect(play('drift', [tenth, WEB]).reports[0].stuck).toEqual([]);
    const bounded = POOL.replace('    spec:\n', '    spec:\n      terminationGracePeriod: 1h\n');
    expect(play('drift', [bounded, WEB, budget('maxUnavailable: 0')]).reports[0]).toMatchObject({ stuck: [], seconds: expect.any(Number) });
  });

  test('leaves nodes alone that have the annotation do-not-disrupt from the template of their NodePool', () => {
    const kept = POOL.replace('  template:\n', '  template:\n    metadata: { annotations: { karpenter.sh/do-not-disrupt: "true" } }\n');
    expect(play('drift', [kept, WEB]).reports[0].stuck).toMatchObject([{
      what: 'node default-0',
      why: 'disruption is blocked through the "karpenter.sh/do-not-disrupt" annotation',
      remedy: 'leave the annotation out of spec.template.metadata of the NodePool',
    }]);
  });

  describe('with a DaemonSet', () => {
    const agent = (spec: string, annotations = '') => `apiVersion: apps/v1
kind: DaemonSet
metadata: { name: agent }
spec:
  selector: { matchLabels: { app: agent } }
  template:
    metadata: { labels: { app: agent }, annotations: { ${annotations} } }
    spec: { ${spec}containers: [{ name: main, image: agent }] }
`;

    test('keeps its nodes where its pods are protected, whatever they tolerate', () => {
      const kept = agent('tolerations: [{ operator: Exists }], ', 'karpenter.sh/do-not-disrupt: "true"');
      expect(play('drift', [POOL, WEB, kept]).reports[0].stuck)
        .toMatchObject([{ what: 'node default-0', why: 'pod has "karpenter.sh/do-not-disrupt" annotation (Pod=default/agent-default-0)' }]);
    });

    test('waits for its pods when the others have gone, unless they tolerate the taint of nodes that go', () => {
      const secondOf = (daemonSet: string) => play('drift', [POOL, WEB, daemonSet]).reports[0].timeline.find(({ what }) => what === 'default-0 is gone')!.second;
      expect([agent('tolerations: [{ operator: Exists }], '), agent('')].map(secondOf)).toEqual([60 + 10, 60 + 10 + 10]);
    });

    test('of the cluster has its pods on new nodes, too', () => {
      const object = { apiVersion: 'apps/v1', kind: 'DaemonSet', metadata: { name: 'agent', namespace: 'default' } };
      const template = { metadata: { annotations: { 'karpenter.sh/do-not-disrupt': 'true' } }, spec: { containers: [{ name: 'main' }] } };
      const cluster = [{ path: 'cluster.json', text: JSON.stringify({ ...object, spec: { selector: {}, template } }) }];
      expect(play('drift', [POOL, WEB], { cluster }).reports[0].stuck).toHaveLength(1);
    });
  });

  test('says of the outage of a zone that its nodes are taken to be deleted, and of nothing else', () => {
    const said = (name: PlayedScenario) => play(name, [POOL, WEB]).assumptions.filter((assumption) => assumption.includes('deletes the nodes of the zone'));
    expect([said('zone-outage').length, said('drift').length]).toEqual([1, 0]);
  });

  test('says of an earlier Karpenter that nodes are disrupted as the newest does it', () => {
    const said = (karpenterVersion?: string) => play('drift', [POOL, WEB], { karpenterVersion }).assumptions.filter((assumption) => assumption.includes('disrupted as'));
    expect([undefined, '1.15.0', '1.8.2'].map(said)).toEqual([[], [], ['nodes are disrupted as Karpenter 1.15 does it: 1.8.2 may do it otherwise']]);
  });

  test('makes pods of a StatefulSet again one after the other, or all at once by its podManagementPolicy', () => {
    const set = WEB.replace('kind: Deployment', 'kind: StatefulSet');
    const parallel = set.replace('spec:\n', 'spec:\n  podManagementPolicy: Parallel\n');
    const secondsOf = (documents: readonly string[], options: CheckOptions = {}) => play('drift', documents, options).reports[0].seconds;
    expect([set, parallel].map((document) => secondsOf([POOL, document]))).toEqual([60 + 10 + 2 * 20, 60 + 10 + 20]);
  });

  test('asks of PodDisruptionBudgets what Kubernetes does: one without a selector keeps no pod, one that is written again counts once', () => {
    const evictions = (...budgets: string[]) => web('drift', [POOL, WEB, ...budgets])[0]?.evictions;
    expect(evictions(budget('maxUnavailable: 0').replace(/, selector.*/, ' }'))).toBe(2);
    expect(evictions(budget('maxUnavailable: 0'), budget('maxUnavailable: 1'))).toBe(2);
    expect(evictions(budget('unhealthyPodEvictionPolicy: AlwaysAllow'))).toBe(0);
  });

  describe('with a CapacityBuffer', () => {
    const options = { featureGates: { CapacityBuffer: true } };
    const template = `apiVersion: v1
kind: PodTemplate
metadata: { name: spare }
template: { spec: { containers: [{ name: main, resources: { requests: { cpu: 1, memory: 1Gi } } }] } }
`;
    const buffer = `apiVersion: autoscaling.x-k8s.io/v1beta1
kind: CapacityBuffer
metadata: { name: spare }
spec: { podTemplateRef: { name: spare }, replicas: 1 }
`;

    test('loses none of the pods that Karpenter makes up, and keeps their room when the node goes', () => {
      const [{ lost, before, after, timeline }] = play('drift', [nodePool(['m5.large', 'm5.xlarge']), WEB, template, buffer], options).reports;
      expect(lost).toEqual([]);
      expect(after).toEqual(before);
      expect(timeline.filter(({ what }) => what.includes('is launched')).map(({ what }) => what))
        .toEqual(['default-new-0 is launched (m5.xlarge, on-demand, us-east-1a)']);
    });

    test('keeps a node that has nothing else, which is empty otherwise', () => {
      const consolidating = nodePool(['m5.large'], 'default', '  disruption: { consolidateAfter: 0s }\n');
      const [{ before, after }] = play('consolidation', [consolidating, template, buffer], options).reports;
      expect([before.nodes, after.nodes]).toEqual([1, 1]);
    });

    test('launches another node for the room where its node expires', () => {
      const [{ timeline }] = play('expiration', [nodePool(['m5.large']), template, buffer], options).reports;
      expect(timeline.slice(0, 4).map(({ what }) => what)).toEqual([
        'default-0 expires', 'default-0 drains', 'default-new-0 is launched (m5.large, on-demand, us-east-1a)', 'default-0 is gone',
      ]);
    });
  });

  test('has nodes expire together that are launched together', () => {
    const [{ timeline }] = play('expiration', [POOL, deployment('web', 2, 'cpu: 1200m, memory: 1Gi')]).reports;
    expect(timeline.filter(({ what }) => what.endsWith('expires')).map(({ second }) => second)).toEqual([720 * 3600, 720 * 3600]);
  });

  test('has nothing to tell of spot where there is none', () => {
    const played = play('spot-interruption', [POOL, WEB]);
    expect(played.reports).toEqual([]);
    expect(renderScenariosText(played)).toMatch(/^Nothing of the kind can happen here\./);
  });

  const hpa = `apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: { name: web }
spec: { minReplicas: 2, maxReplicas: 40, scaleTargetRef: { apiVersion: apps/v1, kind: Deployment, name: web } }
`;

  test('of the peak says what the most replicas of every autoscaler cost, and which of them have no node', () => {
    const [{ before, after, pending, timeline }] = play('peak', [POOL.replace('cpu: 1000', 'cpu: 10'), WEB, hpa]).reports;
    expect(timeline).toEqual([{ second: 0, what: `${SOLE} goes from 2 to 40 replicas` }]);
    expect(before).toEqual({ nodes: 1, usdPerHour: 0.096 });
    expect(after.nodes).toBe(5);
    expect(pending.length).toBe(40 - 15);
  });

  test('of the peak says so where nothing grows', () => {
    expect(play('peak', [POOL, WEB]).reports).toMatchObject([{ timeline: [{ second: 0, what: 'no autoscaler lets a workload have more pods' }], workloads: [] }]);
  });

  describe('of the peak, with a cluster', () => {
    const ofWeb = { owner: ['ReplicaSet', 'web-5d9c'] as const, labels: { 'pod-template-hash': '5d9c' }, cpu: '100m' };
    const running = (count: number) => [node('n1'), ...Array.from({ length: count }, (_, at) => pod(`web-5d9c-${at}`, { on: 'n1', ...ofWeb }))];
    const peak = (...items: Plain[]) => play('peak', [POOL.replace('cpu: 1000', 'cpu: 10'), WEB, hpa], { cluster: dump(...items) }).reports[0];

    test('counts pods that there are more of also where all that are wanted run', () => {
      expect(peak(...running(2)).timeline).toEqual([{ second: 0, what: `${SOLE} goes from 2 to 40 replicas` }]);
      expect(peak(...running(2)).after.nodes).toBe(6);
      expect(peak(...running(5)).timeline).toEqual([{ second: 0, what: `${SOLE} goes from 5 to 40 replicas` }]);
    });

    test('counts what nodes cost that are there already', () => {
      const there = karpenterNode('n2', { labels: { 'karpenter.sh/capacity-type': 'on-demand' } });
      const { before, after } = peak(...running(2), there);
      const drift = play('drift', [POOL, WEB], { cluster: dump(...running(2), there) }).reports[0];
      expect(before).toEqual(drift.before);
      expect(before.usdPerHour).toBeGreaterThan(0);
      expect(after.usdPerHour / before.usdPerHour).toBeCloseTo(after.nodes - 1);
    });

    test('counts the pods of a workload that is in the cluster alone as those that it has', () => {
      const { timeline, before, after } = play('peak', [POOL, hpa], { cluster: dump(...running(2)) }).reports[0];
      expect(timeline).toEqual([{ second: 0, what: `${SOLE} goes from 2 to 40 replicas` }]);
      expect([before.nodes, after.nodes]).toEqual([1, 3]);
    });

    test('has no pod ready that is on its way out', () => {
      const going = pod('web-5d9c-x', { on: 'n1', ...ofWeb, metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } });
      expect(peak(...running(2), going).workloads).toMatchObject([{ workload: SOLE, replicas: 40, lowestReady: 2 }]);
    });
  });

  test('of the peak tells limits from what pods require', () => {
    const remedy = (pool: string, workload: string) => play('peak', [pool, workload, hpa]).reports[0].stuck[0].remedy;
    const apart = 'podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: '
      + '[{ topologyKey: topology.kubernetes.io/zone, labelSelector: { matchLabels: { app: web } } }] }';
    expect(remedy(POOL.replace('cpu: 1000', 'cpu: 10'), WEB)).toBe('raise the limits of the NodePool, or lower maxReplicas');
    expect(remedy(POOL, WEB.replace('      containers:', `      affinity: { ${apart} }\n      containers:`)))
      .toBe('let a NodePool give what the pod requires, or lower maxReplicas');
  });

  test('says which NodePool is not disrupted, because it is known only at deployment how', () => {
    const unknown = POOL.replace('  template:', '  disruption: { consolidateAfter: "${Token[AFTER.1]}" }\n  template:');
    expect(play('drift', [unknown, WEB]).notEvaluated).toEqual([expect.stringMatching(/^NodePool default is not disrupted: /)]);
  });

  test('says how many pods of each workload are ready before, also of one that has no node', () => {
    const { workloads } = play('drift', [POOL, WEB, deployment('huge', 1, 'cpu: 100')]);
    expect(workloads).toEqual([{ workload: 'Deployment default/huge', ready: 0 }, { workload: SOLE, ready: 2 }]);
  });

  describe('leaves without a node when its zone fails', () => {
    const claim = (storageClassName: string) => `{ accessModes: [ReadWriteOnce], storageClassName: ${storageClassName}, resources: { requests: { storage: 1Gi } } }`;
    const db = (storageClassName: string) => `${deployment('db', 2, SMALL).replace('kind: Deployment', 'kind: StatefulSet')}  volumeClaimTemplates: [{ metadata: { name: data }, spec: ${claim(storageClassName)} }]\n`;
    const ephemeral = deployment('db', 2, SMALL, `      volumes: [{ name: data, ephemeral: { volumeClaimTemplate: { spec: ${claim('gp2')} } } }]\n`);
    const files = 'apiVersion: storage.k8s.io/v1\nkind: StorageClass\nmetadata: { name: files }\nprovisioner: efs.csi.aws.com\nvolumeBindingMode: WaitForFirstConsumer\n';
    const waiting = (...documents: string[]) => play('zone-outage', [POOL, ...documents]).reports[0].pending;

    test('a pod whose EBS volume was made there', () => {
      expect(waiting(db('gp2'))).toEqual(['default/db-0', 'default/db-1']);
    });

    test('none whose volume any zone can use, or goes with the pod', () => {
      expect(waiting(files, db('files'))).toEqual([]);
      expect(waiting(ephemeral)).toEqual([]);
    });

    test('none that has no volume', () => {
      expect(waiting(WEB)).toEqual([]);
    });
  });

  test('is cut off where Karpenter launches one node after the other for a pod that none of them will do for, and says so', () => {
    // A group of the strategy cluster has no partitions: a node has no label of one, though Karpenter launches it for the pod.
    const groups = [{ path: 'groups.json', text: JSON.stringify({ PlacementGroups: [{ GroupName: 'near', GroupId: 'pg-1', State: 'available', Strategy: 'cluster' }] }) }];
    const grouped = NODE_CLASS.replace('spec:\n', 'spec:\n  placementGroupSelector: { name: near }\n');
    const partition = '      nodeSelector: { karpenter.k8s.aws/placement-group-partition: "1" }\n';
    const { reports: [report] } = playScenario(manifests(grouped, POOL, deployment('web', 2, SMALL, partition)), 'zone-outage', { cluster: groups });
    expect(report).toMatchObject({ unfinished: true, pending: [expect.any(String), expect.any(String)] });
    expect(report.unplaced).toMatchObject([{ workload: SOLE, why: 'Karpenter launches one node after the other, and none will do once it is up' }]);
    expect(report.after.nodes).toBeLessThan(150);
  });

  test.each(SCENARIO_NAMES)('%s is the same every time', (name) => {
    expect(play(name, [POOL, WEB])).toEqual(play(name, [POOL, WEB]));
  });
});

describe('a scenario on a cluster that is there', () => {
  const cluster = (podFields: string) => [{
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
  }];

  test('begins with the latest that the cluster tells, and goes by what its NodeClaims say', () => {
    const { reports: [report], assumptions } = play('expiration', [POOL], { cluster: cluster('') });
    expect(assumptions[0]).toBe('it begins at 2026-03-02T10:02:00.000Z, with all pods that have a node ready');
    expect(report.timeline[0]).toEqual({ second: 24 * 3600 - 120, what: 'n1 expires' });
    expect(report.workloads).toEqual([{ workload: SOLE, replicas: 1, lowestReady: 0, evictions: 1 }]);
  });

  test('has the pods of a node move that goes, though they name it', () => {
    const { reports: [report] } = play('drift', [POOL], { cluster: cluster('') });
    expect(report.stuck).toEqual([]);
    expect(report.workloads).toEqual([{ workload: SOLE, replicas: 1, lowestReady: 0, evictions: 1 }]);
  });

  test('says of a pod that uses what is not evaluated that this is why it comes to no other node', () => {
    const { reports: [report] } = play('expiration', [POOL], { cluster: cluster('volumes: [{ name: data, persistentVolumeClaim: { claimName: data } }], ') });
    expect(report.pending).toHaveLength(1);
    expect(report.unplaced).toEqual([
      { workload: SOLE, pods: report.pending, why: 'it is not evaluated, and so not placed: PersistentVolumeClaim default/data, which is not in the input' },
    ]);
  });

  test('knows a node that has not joined by its claim', () => {
    const [{ path, text }] = cluster('');
    const coming = [{ path, text: text.replace(/karpenter.sh\/(registered|initialized): "true", /g, '') }];
    const { reports: [report] } = play('expiration', [POOL], { cluster: coming });
    expect(report.timeline[0]).toEqual({ second: 24 * 3600 - 120, what: 'default-x expires' });
  });
});

describe('a node of the cluster that is on its way up', () => {
  const ready = '2026-03-02T10:00:00Z';
  const labels = { 'karpenter.sh/capacity-type': 'on-demand', 'node.kubernetes.io/instance-type': 'm5.large', 'topology.kubernetes.io/zone': 'us-east-1a' };
  const claim = (created: string) => nodeClaim('default-x', {
    labels, metadata: { creationTimestamp: created }, status: { nodeName: undefined, conditions: [{ type: 'Launched', status: 'True', lastTransitionTime: created }] },
  });
  const told = node('n1', { metadata: { creationTimestamp: ready } });
  const drift = (...items: Plain[]) => play('drift', [POOL], { cluster: dump(told, ...items) }).reports[0];

  test('is up when a scenario begins', () => {
    const { stuck, timeline: [{ what }] } = drift(claim('2026-03-02T09:59:00Z'));
    expect([stuck, what]).toEqual([[], 'Drift decides to delete default-x']);
    const coming = karpenterNode('default-x', { labels: { ...labels, 'karpenter.sh/initialized': '' }, taints: [{ key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' }] });
    expect(drift(claim('2026-03-02T09:59:00Z'), coming).stuck).toEqual([]);
  });

  test('is stuck where Karpenter would have given it up by then', () => {
    expect(drift(claim('2026-03-02T09:44:00Z')).stuck).toMatchObject([
      { what: 'node default-x', why: 'nodeclaim does not have an associated node', remedy: expect.stringMatching(/^see what keeps the node from coming up/) },
    ]);
  });
});

describe('a node of the cluster that goes', () => {
  const ofWeb = { owner: ['ReplicaSet', 'web-5d9c'] as const, labels: { 'app': 'web', 'pod-template-hash': '5d9c' } };
  const labels = { 'karpenter.sh/capacity-type': 'on-demand' };
  const kept = { metadata: { annotations: { 'karpenter.sh/do-not-disrupt': 'true' } } };
  const machine = (name: string, metadata: Plain = {}, spec: Plain = {}) => [
    karpenterNode(name, { labels, metadata: { creationTimestamp: '2026-03-02T10:00:00Z' } }),
    nodeClaim(`default-${name}`, { of: name, labels, metadata: { creationTimestamp: '2026-03-02T09:00:00Z', ...metadata }, spec, status: { nodeName: name } }),
  ];
  const going = (spec?: Plain) => [
    ...machine('n1'), pod('web-5d9c-a', { on: 'n1', ...ofWeb }),
    ...machine('n2', { deletionTimestamp: '2026-03-02T09:56:00Z' }, spec), pod('web-5d9c-b', { on: 'n2', ...ofWeb, ...kept }),
  ];
  const drift = (items: Plain[]) => play('drift', [POOL, WEB, budget('maxUnavailable: 1')], { cluster: dump(...items) }).reports[0];

  test('counts with the pods that keep it, and takes up the budget of its NodePool', () => {
    const { stuck, before } = drift(going());
    expect(before.nodes).toBe(2);
    expect(stuck).toMatchObject([
      { what: 'node n2', why: 'pod default/web-5d9c-b has the annotation karpenter.sh/do-not-disrupt' },
      { what: 'node n1', why: 'the disruption budgets of NodePool "default" allow no more at this time' },
    ]);
    const open = nodePool(['m5.large'], 'default', '  disruption: { consolidateAfter: 0s, budgets: [{ nodes: "2" }] }\n');
    const rolled = play('drift', [open, WEB, budget('maxUnavailable: 1')], { cluster: dump(...going()) }).reports[0];
    expect(rolled.stuck.map(({ what }) => what)).toEqual(['node n2']);
    expect(rolled.timeline.map(({ what }) => what)).toEqual(expect.arrayContaining(['n2 drains', 'n1 is gone']));
  });

  test('neither expires nor fails once more', () => {
    const expirations = play('expiration', [POOL, WEB], { cluster: dump(...going({ expireAfter: '2h' })) }).reports;
    expect(expirations).toEqual([]);
    expect(play('node-repair', [POOL, WEB], { cluster: dump(...going()) }).reports.map(({ subject }) => subject)).toEqual(['node n1']);
  });

  test('goes when the time is over that it has had since it was deleted', () => {
    const { timeline } = drift(going({ terminationGracePeriod: '10m' }));
    const { second } = timeline.find(({ what }) => what === 'n2 is gone')!;
    expect(Math.abs(second - 6 * 60)).toBeLessThanOrEqual(30);
  });

  test('leaves its pods to their own workload, also where the manifests have none of it', () => {
    const gone = [...machine('n1'), ...machine('n2', { deletionTimestamp: '2026-03-02T09:56:00Z' })];
    const pods = [pod('web-5d9c-a', { on: 'n1', ...ofWeb }), pod('web-5d9c-b', { on: 'n2', ...ofWeb })];
    const [{ workloads, lost }] = play('drift', [POOL], { cluster: dump(...gone, ...pods) }).reports;
    expect([workloads, lost]).toEqual([[{ workload: SOLE, replicas: 2, lowestReady: 0, evictions: 2 }], []]);
  });

  test('is left out where nothing keeps it', () => {
    expect(drift([...machine('n1'), ...machine('n2', { deletionTimestamp: '2026-03-02T09:56:00Z' }), pod('web-5d9c-b', { on: 'n2', ...ofWeb })]).before.nodes).toBe(1);
  });
});

describe('a workload of the cluster alone', () => {
  const ofWeb = { owner: ['ReplicaSet', 'web-5d9c'] as const, labels: { 'app': 'web', 'pod-template-hash': '5d9c' } };
  const unplaced = pod('web-5d9c-c', { ...ofWeb, cpu: '500', status: { phase: 'Pending', conditions: [{ type: 'PodScheduled', reason: 'Unschedulable' }] } });
  const cluster = ['a', 'b'].flatMap((name) => [karpenterNode(name), nodeClaim(`default-${name}`, { of: name }), pod(`web-5d9c-${name}`, { on: name, ...ofWeb })]);
  const pdb = JSON.parse(`{ "apiVersion": "policy/v1", "kind": "PodDisruptionBudget", "metadata": { "name": "web" },
    "spec": { "maxUnavailable": 1, "selector": { "matchLabels": { "app": "web" } } } }`);
  const drift = (...more: Plain[]) => play('drift', [POOL], { cluster: dump(...cluster, pdb, ...more) }).reports[0];
  const isEvicted = (...more: Plain[]) => drift(...more).workloads[0].evictions > 0;

  test('wants the pod that has no node as well: a PodDisruptionBudget counts it as one that is not ready', () => {
    expect([isEvicted(), isEvicted(unplaced)]).toEqual([true, false]);
    expect(drift(unplaced).stuck.map(({ remedy }) => remedy)).toEqual(['a', 'b'].map(() =>
      'see to it that all 3 pods of the workload have nodes: with 2 that are ready the PodDisruptionBudget lets none go'));
  });

  test('wants what its own object says', () => {
    const object = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web', namespace: 'default' } };
    expect([2, 3].map((replicas) => isEvicted({ ...object, spec: { replicas } }))).toEqual([true, false]);
  });
});

describe('a NodePool that is in no file', () => {
  const cluster = (...more: Plain[]) => dump(karpenterNode('n1'), ...more, node('n2'), pod('web-0', { on: 'n1', owner: ['ReplicaSet', 'web'] }));
  const missed = (documents: string[], ...more: Plain[]) => playScenario(manifests(...documents), 'drift', { cluster: cluster(...more) }).notEvaluated;

  test('is said to be missing, as what would be launched of it is not known; pods go where there is room', () => {
    const [documents, claim] = [[NODE_CLASS], nodeClaim('default-1', { of: 'n1' })];
    expect(missed(documents, claim)).toEqual(['NodePool default is not in the input: nothing is launched of it, and none of its nodes disrupted']);
    const deleted = playScenario(manifests(...documents), 'deletion', { cluster: cluster(claim) }, { of: { kind: 'node', name: 'n1' } });
    expect(deleted.reports[0].pending).toEqual([]);
  });

  test('is missed also where no node is of any', () => {
    expect(missed([NODE_CLASS])).toEqual(['there is no NodePool in the input: nothing is launched']);
  });

  test('is not missed where its last nodes go, nor where it only cannot be used', () => {
    const going = { metadata: { deletionTimestamp: '2026-03-02T09:56:00Z' } };
    const other = nodePool(['m5.large'], 'other');
    expect(missed([NODE_CLASS, other], nodeClaim('default-1', { of: 'n1', ...going }))).toEqual([]);
    const broken = POOL.replace('spec:\n', 'spec:\n  disruption: { consolidateAfter: soon }\n');
    expect(missed([NODE_CLASS, broken], nodeClaim('default-1', { of: 'n1' })))
      .toEqual(['NodePool default is not disrupted: the NodePool cannot be used as it is written']);
  });
});

describe('several scenarios of the same sources', () => {
  const sources = manifests(NODE_CLASS, POOL, WEB);
  const options: CheckOptions = {};

  test('come to what each comes to by itself', () => {
    const together = SCENARIO_NAMES.map((name) => playScenario(sources, name, options));
    expect(together).toEqual(SCENARIO_NAMES.map((name) => playScenario(manifests(NODE_CLASS, POOL, WEB), name)));
  });

  test('are placed once', () => {
    const [drift, peak] = (['drift', 'peak'] as const).map((name) => playScenario(sources, name, options));
    expect(peak.workloads).toBe(drift.workloads);
  });

  test('are placed anew with other options', () => {
    const [usual, ordered] = [options, { preferencePolicy: 'Ignore' } as const].map((given) => playScenario(sources, 'peak', given));
    expect(ordered.workloads).not.toBe(usual.workloads);
    expect(playScenario(sources, 'peak', options, { start: Date.UTC(2026, 0, 1) }).start).toBe('2026-01-01T00:00:00.000Z');
  });
});
