import { antiAffinityNodePerPod } from '../../../../../src/validation/rules/disruption/availability/anti-affinity-node-per-pod';
import { deployment, judge, nodeClass, nodePool, oneOf, types } from '../../judge';

const rule = antiAffinityNodePerPod;
const POOL = [
  nodeClass(),
  nodePool('default', { requirements: [types('m5.large'), oneOf('karpenter.sh/capacity-type', 'on-demand')] }),
];
const labelSelector = { matchLabels: { app: 'web' } };
const antiAffinity = {
  affinity: {
    podAntiAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: 'kubernetes.io/hostname', labelSelector }],
    },
  },
};
const spread = (maxSkew: number) => ({
  topologySpreadConstraints: [
    { maxSkew, topologyKey: 'kubernetes.io/hostname', whenUnsatisfiable: 'DoNotSchedule', labelSelector },
  ],
});
const judged = (pod: object, requests: object = { cpu: '100m', memory: '128Mi' }, replicas = 8) =>
  judge(rule, [...POOL, deployment('web', pod, { replicas, requests })]);

describe('KARP-426 anti-affinity-node-per-pod', () => {
  test.each([
    ['anti-affinity', antiAffinity],
    ['a spread', spread(1)],
  ])('reports %s that gives each pod a hardly used node', (_, pod) => {
    const { states, findings } = judged(pod);
    expect(states).toEqual(['fail Deployment/web']);
    expect(findings[0].evidence).toEqual({ nodes: 8, usePercent: 5, usdPerMonth: 560.64 });
  });

  test('passes well-used nodes', () => {
    expect(judged(antiAffinity, { cpu: 1, memory: '1Gi' }).states).toEqual(['pass Deployment/web']);
  });

  test('does not apply to few pods, and to nodes with several pods', () => {
    expect(judged(antiAffinity, undefined, 5).outcomes).toEqual([]);
    expect(judged(spread(4)).outcomes).toEqual([]);
    expect(judged(spread(2), undefined, 16).outcomes).toEqual([]);
    expect(judged({}).outcomes).toEqual([]);
  });
});
