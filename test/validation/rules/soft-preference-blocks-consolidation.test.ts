import { deployment, judge, nodeClass, nodePool, oneOf, types } from './helper';
import { SoftPreferenceBlocksConsolidation } from '../../../src/validation/rules/soft-preference-blocks-consolidation';

const rule = new SoftPreferenceBlocksConsolidation();
const POOL = [nodeClass(), nodePool('default', { requirements: [types('m5.large'), oneOf('karpenter.sh/capacity-type', 'on-demand')] })];
const labelSelector = { matchLabels: { app: 'web' } };
const apart = { affinity: { podAntiAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, podAffinityTerm: { topologyKey: 'kubernetes.io/hostname', labelSelector } }] } } };
const web = (pod: object) => deployment('web', pod, { replicas: 4 });

describe('KARP-416 soft-preference-blocks-consolidation', () => {
  test('fails where pods hold nodes that they only prefer, and says what these cost', () => {
    const { states, findings } = judge(rule, [...POOL, web(apart)]);
    expect(states).toEqual(['fail NodePool/default']);
    expect(findings[0].evidence).toEqual({ nodes: 4, nodesWithoutPreferences: 1, usdPerMonth: 210.24, workloads: ['Deployment default/web'] });
  });

  test('counts the nodes of pods that require to be apart, which take one pass after another to come there', () => {
    const required = {
      podAntiAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: [
          { topologyKey: 'topology.kubernetes.io/zone', labelSelector: { matchLabels: { app: 'queue' } } },
        ],
      },
    };
    const { findings } = judge(rule, [...POOL, web(apart), deployment('queue', { affinity: required }, { replicas: 3 })]);
    expect(findings[0].evidence).toMatchObject({ nodes: 4, nodesWithoutPreferences: 3 });
  });

  test('passes where the preference costs no node', () => {
    const soft = { topologySpreadConstraints: [{ maxSkew: 4, topologyKey: 'kubernetes.io/hostname', whenUnsatisfiable: 'ScheduleAnyway', labelSelector }] };
    expect(judge(rule, [...POOL, web(soft)]).states).toEqual(['pass NodePool/default']);
  });

  test('does not apply without preferences, where Karpenter ignores them, and to pods that run nowhere', () => {
    expect(judge(rule, [...POOL, web({})]).outcomes).toEqual([]);
    expect(judge(rule, [...POOL, web(apart)], { preferencePolicy: 'Ignore' }).outcomes).toEqual([]);
    expect(judge(rule, [web(apart)]).outcomes).toEqual([]);
  });
});
