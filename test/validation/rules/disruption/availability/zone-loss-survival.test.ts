import { simulateScenario } from '../../../../../src/validation';
import { zoneLossSurvival } from '../../../../../src/validation/rules/disruption/availability/zone-loss-survival';
import { karpenterNode, pod as runningPod } from '../../../cluster/dump';
import { deployment, judge, manifest, nodeClass, nodePool, oneOf, pdb, PoolFields, types, workload } from '../../judge';

const rule = zoneLossSurvival;
const ZONE = 'topology.kubernetes.io/zone';
const pool = (...zones: string[]) => [
  nodeClass(),
  nodePool('default', { requirements: [types('m5.large'), ...(zones.length > 0 ? [oneOf(ZONE, ...zones)] : [])] }),
];
const web = (pod: object = {}, replicas = 2) => deployment('web', pod, { replicas });

describe('KARP-425 zone-loss-survival', () => {
  test('reports pods or a NodePool in one zone only', () => {
    const { states, findings } = judge(rule, [...pool('us-east-1b'), web()]);
    expect(states).toEqual(['fail Deployment/web']);
    expect(findings[0]).toMatchObject({
      evidence: { zone: 'us-east-1b', nodePools: ['default'] },
      message: expect.stringMatching(
        /^(its only node|all its nodes), of NodePool default, (is|are) in us-east-1b: an outage of that zone loses all 2 pods/,
      ),
    });
    expect(judge(rule, [...pool(), web({ nodeSelector: { [ZONE]: 'us-east-1a' } })]).states).toEqual([
      'fail Deployment/web',
    ]);
  });

  describe('if other pods have no node', () => {
    const pending = deployment('big', { nodeSelector: { [ZONE]: 'nowhere' } });
    const affinity = {
      podAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: [
          { topologyKey: ZONE, labelSelector: { matchLabels: { app: 'web' } } },
        ],
      },
    };

    test('does not judge pods whose zone the packing chose', () => {
      const documents = [...pool('us-east-1a', 'us-east-1b'), web({ affinity })];
      const { states, findings } = judge(rule, documents);
      expect(states).toEqual(['fail Deployment/web']);
      expect(findings[0].message).toMatch(
        / in one zone, such as us-east-1[ab]: an outage of that zone loses all 2 pods/,
      );
      expect(judge(rule, [...documents, pending]).states).toEqual(['not-evaluated Deployment/web']);
    });

    test('reports pods that can be in one zone only', () => {
      const documents = [...pool(), web({ nodeSelector: { [ZONE]: 'us-east-1a' } }), pending];
      expect(judge(rule, documents).states).toEqual(['fail Deployment/web']);
    });
  });

  test('passes nodes that may be in several zones', () => {
    expect(judge(rule, [...pool(), web()]).states).toEqual(['pass Deployment/web']);
  });

  const spread = {
    topologySpreadConstraints: [
      {
        maxSkew: 1,
        topologyKey: ZONE,
        whenUnsatisfiable: 'DoNotSchedule',
        labelSelector: { matchLabels: { app: 'web' } },
      },
    ],
  };

  test('reports an outage that leaves fewer pods than minAvailable', () => {
    const { findings } = judge(rule, [...pool(), web(spread, 6), pdb({ minAvailable: 5 })]);
    expect(findings[0].message).toContain('2 of 6 pods are in us-east-1');
    expect(findings[0].evidence).toMatchObject({ left: 4, needed: 5, pods: 6 });
  });

  test('passes if enough pods are left, for maxUnavailable, and for minAvailable of all pods', () => {
    for (const fields of [{ minAvailable: 4 }, { maxUnavailable: 1 }, { minAvailable: 6 }]) {
      expect(judge(rule, [...pool(), web(spread, 6), pdb(fields)]).states).toEqual(['pass Deployment/web']);
    }
  });

  test('passes a budget that also selects pods of other workloads', () => {
    const other = deployment('api', {}, { replicas: 9 }).replace(/"app": "api"/g, '"app": "web"');
    expect(judge(rule, [...pool(), web(spread, 6), other, pdb({ minAvailable: 5 })]).states).toEqual([
      'pass Deployment/web',
      'pass Deployment/api',
    ]);
  });

  describe('with a simulation of the outage', () => {
    const bounded = (name: string, zone: string, fields: PoolFields = {}) =>
      nodePool(name, {
        requirements: [types('m5.large'), oneOf(ZONE, zone), oneOf('karpenter.sh/capacity-type', 'on-demand')],
        ...fields,
      });
    const preferredSpread = {
      topologySpreadConstraints: [{ ...spread.topologySpreadConstraints[0], whenUnsatisfiable: 'ScheduleAnyway' }],
    };
    const big = { requests: { cpu: '1500m', memory: '1Gi' } };
    const twoPools = (cpu: string) => [
      nodeClass(),
      bounded('main', 'us-east-1a', { weight: 10, limits: { cpu } }),
      bounded('spare', 'us-east-1b', { limits: { cpu } }),
    ];
    const simulatedOutage = (documents: readonly string[], zone: string) =>
      simulateScenario([{ path: 'test.yaml', text: documents.join('\n---\n') }], 'zone-outage').reports.find(
        ({ subject }) => subject === zone,
      )!;

    test('reports pods that stay Pending in the simulation, and says why', () => {
      const documents = [...twoPools('2'), deployment('web', preferredSpread, { ...big, replicas: 2 })];
      const { states, findings } = judge(rule, documents);
      const [{ pods, why }] = simulatedOutage(documents, 'us-east-1a').unplaced;
      expect(pods).toHaveLength(1);
      expect(why).toContain('exceed');
      expect(states).toEqual(['fail Deployment/web']);
      expect(findings[0].message).toBe(`after an outage of us-east-1a, 1 of 2 pods stays Pending (simulated): ${why}`);
      expect(findings[0].evidence).toEqual({ zone: 'us-east-1a', left: 1, pods: 2, withoutNode: 1 });
    });

    test('passes if the limits leave room for the pods', () => {
      const documents = [...twoPools('4'), deployment('web', preferredSpread, { ...big, replicas: 2 })];
      expect(judge(rule, documents).states).toEqual(['pass Deployment/web']);
      expect(simulatedOutage(documents, 'us-east-1a').pending).toEqual([]);
    });

    const db = (replicas: number, pod: object = {}, requests?: object) => {
      const set = JSON.parse(workload('StatefulSet', 'db', pod, { replicas, requests }));
      const claim = {
        metadata: { name: 'data' },
        spec: { accessModes: ['ReadWriteOnce'], storageClassName: 'gp2', resources: { requests: { storage: '1Gi' } } },
      };
      return JSON.stringify({ ...set, spec: { ...set.spec, volumeClaimTemplates: [claim] } });
    };

    test('reports volumes that tie all pods to the zone of their node', () => {
      const documents = [...pool(), db(2)];
      const { findings } = judge(rule, documents);
      expect(findings[0].evidence).toMatchObject({ left: 0, pods: 2, withoutNode: 2 });
      expect(findings[0].message).toContain('2 of 2 pods stay Pending (simulated): incompatible volume requirements');
      expect(simulatedOutage(documents, String(findings[0].evidence.zone)).pending).toEqual([
        'default/db-0',
        'default/db-1',
      ]);
    });

    test('passes pods that are or may be in several zones', () => {
      expect(
        judge(rule, [
          ...pool(),
          db(3, {
            topologySpreadConstraints: [
              { ...spread.topologySpreadConstraints[0], labelSelector: { matchLabels: { app: 'db' } } },
            ],
          }),
        ]).states,
      ).toEqual(['pass StatefulSet/db']);
      expect(judge(rule, [...pool(), db(2, {}, big.requests)]).states).toEqual(['pass StatefulSet/db']);
      expect(judge(rule, [...pool(), web(spread, 3)]).states).toEqual(['pass Deployment/web']);
    });

    test('adds the simulated result if all pods are in one zone', () => {
      const inOne = [...pool('us-east-1b'), web()];
      expect(judge(rule, inOne).findings[0].message).toContain(
        `loses all 2 pods; simulated: 2 pods stay Pending: ${simulatedOutage(inOne, 'us-east-1b').unplaced[0].why}`,
      );
      const twoZones = [
        nodeClass(),
        bounded('main', 'us-east-1b', { weight: 10 }),
        bounded('spare', 'us-east-1a'),
        web(),
      ];
      expect(judge(rule, twoZones).findings[0]).toMatchObject({
        message: expect.stringContaining('loses all 2 pods; simulated: all get a node in another zone'),
        evidence: { withoutNode: 0 },
      });
    });

    test('does not mention a simulation of too many pods, or of pods that cannot be evaluated', () => {
      const claims = deployment('claims', {
        volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }],
      });
      const unknown = nodePool('other', {
        requirements: [oneOf(ZONE, 'us-east-1a')],
        disruption: { consolidateAfter: '${After}' },
      });
      for (const extra of [deployment('crowd', {}, { replicas: 1000 }), unknown, claims]) {
        const { message, evidence } = judge(rule, [...pool('us-east-1b'), web(), extra]).findings[0];
        expect(message).not.toContain('simulated');
        expect(evidence).toMatchObject({ left: 0, withoutNode: null });
      }
    });
  });

  test('counts existing nodes', () => {
    const labels = { 'kubernetes.io/arch': 'amd64', 'kubernetes.io/os': 'linux', [ZONE]: 'us-east-1a' };
    const cluster = [{ path: 'cluster.yaml', text: JSON.stringify(karpenterNode('ip-1', { labels })) }];
    expect(judge(rule, [...pool(), web()], { cluster }).findings[0].evidence).toMatchObject({
      zone: 'us-east-1a',
      left: 0,
    });
  });

  describe('with running pods', () => {
    const nodeWithPod = (name: string, zone: string) => [
      karpenterNode(`ip-${name}`, { labels: { [ZONE]: zone } }),
      runningPod(`web-1-${name}`, {
        on: `ip-${name}`,
        owner: ['ReplicaSet', 'web-1'],
        labels: { app: 'web', 'pod-template-hash': '1' },
      }),
    ];
    const clusterOf = (...items: object[]) => ({
      cluster: items.map((item, index) => ({ path: `cluster-${index}.yaml`, text: JSON.stringify(item) })),
    });

    test('reports running pods that are all in one zone', () => {
      const [finding] = judge(
        rule,
        [...pool('us-east-1b'), web()],
        clusterOf(...nodeWithPod('a', 'us-east-1b')),
      ).findings;
      expect(finding.evidence).toMatchObject({ zone: 'us-east-1b', left: 0, pods: 2 });
      expect(
        judge(rule, [...pool(), web()], clusterOf(...nodeWithPod('a', 'us-east-1b'), ...nodeWithPod('b', 'us-east-1b')))
          .findings[0].evidence,
      ).toMatchObject({ zone: 'us-east-1b', left: 0, pods: 2 });
    });

    test('passes running pods in several zones', () => {
      expect(
        judge(rule, [...pool(), web()], clusterOf(...nodeWithPod('a', 'us-east-1a'), ...nodeWithPod('b', 'us-east-1b')))
          .states,
      ).toEqual(['pass Deployment/web']);
    });

    test('reports the loss in a cluster that is too large to simulate', () => {
      const crowd = deployment('crowd', {}, { replicas: 1000 });
      expect(
        judge(rule, [...pool('us-east-1b'), web(), crowd], clusterOf(...nodeWithPod('a', 'us-east-1b'))).findings[0]
          .evidence,
      ).toMatchObject({ zone: 'us-east-1b', left: 0, pods: 2 });
    });

    test('is not evaluated if the node of a running pod is not in the input', () => {
      const [, alone] = nodeWithPod('a', 'us-east-1a');
      expect(judge(rule, [...pool('us-east-1b'), web()], clusterOf(alone)).whys).toEqual([
        'the input does not contain the node of 1 running pod',
      ]);
    });
  });

  test('is not evaluated if the plan has no node, or the number of pods is unknown', () => {
    expect(judge(rule, [web()]).whys).toEqual(['the plan has no node for its pods']);
    const keda = manifest('keda.sh/v1alpha1', 'ScaledObject', 'web', { scaleTargetRef: { name: 'web' } });
    expect(judge(rule, [...pool('us-east-1b'), web(), keda]).states).toEqual(['not-evaluated Deployment/web']);
  });

  test('does not apply to a single pod', () => {
    expect(judge(rule, [...pool('us-east-1b'), web({}, 1)]).outcomes).toEqual([]);
  });
});
