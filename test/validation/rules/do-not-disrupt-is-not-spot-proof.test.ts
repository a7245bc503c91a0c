import { annotated, deployment, judge, nodeClass, nodePool, oneOf } from './helper';
import { DoNotDisruptIsNotSpotProof } from '../../../src/validation/rules/do-not-disrupt-is-not-spot-proof';

const rule = new DoNotDisruptIsNotSpotProof();
const CAPACITY_TYPE = 'karpenter.sh/capacity-type';
const held = (pod: object = {}) => annotated(deployment('db', pod), { 'karpenter.sh/do-not-disrupt': '1h' });

describe('KARP-410 do-not-disrupt-is-not-spot-proof', () => {
  test('fails where the node may be spot', () => {
    const { states, findings } = judge(rule, [nodeClass(), nodePool('default'), held()]);
    expect(states).toEqual(['fail Deployment/db']);
    expect(findings[0].evidence).toEqual({ nodes: 1, spotNodes: 1 });
  });

  test('passes on capacity that stays, by the pool or by the pod', () => {
    const onDemand = nodePool('default', { requirements: [oneOf(CAPACITY_TYPE, 'on-demand')] });
    expect(judge(rule, [nodeClass(), onDemand, held()]).states).toEqual(['pass Deployment/db']);
    expect(judge(rule, [nodeClass(), nodePool('default'), held({ nodeSelector: { [CAPACITY_TYPE]: 'on-demand' } })]).states).toEqual(['pass Deployment/db']);
  });

  test('is not evaluated where the plan has no node for the pods', () => {
    expect(judge(rule, [held()]).whys).toEqual(['the plan has no node for its pods']);
  });

  test('does not apply to pods without protection, and on nodes of others', () => {
    expect(judge(rule, [deployment('web'), held({ nodeSelector: { 'eks.amazonaws.com/nodegroup': 'a' } })]).outcomes).toEqual([]);
  });
});
