import { deployment, judge, manifest, nodeClass, nodePool, oneOf, types } from './helper';
import { ZoneLossSurvival } from '../../../src/validation/rules/zone-loss-survival';

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

  test('is not evaluated where the plan launches no node, or the number of pods is not known', () => {
    expect(judge(rule, [web()]).whys).toEqual(['the plan launches no node for its pods']);
    const keda = manifest('keda.sh/v1alpha1', 'ScaledObject', 'web', { scaleTargetRef: { name: 'web' } });
    expect(judge(rule, [...pool('us-east-1b'), web(), keda]).states).toEqual(['not-evaluated Deployment/web']);
  });

  test('does not apply to a single pod', () => {
    expect(judge(rule, [...pool('us-east-1b'), web({}, 1)]).outcomes).toEqual([]);
  });
});
