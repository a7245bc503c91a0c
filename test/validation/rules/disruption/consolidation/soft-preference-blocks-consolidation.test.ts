import { softPreferenceBlocksConsolidation } from '../../../../../src/validation/rules/disruption/consolidation/soft-preference-blocks-consolidation';
import { deployment, judge, nodeClass, nodePool, oneOf, types } from '../../judge';

const rule = softPreferenceBlocksConsolidation;
const POOL = [
  nodeClass(),
  nodePool('default', { requirements: [types('m5.large'), oneOf('karpenter.sh/capacity-type', 'on-demand')] }),
];
const labelSelector = { matchLabels: { app: 'web' } };
const apart = {
  affinity: {
    podAntiAffinity: {
      preferredDuringSchedulingIgnoredDuringExecution: [
        { weight: 1, podAffinityTerm: { topologyKey: 'kubernetes.io/hostname', labelSelector } },
      ],
    },
  },
};
const web = (pod: object) => deployment('web', pod, { replicas: 4 });

describe('KARP-416 soft-preference-blocks-consolidation', () => {
  test('reports nodes that only preferences keep, and their cost', () => {
    const { states, findings } = judge(rule, [...POOL, web(apart)]);
    expect(states).toEqual(['fail NodePool/default']);
    expect(findings[0].evidence).toEqual({
      nodes: 4,
      nodesWithoutPreferences: 1,
      usdPerMonth: 210.24,
      workloads: ['Deployment default/web'],
    });
  });

  test('counts nodes of pods with required anti-affinity, which need several provisioning passes', () => {
    const required = {
      podAntiAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: [
          { topologyKey: 'topology.kubernetes.io/zone', labelSelector: { matchLabels: { app: 'queue' } } },
        ],
      },
    };
    const { findings } = judge(rule, [
      ...POOL,
      web(apart),
      deployment('queue', { affinity: required }, { replicas: 3 }),
    ]);
    expect(findings[0].evidence).toMatchObject({ nodes: 6, nodesWithoutPreferences: 3 });
  });

  test('passes a NodePool with pods that are in several zones only because they prefer it', () => {
    const overZones = (whenUnsatisfiable: string) => ({
      topologySpreadConstraints: [
        { maxSkew: 1, topologyKey: 'topology.kubernetes.io/zone', whenUnsatisfiable, labelSelector },
      ],
    });
    const statesOf = (whenUnsatisfiable: string) =>
      judge(rule, [...POOL, web({ ...apart, ...overZones(whenUnsatisfiable) })]).states;
    expect(statesOf('ScheduleAnyway')).toEqual(['pass NodePool/default']);
    expect(statesOf('DoNotSchedule')).toEqual(['fail NodePool/default']);
  });

  test('passes a NodePool whose nodes cost less than $50 a month, or 5% of all, more', () => {
    const small = nodePool('default', {
      requirements: [types('t3.medium'), oneOf('karpenter.sh/capacity-type', 'on-demand')],
    });
    expect(judge(rule, [nodeClass(), small, deployment('web', apart, { replicas: 2 })]).states).toEqual([
      'pass NodePool/default',
    ]);
    const full = { containers: [{ name: 'a', resources: { requests: { cpu: '1700m' } } }] };
    const statesWith = (replicas: number) =>
      judge(rule, [
        ...POOL,
        deployment('web', apart, { replicas: replicas + 1 }),
        deployment('full', full, { replicas }),
      ]).states;
    expect(statesWith(24)).toEqual(['pass NodePool/default']);
    expect(statesWith(5)).toEqual(['fail NodePool/default']);
  });

  test('passes preferences that keep no additional node', () => {
    const soft = {
      topologySpreadConstraints: [
        { maxSkew: 4, topologyKey: 'kubernetes.io/hostname', whenUnsatisfiable: 'ScheduleAnyway', labelSelector },
      ],
    };
    expect(judge(rule, [...POOL, web(soft)]).states).toEqual(['pass NodePool/default']);
  });

  test('advises no setting that a release before 1.0 lacks', () => {
    const [finding] = judge(rule, [...POOL, web(apart)], { servingVersion: '0.37.0' }).findings;
    expect(finding.remedy).toBe('make the necessary preferences requirements, and drop the others');
  });

  test('does not apply without preferences, with preferencePolicy Ignore, and without NodePools', () => {
    expect(judge(rule, [...POOL, web({})]).outcomes).toEqual([]);
    expect(judge(rule, [...POOL, web(apart)], { preferencePolicy: 'Ignore' }).outcomes).toEqual([]);
    expect(judge(rule, [web(apart)]).outcomes).toEqual([]);
  });
});
