import { deployment, judge, manifest, nodeClass, nodePool, oneOf, pdb, types } from './helper';
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

  test('counts nodes that are there already', () => {
    const labels = { 'kubernetes.io/arch': 'amd64', 'kubernetes.io/os': 'linux', [ZONE]: 'us-east-1a' };
    const cluster = [{ path: 'cluster.yaml', text: JSON.stringify(karpenterNode('ip-1', { labels })) }];
    expect(judge(rule, [...pool(), web()], { cluster }).findings[0].evidence).toMatchObject({ zone: 'us-east-1a', left: 0 });
  });

  test('is not evaluated where pods run already, whose zones are not looked at', () => {
    const items = [karpenterNode('ip-1', { labels: { [ZONE]: 'us-east-1a' } }), runningPod('web-1-a', { on: 'ip-1', owner: ['ReplicaSet', 'web-1'], labels: { 'app': 'web', 'pod-template-hash': '1' } })];
    const cluster = items.map((item, at) => ({ path: `cluster-${at}.yaml`, text: JSON.stringify(item) }));
    expect(judge(rule, [...pool('us-east-1b'), web()], { cluster }).whys).toEqual(['1 pod of it runs already, and where is not looked at']);
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
