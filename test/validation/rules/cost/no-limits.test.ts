import { noLimits } from '../../../../src/validation/rules/cost/no-limits';
import { deployment, judge, nodeClass, nodePool } from '../judge';

const rule = noLimits;
const limited = nodePool('limited', { limits: { cpu: 100 } });

describe('KARP-1001 no-limits', () => {
  test('reports all NodePools without limits in one finding', () => {
    const { states, findings } = judge(rule, [
      nodeClass(),
      nodePool('spot'),
      limited,
      nodePool('batch', { limits: {} }),
      deployment('web'),
    ]);
    expect(states).toEqual(['pass NodePool/limited', 'fail NodePool/spot']);
    expect(findings[0]).toMatchObject({
      path: ['spec', 'limits'],
      evidence: { nodePools: ['batch', 'spot'], plannedNodes: 1 },
    });
    expect(findings[0].message).toBe(
      'has no limits: if an autoscaler runs away, nothing bounds the number of nodes and their cost (planned here: 1 node); the same holds for batch',
    );
  });

  test('reports a single NodePool without limits', () => {
    expect(judge(rule, [nodeClass(), nodePool('default')]).findings[0].message).toBe(
      'has no limits: if an autoscaler runs away, nothing bounds the number of nodes and their cost',
    );
  });

  test('passes NodePools with limits, even if their value is known only at deployment', () => {
    expect(judge(rule, [limited]).states).toEqual(['pass NodePool/limited']);
    expect(judge(rule, [nodePool('open', { limits: '${LIMITS}' as never })]).states).toEqual(['pass NodePool/open']);
  });

  test('does not apply to a static NodePool', () => {
    expect(judge(rule, [nodeClass(), nodePool('static', { replicas: 3 })]).outcomes).toEqual([]);
  });
});
