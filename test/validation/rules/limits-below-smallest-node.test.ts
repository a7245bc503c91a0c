import { judge, nodeClass, nodePool, oneOf, types } from './helper';
import { LimitsBelowSmallestNode } from '../../../src/validation/rules/limits-below-smallest-node';

const rule = new LimitsBelowSmallestNode();
const requirements = [types('m5.large', 'm5.xlarge', 'r5.large')];
const withLimits = (limits: Record<string, string | number>) => judge(rule, [nodeClass(), nodePool('default', { requirements, limits })]);

describe('KARP-310 limits-below-smallest-node', () => {
  test('fails when every type has more CPU than the limit', () => {
    const { states, findings } = withLimits({ cpu: '1' });
    expect(states).toEqual(['fail NodePool/default']);
    expect(findings[0].message).toContain('limits cpu 1; each of the 3 allowed instance types has more, and the smallest in this, m5.large, has cpu 2');
    expect(findings[0].remedy).toContain('raise limits.cpu to 2 or more');
    expect(findings[0].object.locate(findings[0].path).path).toBe('spec.limits.cpu');
  });

  test('counts capacity, which is more than what pods can use', () => {
    expect(withLimits({ memory: '7576Mi' }).states).toEqual(['fail NodePool/default']);
    expect(withLimits({ memory: '7577Mi' }).states).toEqual(['pass NodePool/default']);
  });

  test('fails when two limits together rule out every type', () => {
    const pools = nodePool('default', { requirements: [types('c5.2xlarge', 'r5.large')], limits: { cpu: '4', memory: '10Gi' } });
    expect(judge(rule, [nodeClass(), pools]).states).toEqual(['fail NodePool/default']);
  });

  test('raises every limit that the type exceeds, also where one of them alone rules out all types', () => {
    const pool = (limits: Record<string, string>) => nodePool('default', { requirements: [types('r6a.large', 'c6a.xlarge')], limits });
    const [{ message, remedy }] = judge(rule, [nodeClass(), pool({ cpu: '3', memory: '3Gi' })]).findings;
    expect(message).toContain('limits cpu 3 and memory 3Gi; each of the 2 allowed instance types has more, and the smallest in this, c6a.xlarge, has cpu 4 and memory 7577Mi');
    expect(remedy).toBe('raise limits.cpu to 4 or more and limits.memory to 7577Mi or more, or allow a smaller instance type');
    expect(judge(rule, [nodeClass(), pool({ cpu: '4', memory: '7577Mi' })]).states).toEqual(['pass NodePool/default']);
  });

  test.each([[{ cpu: 0 }], [{ nodes: 0 }], [{ cpu: '0', memory: '0' }]])('only warns of %p, which takes a NodePool out of use', (limits) => {
    const { findings } = withLimits(limits as Record<string, number>);
    expect(findings.map(({ severity }) => severity)).toEqual(['warning']);
  });

  test.each([[{ cpu: '2' }], [{ 'nvidia.com/gpu': 0 }], [{ nodes: 1 }], [{ cpu: 1000, memory: '1000Gi' }]])('passes %p', (limits) => {
    expect(withLimits(limits as Record<string, string>).states).toEqual(['pass NodePool/default']);
  });

  test('does not apply without limits, or where no type is left anyway', () => {
    expect(judge(rule, [nodeClass(), nodePool('default', { requirements })]).outcomes).toEqual([]);
    const none = nodePool('default', { requirements: [oneOf('karpenter.k8s.aws/instance-family', 'none')], limits: { cpu: '1' } });
    expect(judge(rule, [nodeClass(), none]).outcomes).toEqual([]);
  });

  test('is not evaluated when the node class or the limit is not known', () => {
    expect(judge(rule, [nodePool('default', { limits: { cpu: '1' } })]).states).toEqual(['not-evaluated NodePool/default']);
    expect(withLimits({ cpu: '${Token[TOKEN.8]}' }).states).toEqual(['not-evaluated NodePool/default']);
  });
});
