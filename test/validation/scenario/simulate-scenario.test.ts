import {
  CheckOptions,
  renderScenariosText,
  SCENARIO_NAMES,
  readSession,
  ScenarioSession,
  SimulatedScenario,
  simulateScenario,
} from '../../../src/validation';
import { dump, karpenterNode, node, Plain, pod } from '../cluster/dump';
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

function webReports(name: SimulatedScenario, documents: readonly string[], options: CheckOptions = {}) {
  return simulate(name, documents, options).reports.map(({ workloads }) =>
    workloads.find(({ workload }) => workload === WEB_KEY),
  );
}

describe('a scenario on planned nodes', () => {
  test('evicts both replicas of a drifted node at once without a PodDisruptionBudget, and one at a time with one', () => {
    expect(webReports('drift', [POOL, WEB])[0]).toEqual({
      workload: WEB_KEY,
      replicas: 2,
      lowestReady: 0,
      evictions: 2,
    });
    expect(webReports('drift', [POOL, WEB, budget('maxUnavailable: 1')])[0]).toEqual({
      workload: WEB_KEY,
      replicas: 2,
      lowestReady: 1,
      evictions: 2,
      secondsBelowBudget: 0,
    });
  });

  test('uses the budgets, consolidateAfter and terminationGracePeriod of the NodePool', () => {
    const held = simulate('drift', [POOL, WEB, budget('maxUnavailable: 0')]).reports[0];
    expect(held.stuck).toMatchObject([
      { what: 'node default-0', why: 'pdb prevents pod evictions (PodDisruptionBudget=[default/web])' },
    ]);
    const closed = nodePool(
      ['m5.large'],
      'default',
      '  disruption: { consolidateAfter: 0s, budgets: [{ nodes: "0" }] }\n',
    );
    expect(simulate('drift', [closed, WEB]).reports[0].stuck[0].why).toContain('budgets of NodePool "default"');
    const tenth = nodePool(
      ['m5.large'],
      'default',
      '  disruption: { consolidateAfter: 0s, budgets: [{ reasons: [Drifted] }] }\n',
    );
    expect(simulate('drift', [tenth, WEB]).reports[0].stuck).toEqual([]);
    const bounded = POOL.replace('    spec:\n', '    spec:\n      terminationGracePeriod: 1h\n');
    expect(simulate('drift', [bounded, WEB, budget('maxUnavailable: 0')]).reports[0]).toMatchObject({
      stuck: [],
      seconds: expect.any(Number),
    });
  });

  test('does not disrupt nodes with the annotation do-not-disrupt from their NodePool', () => {
    const kept = POOL.replace(
      '  template:\n',
      '  template:\n    metadata: { annotations: { karpenter.sh/do-not-disrupt: "true" } }\n',
    );
    expect(simulate('drift', [kept, WEB]).reports[0].stuck).toMatchObject([
      {
        what: 'node default-0',
        why: 'disruption is blocked through the "karpenter.sh/do-not-disrupt" annotation',
        remedy: 'remove the annotation from spec.template.metadata of the NodePool',
      },
    ]);
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

    test('does not disrupt its nodes if its pods have the annotation do-not-disrupt', () => {
      const kept = agent('tolerations: [{ operator: Exists }], ', 'karpenter.sh/do-not-disrupt: "true"');
      expect(simulate('drift', [POOL, WEB, kept]).reports[0].stuck).toMatchObject([
        {
          what: 'node default-0',
          why: 'pod has "karpenter.sh/do-not-disrupt" annotation (Pod=default/agent-default-0)',
        },
      ]);
    });

    test('drains its pods after the other pods, unless they tolerate the disruption taint', () => {
      const secondOf = (daemonSet: string) =>
        simulate('drift', [POOL, WEB, daemonSet]).reports[0].timeline.find(
          ({ what }) => what === 'default-0 is terminated',
        )!.second;
      expect([agent('tolerations: [{ operator: Exists }], '), agent('')].map(secondOf)).toEqual([
        60 + 10,
        60 + 10 + 10,
      ]);
    });

    test('from the cluster files has pods on new nodes, too', () => {
      const object = { apiVersion: 'apps/v1', kind: 'DaemonSet', metadata: { name: 'agent', namespace: 'default' } };
      const template = {
        metadata: { annotations: { 'karpenter.sh/do-not-disrupt': 'true' } },
        spec: { containers: [{ name: 'main' }] },
      };
      const cluster = [{ path: 'cluster.json', text: JSON.stringify({ ...object, spec: { selector: {}, template } }) }];
      expect(simulate('drift', [POOL, WEB], { cluster }).reports[0].stuck).toHaveLength(1);
    });
  });

  test('assumes for a zone outage only that somebody deletes the nodes', () => {
    const assumptionsOf = (name: SimulatedScenario) =>
      simulate(name, [POOL, WEB]).assumptions.filter((assumption) =>
        assumption.includes('deletes the nodes of the failed zone'),
      );
    expect([assumptionsOf('zone-outage').length, assumptionsOf('drift').length]).toEqual([1, 0]);
  });

  test('assumes that an older Karpenter disrupts nodes like the newest', () => {
    const assumptionsFor = (karpenterVersion?: string) =>
      simulate('drift', [POOL, WEB], { karpenterVersion }).assumptions.filter((assumption) =>
        assumption.includes('disrupted as'),
      );
    expect([undefined, '1.15.0', '1.8.2'].map(assumptionsFor)).toEqual([
      [],
      [],
      ['nodes are disrupted as in Karpenter 1.15; 1.8.2 may differ'],
    ]);
  });

  test('recreates pods of a StatefulSet one after the other, or all at once with podManagementPolicy Parallel', () => {
    const set = WEB.replace('kind: Deployment', 'kind: StatefulSet');
    const parallel = set.replace('spec:\n', 'spec:\n  podManagementPolicy: Parallel\n');
    const secondsOf = (documents: readonly string[], options: CheckOptions = {}) =>
      simulate('drift', documents, options).reports[0].seconds;
    expect([set, parallel].map((document) => secondsOf([POOL, document]))).toEqual([60 + 10 + 2 * 20, 60 + 10 + 20]);
  });

  test('ignores a PodDisruptionBudget without a selector, and uses the last of two with the same name', () => {
    const evictions = (...budgets: string[]) => webReports('drift', [POOL, WEB, ...budgets])[0]?.evictions;
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

    test('loses no virtual pod, and keeps their room when the node is replaced', () => {
      const [{ lost, before, after, timeline }] = simulate(
        'drift',
        [nodePool(['m5.large', 'm5.xlarge']), WEB, template, buffer],
        options,
      ).reports;
      expect(lost).toEqual([]);
      expect(after).toEqual(before);
      expect(timeline.filter(({ what }) => what.includes('is launched')).map(({ what }) => what)).toEqual([
        'default-new-0 is launched (m5.xlarge, on-demand, us-east-1a)',
      ]);
    });

    test('keeps a node that has only virtual pods', () => {
      const consolidating = nodePool(['m5.large'], 'default', '  disruption: { consolidateAfter: 0s }\n');
      const [{ before, after }] = simulate('consolidation', [consolidating, template, buffer], options).reports;
      expect([before.nodes, after.nodes]).toEqual([1, 1]);
    });

    test('launches another node for the virtual pods when their node expires', () => {
      const [{ timeline }] = simulate('expiration', [nodePool(['m5.large']), template, buffer], options).reports;
      expect(timeline.slice(0, 4).map(({ what }) => what)).toEqual([
        'default-0 expires',
        'default-0 drains',
        'default-new-0 is launched (m5.large, on-demand, us-east-1a)',
        'default-0 is terminated',
      ]);
    });
  });

  test('expires nodes together that are launched together', () => {
    const [{ timeline }] = simulate('expiration', [POOL, deployment('web', 2, 'cpu: 1200m, memory: 1Gi')]).reports;
    expect(timeline.filter(({ what }) => what.endsWith('expires')).map(({ second }) => second)).toEqual([
      720 * 3600,
      720 * 3600,
    ]);
  });

  test('returns no report of spot-interruption without spot nodes', () => {
    const result = simulate('spot-interruption', [POOL, WEB]);
    expect(result.reports).toEqual([]);
    expect(renderScenariosText(result)).toMatch(/^Nothing to simulate: this scenario affects nothing here\./);
  });

  const hpa = `apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: { name: web }
spec: { minReplicas: 2, maxReplicas: 40, scaleTargetRef: { apiVersion: apps/v1, kind: Deployment, name: web } }
`;

  test('reports for peak the cost of the maximum replicas of every autoscaler, and which pods stay pending', () => {
    const [{ before, after, pending, timeline }] = simulate('peak', [
      POOL.replace('cpu: 1000', 'cpu: 10'),
      WEB,
      hpa,
    ]).reports;
    expect(timeline).toEqual([{ second: 0, what: `${WEB_KEY} scales from 2 to 40 replicas` }]);
    expect(before).toEqual({ nodes: 1, usdPerHour: 0.096 });
    expect(after.nodes).toBe(5);
    expect(pending.length).toBe(40 - 15);
  });

  test('reports for peak that no autoscaler allows more pods', () => {
    expect(simulate('peak', [POOL, WEB]).reports).toMatchObject([
      { timeline: [{ second: 0, what: 'no autoscaler allows more pods than a workload has' }], workloads: [] },
    ]);
  });

  describe('peak with a cluster', () => {
    const ofWeb = { owner: ['ReplicaSet', 'web-5d9c'] as const, labels: { 'pod-template-hash': '5d9c' }, cpu: '100m' };
    const running = (count: number) => [
      node('n1'),
      ...Array.from({ length: count }, (_, at) => pod(`web-5d9c-${at}`, { on: 'n1', ...ofWeb })),
    ];
    const peak = (...items: Plain[]) =>
      simulate('peak', [POOL.replace('cpu: 1000', 'cpu: 10'), WEB, hpa], { cluster: dump(...items) }).reports[0];

    test('adds pods to a workload even if all its wanted pods run', () => {
      expect(peak(...running(2)).timeline).toEqual([{ second: 0, what: `${WEB_KEY} scales from 2 to 40 replicas` }]);
      expect(peak(...running(2)).after.nodes).toBe(6);
      expect(peak(...running(5)).timeline).toEqual([{ second: 0, what: `${WEB_KEY} scales from 5 to 40 replicas` }]);
    });

    test('includes the cost of existing nodes', () => {
      const there = karpenterNode('n2', { labels: { 'karpenter.sh/capacity-type': 'on-demand' } });
      const { before, after } = peak(...running(2), there);
      const drift = simulate('drift', [POOL, WEB], { cluster: dump(...running(2), there) }).reports[0];
      expect(before).toEqual(drift.before);
      expect(before.usdPerHour).toBeGreaterThan(0);
      expect(after.usdPerHour / before.usdPerHour).toBeCloseTo(after.nodes - 1);
    });

    test('adds pods like the running ones to a workload that is only in the cluster', () => {
      const { timeline, before, after } = simulate('peak', [POOL, hpa], { cluster: dump(...running(2)) }).reports[0];
      expect(timeline).toEqual([{ second: 0, what: `${WEB_KEY} scales from 2 to 40 replicas` }]);
      expect([before.nodes, after.nodes]).toEqual([1, 3]);
    });

    test('does not count terminating pods as ready', () => {
      const terminating = pod('web-5d9c-x', {
        on: 'n1',
        ...ofWeb,
        metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' },
      });
      expect(peak(...running(2), terminating).workloads).toMatchObject([
        { workload: WEB_KEY, replicas: 40, lowestReady: 2 },
      ]);
    });
  });

  test('peak distinguishes exceeded limits from unmet requirements', () => {
    const remedy = (pool: string, workload: string) =>
      simulate('peak', [pool, workload, hpa]).reports[0].stuck[0].remedy;
    const apart =
      'podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: ' +
      '[{ topologyKey: topology.kubernetes.io/zone, labelSelector: { matchLabels: { app: web } } }] }';
    expect(remedy(POOL.replace('cpu: 1000', 'cpu: 10'), WEB)).toBe(
      'raise the limits of the NodePool, or lower maxReplicas',
    );
    expect(remedy(POOL, WEB.replace('      containers:', `      affinity: { ${apart} }\n      containers:`))).toBe(
      'add what the pod requires to a NodePool, or lower maxReplicas',
    );
  });

  test('does not disrupt a NodePool with disruption settings that are known only at deployment', () => {
    const unknown = POOL.replace('  template:', '  disruption: { consolidateAfter: "${Token[AFTER.1]}" }\n  template:');
    expect(simulate('drift', [unknown, WEB]).notEvaluated).toEqual([
      expect.stringMatching(/^NodePool default is not disrupted: /),
    ]);
  });

  test('counts the ready pods of each workload before the start, also of a workload without a node', () => {
    const { workloads } = simulate('drift', [POOL, WEB, deployment('huge', 1, 'cpu: 100')]);
    expect(workloads).toEqual([
      { workload: 'Deployment default/huge', ready: 0 },
      { workload: WEB_KEY, ready: 2 },
    ]);
  });

  describe('leaves pending when its zone fails', () => {
    const claim = (storageClassName: string) =>
      `{ accessModes: [ReadWriteOnce], storageClassName: ${storageClassName}, resources: { requests: { storage: 1Gi } } }`;
    const db = (storageClassName: string) =>
      `${deployment('db', 2, SMALL).replace('kind: Deployment', 'kind: StatefulSet')}  volumeClaimTemplates: [{ metadata: { name: data }, spec: ${claim(storageClassName)} }]\n`;
    const ephemeral = deployment(
      'db',
      2,
      SMALL,
      `      volumes: [{ name: data, ephemeral: { volumeClaimTemplate: { spec: ${claim('gp2')} } } }]\n`,
    );
    const files =
      'apiVersion: storage.k8s.io/v1\nkind: StorageClass\nmetadata: { name: files }\nprovisioner: efs.csi.aws.com\nvolumeBindingMode: WaitForFirstConsumer\n';
    const pending = (...documents: string[]) => simulate('zone-outage', [POOL, ...documents]).reports[0].pending;

    test('a pod whose EBS volume is in the zone', () => {
      expect(pending(db('gp2'))).toEqual(['default/db-0', 'default/db-1']);
    });

    test('no pod whose volume is available in any zone or is ephemeral', () => {
      expect(pending(files, db('files'))).toEqual([]);
      expect(pending(ephemeral)).toEqual([]);
    });

    test('no pod without a volume', () => {
      expect(pending(WEB)).toEqual([]);
    });
  });

  test('ends unfinished if Karpenter launches one node after the other for a pod that fits none of them', () => {
    // A placement group with the strategy cluster has no partitions: its nodes lack the partition label, though
    // Karpenter launches them for the pod.
    const groups = [
      {
        path: 'groups.json',
        text: JSON.stringify({
          PlacementGroups: [{ GroupName: 'near', GroupId: 'pg-1', State: 'available', Strategy: 'cluster' }],
        }),
      },
    ];
    const grouped = NODE_CLASS.replace('spec:\n', 'spec:\n  placementGroupSelector: { name: near }\n');
    const partition = '      nodeSelector: { karpenter.k8s.aws/placement-group-partition: "1" }\n';
    const {
      reports: [report],
    } = simulateScenario(manifests(grouped, POOL, deployment('web', 2, SMALL, partition)), 'zone-outage', {
      cluster: groups,
    });
    expect(report).toMatchObject({ unfinished: true, pending: [expect.any(String), expect.any(String)] });
    expect(report.unplaced).toMatchObject([
      { workload: WEB_KEY, why: 'Karpenter launches nodes without end, because no launched node fits the pod' },
    ]);
    expect(report.after.nodes).toBeLessThan(150);
  });

  test('says how far it came if it is too much work', () => {
    const {
      reports: [report],
      notEvaluated,
    } = simulateScenario(manifests(NODE_CLASS, POOL, WEB), 'consolidation', {}, { maxWork: 0 });
    expect(report).toMatchObject({ stopped: true, unfinished: true });
    expect(notEvaluated).toEqual([
      'consolidation after the first 0 s: with 1 node the simulation is too much work, and stopped there; ' +
        'simulate fewer nodes or pods at a time',
    ]);
  });

  test.each(SCENARIO_NAMES)('%s returns the same result every time', (name) => {
    expect(simulate(name, [POOL, WEB])).toEqual(simulate(name, [POOL, WEB]));
  });
});

describe('ScenarioSession', () => {
  const session = new ScenarioSession(readSession(manifests(NODE_CLASS, POOL, WEB)));

  test('returns for each scenario the same as simulateScenario', () => {
    const single = SCENARIO_NAMES.map((name) => simulateScenario(manifests(NODE_CLASS, POOL, WEB), name));
    expect(SCENARIO_NAMES.map((name) => session.simulate(name))).toEqual(single);
  });

  test('prepares the cluster once for all scenarios with the same start', () => {
    const [drift, peak] = (['drift', 'peak'] as const).map((name) => session.simulate(name));
    expect(peak.workloads).toBe(drift.workloads);
  });

  test('prepares the cluster again for another start', () => {
    const later = session.simulate('peak', { start: Date.UTC(2026, 0, 1) });
    expect(later.start).toBe('2026-01-01T00:00:00.000Z');
    expect(later.workloads).not.toBe(session.simulate('peak').workloads);
  });
});
