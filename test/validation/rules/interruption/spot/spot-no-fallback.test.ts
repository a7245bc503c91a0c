import { spotNoFallback } from '../../../../../src/validation/rules/interruption/spot/spot-no-fallback';
import { deployment, judge, nodeClass, nodePool, oneOf } from '../../judge';

const rule = spotNoFallback;
const CAPACITY_TYPE = 'karpenter.sh/capacity-type';
const DEDICATED = { key: 'dedicated', value: 'od', effect: 'NoSchedule' };
const spot = nodePool('spot', { requirements: [oneOf(CAPACITY_TYPE, 'spot')] });
const fallback = (fields: object = {}) =>
  nodePool('fallback', { requirements: [oneOf(CAPACITY_TYPE, 'on-demand')], ...fields });

describe('KARP-516 spot-no-fallback', () => {
  test.each<[string, string[]]>([
    ['there is no other NodePool', []],
    ['the other NodePool has a taint that the pods do not tolerate', [fallback({ taints: [DEDICATED] })]],
    [
      'the other NodePool launches spot too',
      [nodePool('arm', { requirements: [oneOf(CAPACITY_TYPE, 'spot'), oneOf('kubernetes.io/arch', 'arm64')] })],
    ],
  ])('fails if %s', (_, others) => {
    const { findings } = judge(rule, [nodeClass(), ...others, spot, deployment('web')]);
    expect(findings.map(({ object }) => object.name)).toContain('spot');
    expect(findings.find(({ object }) => object.name === 'spot')?.message).toContain(
      'no NodePool runs Deployment web on demand',
    );
  });

  test('passes with an on-demand fallback', () => {
    expect(
      judge(rule, [
        nodeClass(),
        spot,
        fallback(),
        deployment('web', { nodeSelector: { [CAPACITY_TYPE]: 'spot' } }),
        deployment('api'),
      ]).findings,
    ).toEqual([]);
    const tolerant = deployment('web', { tolerations: [{ key: 'dedicated', operator: 'Exists' }] });
    expect(judge(rule, [nodeClass(), spot, fallback({ taints: [DEDICATED] }), tolerant]).states).toEqual([
      'pass NodePool/spot',
    ]);
  });

  test('does not apply to pods that require spot, to NodePools with both capacity types, or to NodePools without pods', () => {
    expect(
      judge(rule, [nodeClass(), spot, deployment('web', { nodeSelector: { [CAPACITY_TYPE]: 'spot' } })]).outcomes,
    ).toEqual([]);
    expect(judge(rule, [nodeClass(), nodePool('both'), deployment('web')]).outcomes).toEqual([]);
    expect(judge(rule, [nodeClass(), spot]).outcomes).toEqual([]);
  });

  test('is not evaluated if the capacity of another NodePool is not known', () => {
    const { states, whys } = judge(rule, [
      nodeClass(),
      spot,
      fallback({ nodeClassRef: { group: 'eks.amazonaws.com', kind: 'NodeClass', name: 'auto' } }),
      deployment('web'),
    ]);
    expect(states).toEqual(['not-evaluated NodePool/spot']);
    expect(whys[0]).toContain('NodePool fallback may run its pods on demand');
  });
});
