import { deployment, judge, manifest, nodeClass, nodePool, oneOf, pdb, PoolFields, types, workload } from './helper';
import { playScenario } from '../../../src/validation';
import { ZoneLossSurvival } from '../../../src/validation/rules/zone-loss-survival';
import { karpenterNode, pod as runningPod } from '../cluster/dump';

const rule = new ZoneLossSurvival();
const ZONE = 'topology.kubernetes.io/zone';
const pool = (...zones: string[]) => [nodeClass(), nodePool('default', { requirements: [types('m5.large'), ...zones.length > 0 ? [oneOf(ZONE, ...zones)] : []] })];
const web = (pod: object = {}, replicas = 2) => deployment('web', pod, { replicas });

describe('KARP-425 zone-loss-survival', () => {
  test('fails where the pool, or the pods, keep to one zone', () => {
    const { states, findings } = judge(rule, [...pool('us-east-1b'), web()]);
    expect(states).toEqual(['fail Deployment/web']);
    expect(findings[0]).toMatchObject({ evidence: { zone: 'us-east-1b', nodePools: ['default'] }, message: expect.stringContaining('so are all 2 pods') });
    expect(judge(rule, [...pool(), web({ nodeSelector: { [ZONE]: 'us-east-1a' } })]).states).toEqual(['fail Deployment/web']);
  });

  test('passes where nodes may be in several', () => {
    expect(judge(rule, [...pool(), web()]).states).toEqual(['pass Deployment/web']);
  });

  const spread = { topologySpreadConstraints: [{ maxSkew: 1, topologyKey: ZONE, whenUnsatisfiable: 'DoNotSchedule', labelSelector: { matchLabels: { app: 'web' } } }] };

  test('fails where fewer are left without a zone than the budget says are needed', () => {
    const { findings } = judge(rule, [...pool(), web(spread, 6), pdb({ minAvailable: 5 })]);
    expect(findings[0].message).toContain('2 of 6 pods are in us-east-1');
    expect(findings[0].evidence).toMatchObject({ left: 4, needed: 5, pods: 6 });
  });

  test('passes where enough are left, where the budget is about evictions alone, and where it wants all', () => {
    for (const fields of [{ minAvailable: 4 }, { maxUnavailable: 1 }, { minAvailable: 6 }]) {
      expect(judge(rule, [...pool(), web(spread, 6), pdb(fields)]).states).toEqual(['pass Deployment/web']);
    }
  });

  test('passes where the budget is met by pods of other workloads as well', () => {
    const other = deployment('api', {}, { replicas: 9 }).replace(/"app": "api"/g, '"app": "web"');
    expect(judge(rule, [...pool(), web(spread, 6), other, pdb({ minAvailable: 5 })]).states).toEqual(['pass Deployment/web', 'pass Deployment/api']);
  });

  describe('of what becomes of the pods', () => {
    const bounded = (name: string, zone: string, fields: PoolFields = {}) =>
      nodePool(name, { requirements: [types('m5.large'), oneOf(ZONE, zone), oneOf('karpenter.sh/capacity-type', 'on-demand')], ...fields });
    const softly = { topologySpreadConstraints: [{ ...spread.topologySpreadConstraints[0], whenUnsatisfiable: 'ScheduleAnyway' }] };
    const big = { requests: { cpu: '1500m', memory: '1Gi' } };
    const twoPools = (cpu: string) => [nodeClass(), bounded('main', 'us-east-1a', { weight: 10, limits: { cpu } }), bounded('spare', 'us-east-1b', { limits: { cpu } })];
    const played = (documents: readonly string[], zone: string) => playScenario([{ path: 'test.yaml', text: documents.join('\n---\n') }], 'zone-outage')
      .reports.find(({ subject }) => subject === zone)!;

    test('fails where no other zone takes them, as the scenario tells, and says why', () => {
      const documents = [...twoPools('2'), deployment('web', softly, { ...big, replicas: 2 })];
      const { states, findings } = judge(rule, documents);
      const [{ pods, why }] = played(documents, 'us-east-1a').unplaced;
      expect(pods).toHaveLength(1);
      expect(why).toContain('exceed');
      expect(states).toEqual(['fail Deployment/web']);
      expect(findings[0].message).toBe(`when us-east-1a is lost, 1 of 2 pods has no node in the end (simulated): ${why}`);
      expect(findings[0].evidence).toEqual({ zone: 'us-east-1a', left: 1, pods: 2, withoutNode: 1 });
    });

    test('passes where the limits have room for them', () => {
      const documents = [...twoPools('4'), deployment('web', softly, { ...big, replicas: 2 })];
      expect(judge(rule, documents).states).toEqual(['pass Deployment/web']);
      expect(played(documents, 'us-east-1a').pending).toEqual([]);
    });

    const db = (replicas: number, pod: object = {}, requests?: object) => {
      const set = JSON.parse(workload('StatefulSet', 'db', pod, { replicas, requests }));
      const claim = { metadata: { name: 'data' }, spec: { accessModes: ['ReadWriteOnce'], storageClassName: 'gp2', resources: { requests: { storage: '1Gi' } } } };
      return JSON.stringify({ ...set, spec: { ...set.spec, volumeClaimTemplates: [claim] } });
    };

    test('fails where the volumes of all are in the zone of their node, whichever that is', () => {
      const documents = [...pool(), db(2)];
      const { findings } = judge(rule, documents);
      expect(findings[0].evidence).toMatchObject({ left: 0, pods: 2, withoutNode: 2 });
      expect(findings[0].message).toContain('2 of 2 pods have no node in the end (simulated): incompatible volume requirements');
      expect(played(documents, String(findings[0].evidence.zone)).pending).toEqual(['default/db-0', 'default/db-1']);
    });

    test('passes where some are elsewhere, or may be, and where pods keep apart by themselves', () => {
      expect(judge(rule, [...pool(), db(3, { topologySpreadConstraints: [{ ...spread.topologySpreadConstraints[0], labelSelector: { matchLabels: { app: 'db' } } }] })]).states)
        .toEqual(['pass StatefulSet/db']);
      expect(judge(rule, [...pool(), db(2, {}, big.requests)]).states).toEqual(['pass StatefulSet/db']);
      expect(judge(rule, [...pool(), web(spread, 3)]).states).toEqual(['pass Deployment/web']);
    });

    test('is told besides where all are in one zone', () => {
      const inOne = [...pool('us-east-1b'), web()];
      expect(judge(rule, inOne).findings[0].message).toContain(`so are all 2 pods; 2 have no node in the end (simulated): ${played(inOne, 'us-east-1b').unplaced[0].why}`);
      const others = [nodeClass(), bounded('main', 'us-east-1b', { weight: 10 }), bounded('spare', 'us-east-1a'), web()];
      expect(judge(rule, others).findings[0]).toMatchObject({
        message: expect.stringContaining('so are all 2 pods; all of them have a node elsewhere in the end (simulated)'),
        evidence: { withoutNode: 0 },
      });
    });

    test('is not told where there are more pods than are played, or one cannot be evaluated', () => {
      const claims = deployment('claims', { volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }] });
      const unknown = nodePool('other', { requirements: [oneOf(ZONE, 'us-east-1a')], disruption: { consolidateAfter: '${After}' } });
      for (const other of [deployment('crowd', {}, { replicas: 1000 }), unknown, claims]) {
        const { message, evidence } = judge(rule, [...pool('us-east-1b'), web(), other]).findings[0];
        expect(message).not.toContain('simulated');
        expect(evidence).toMatchObject({ left: 0, withoutNode: null });
      }
    });
  });

  test('counts nodes that are there already', () => {
    const labels = { 'kubernetes.io/arch': 'amd64', 'kubernetes.io/os': 'linux', [ZONE]: 'us-east-1a' };
    const cluster = [{ path: 'cluster.yaml', text: JSON.stringify(karpenterNode('ip-1', { labels })) }];
    expect(judge(rule, [...pool(), web()], { cluster }).findings[0].evidence).toMatchObject({ zone: 'us-east-1a', left: 0 });
  });

  describe('of pods that run already', () => {
    const runs = (name: string, zone: string) => [
      karpenterNode(`ip-${name}`, { labels: { [ZONE]: zone } }),
      runningPod(`web-1-${name}`, { on: `ip-${name}`, owner: ['ReplicaSet', 'web-1'], labels: { 'app': 'web', 'pod-template-hash': '1' } }),
    ];
    const dumped = (...items: object[]) => ({ cluster: items.map((item, at) => ({ path: `cluster-${at}.yaml`, text: JSON.stringify(item) })) });

    test('fails where these are in one zone with the others, or by themselves', () => {
      const [finding] = judge(rule, [...pool('us-east-1b'), web()], dumped(...runs('a', 'us-east-1b'))).findings;
      expect(finding.evidence).toMatchObject({ zone: 'us-east-1b', left: 0, pods: 2 });
      expect(judge(rule, [...pool(), web()], dumped(...runs('a', 'us-east-1b'), ...runs('b', 'us-east-1b'))).findings[0].evidence)
        .toMatchObject({ zone: 'us-east-1b', left: 0, pods: 2 });
    });

    test('passes where they are in several', () => {
      expect(judge(rule, [...pool(), web()], dumped(...runs('a', 'us-east-1a'), ...runs('b', 'us-east-1b'))).states).toEqual(['pass Deployment/web']);
    });

    test('is judged in a cluster that is too big to be simulated', () => {
      const crowd = deployment('crowd', {}, { replicas: 1000 });
      expect(judge(rule, [...pool('us-east-1b'), web(), crowd], dumped(...runs('a', 'us-east-1b'))).findings[0].evidence)
        .toMatchObject({ zone: 'us-east-1b', left: 0, pods: 2 });
    });

    test('is not evaluated where their node is not in the input', () => {
      const [, alone] = runs('a', 'us-east-1a');
      expect(judge(rule, [...pool('us-east-1b'), web()], dumped(alone)).whys).toEqual(['the input does not hold the node that 1 pod of it runs on']);
    });
  });

  test('is not evaluated where the plan has no node, or the number of pods is not known', () => {
    expect(judge(rule, [web()]).whys).toEqual(['the plan has no node for its pods']);
    const keda = manifest('keda.sh/v1alpha1', 'ScaledObject', 'web', { scaleTargetRef: { name: 'web' } });
    expect(judge(rule, [...pool('us-east-1b'), web(), keda]).states).toEqual(['not-evaluated Deployment/web']);
  });

  test('does not apply to a single pod', () => {
    expect(judge(rule, [...pool('us-east-1b'), web({}, 1)]).outcomes).toEqual([]);
  });
});
