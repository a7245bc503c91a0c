import { doNotDisruptIsNotSpotProof } from '../../../../../src/validation/rules/disruption/eviction/do-not-disrupt-is-not-spot-proof';
import { annotated, deployment, judge, nodeClass, nodePool, oneOf } from '../../judge';

const rule = doNotDisruptIsNotSpotProof;
const CAPACITY_TYPE = 'karpenter.sh/capacity-type';
const protectedPods = (pod: object = {}) => annotated(deployment('db', pod), { 'karpenter.sh/do-not-disrupt': '1h' });

describe('KARP-410 do-not-disrupt-is-not-spot-proof', () => {
  test('reports pods whose node may be spot', () => {
    const { states, findings } = judge(rule, [nodeClass(), nodePool('default'), protectedPods()]);
    expect(states).toEqual(['fail Deployment/db']);
    expect(findings[0].evidence).toEqual({ nodes: 1, spotNodes: 1 });
  });

  test('passes on-demand nodes, required by the NodePool or the pod', () => {
    const onDemand = nodePool('default', { requirements: [oneOf(CAPACITY_TYPE, 'on-demand')] });
    expect(judge(rule, [nodeClass(), onDemand, protectedPods()]).states).toEqual(['pass Deployment/db']);
    expect(
      judge(rule, [nodeClass(), nodePool('default'), protectedPods({ nodeSelector: { [CAPACITY_TYPE]: 'on-demand' } })])
        .states,
    ).toEqual(['pass Deployment/db']);
  });

  test('is not evaluated if the plan has no node for the pods', () => {
    expect(judge(rule, [protectedPods()]).whys).toEqual(['the plan has no node for its pods']);
  });

  test('does not apply to pods without protection, and to pods on managed node groups', () => {
    expect(
      judge(rule, [deployment('web'), protectedPods({ nodeSelector: { 'eks.amazonaws.com/nodegroup': 'a' } })])
        .outcomes,
    ).toEqual([]);
  });
});
