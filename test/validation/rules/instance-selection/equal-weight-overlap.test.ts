import { equalWeightOverlap } from '../../../../src/validation/rules/instance-selection/equal-weight-overlap';
import { deployment, NODE_CLASS, nodePool, SMALL } from '../../setup';
import { judge } from '../judge';

const rule = equalWeightOverlap;
const onDemand = (name: string, fields = '') => nodePool(['m5.large', 'm5.xlarge'], name, fields);
const spot = (name: string, fields = '') => onDemand(name, fields).replace('values: [on-demand]', 'values: [spot]');
const WEB = deployment('web', 3, SMALL);
const rulesOf = (...documents: string[]) => judge(rule, [NODE_CLASS, ...documents]).findings;

const webWith = (fields: string) => deployment('web', 3, SMALL, fields);
const labelled = (pool: string, tier: string) =>
  pool.replace('  template:\n', `  template:\n    metadata: { labels: { tier: ${tier} } }\n`);
const spread = (key: string) =>
  `      topologySpreadConstraints: [{ maxSkew: 1, topologyKey: ${key}, whenUnsatisfiable: ScheduleAnyway, labelSelector: { matchLabels: { app: web } } }]\n`;
const preferredAntiAffinity = (key: string) =>
  `      affinity: { podAntiAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, podAffinityTerm: { topologyKey: ${key}, labelSelector: { matchLabels: { app: web } } } }] } }\n`;
const preferredNodes = (key: string, value: string) =>
  `      affinity: { nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, preference: { matchExpressions: [{ key: ${key}, operator: In, values: [${value}] }] } }] } }\n`;

describe('KARP-262 equal-weight-overlap', () => {
  test('reports pods that get spot only because of the name of the NodePool', () => {
    const findings = rulesOf(onDemand('general'), spot('spot'), WEB);
    expect(findings).toMatchObject([{ object: { name: 'spot' }, path: ['spec', 'weight'], evidence: { pods: 3 } }]);
    expect(findings[0].message).toContain('get spot nodes only because this name comes later');
  });

  test('reports pods that get on-demand only because of the name', () => {
    expect(rulesOf(onDemand('standard'), spot('general'), WEB)).toMatchObject([{ object: { name: 'standard' } }]);
  });

  test('passes different weights, taints, pods that choose, and the same capacity types', () => {
    expect(rulesOf(onDemand('general'), spot('spot', '  weight: 10\n'), WEB)).toEqual([]);
    const tainted = `${onDemand('general')}      taints: [{ key: team, effect: NoSchedule }]\n`;
    expect(rulesOf(tainted, spot('spot'), WEB)).toEqual([]);
    const choosing = deployment('web', 3, SMALL, '      nodeSelector: { karpenter.sh/capacity-type: spot }\n');
    expect(rulesOf(onDemand('general'), spot('spot'), choosing)).toEqual([]);
    expect(rulesOf(onDemand('general'), onDemand('other'), WEB)).toEqual([]);
  });

  test.each([
    ['a spread over capacity types', spread('karpenter.sh/capacity-type')],
    ['a spread over a label of the NodePools', spread('tier')],
    ['a preferred anti-affinity between capacity types', preferredAntiAffinity('karpenter.sh/capacity-type')],
    ['a preferred capacity type', preferredNodes('karpenter.sh/capacity-type', 'spot')],
  ])('passes pods that choose by %s', (_, fields) => {
    expect(rulesOf(labelled(onDemand('general'), 'a'), labelled(spot('spot'), 'b'), webWith(fields))).toEqual([]);
  });

  test.each([
    ['zones', spread('topology.kubernetes.io/zone')],
    ['a label that both NodePools give the same value', spread('tier')],
  ])('reports pods with a spread over %s, which chooses no NodePool', (_, fields) => {
    const findings = rulesOf(labelled(onDemand('general'), 'a'), labelled(spot('spot'), 'a'), webWith(fields));
    expect(findings).toMatchObject([{ object: { name: 'spot' } }]);
  });
});
