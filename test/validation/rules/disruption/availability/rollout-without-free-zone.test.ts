import { rolloutWithoutFreeZone } from '../../../../../src/validation/rules/disruption/availability/rollout-without-free-zone';
import { deployment, judge, nodeClass, nodePool, oneOf } from '../../judge';

const rule = rolloutWithoutFreeZone;
const ZONE = 'topology.kubernetes.io/zone';
const POOL = nodePool('default', { requirements: [oneOf(ZONE, 'us-east-1a', 'us-east-1b', 'us-east-1c')] });
const term = { topologyKey: ZONE, labelSelector: { matchLabels: { app: 'web' } } };

function findingsOf(replicas: number, rollingUpdate?: object, more: object = {}, strategy: object = {}) {
  const affinity = { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ ...term, ...more }] } };
  const web = JSON.parse(deployment('web', { affinity }, { replicas })) as { spec: object };
  web.spec = { ...web.spec, strategy: { ...strategy, ...(rollingUpdate ? { rollingUpdate } : {}) } };
  return judge(rule, [nodeClass(), POOL, JSON.stringify(web)]).findings;
}

describe('KARP-449 rollout-without-free-zone', () => {
  test('reports a Deployment that fills all zones, and starts a new pod before an old one ends', () => {
    expect(findingsOf(3, { maxUnavailable: 0 })).toMatchObject([
      {
        path: ['spec', 'strategy', 'rollingUpdate', 'maxUnavailable'],
        remedy: 'write maxUnavailable: 1, so that an old pod ends first',
        evidence: { replicas: 3 },
      },
    ]);
    expect(findingsOf(3)[0].message).toContain('maxUnavailable is 25% by default, which is 0 pods here');
  });

  test('passes with a free zone, an old pod that may end, and terms for one revision or for hosts', () => {
    expect(findingsOf(2)).toEqual([]);
    expect(findingsOf(3, { maxUnavailable: 1 })).toEqual([]);
    expect(findingsOf(3, { maxUnavailable: '34%' })).toEqual([]);
    expect(findingsOf(3, undefined, {}, { type: 'Recreate' })).toEqual([]);
    expect(findingsOf(3, undefined, { matchLabelKeys: ['pod-template-hash'] })).toEqual([]);
    expect(findingsOf(3, undefined, { topologyKey: 'kubernetes.io/hostname' })).toEqual([]);
    expect(findingsOf(3, undefined, { labelSelector: { matchLabels: { app: 'api' } } })).toEqual([]);
  });
});
