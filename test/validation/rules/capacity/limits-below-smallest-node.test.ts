import { limitsBelowSmallestNode } from '../../../../src/validation/rules/capacity/limits-below-smallest-node';
import { judge, nodeClass, nodePool, oneOf, types } from '../judge';

const rule = limitsBelowSmallestNode;
const requirements = [types('m5.large', 'm5.xlarge', 'r5.large')];
const withLimits = (limits: Record<string, string | number>) =>
  judge(rule, [nodeClass(), nodePool('default', { requirements, limits })]);

describe('KARP-310 limits-below-smallest-node', () => {
  test('reports a CPU limit below every type', () => {
    const { states, findings } = withLimits({ cpu: '1' });
    expect(states).toEqual(['fail NodePool/default']);
    expect(findings[0].message).toContain(
      'its limits of 1 CPU are below each of its 3 allowed instance types: it launches no nodes; the smallest, m5.large, has 2 CPUs',
    );
    expect(findings[0].remedy).toContain('raise limits.cpu to 2 or more');
    expect(findings[0].object.locate(findings[0].path).path).toBe('spec.limits.cpu');
  });

  test('reports negative amounts, also of what no type has', () => {
    const [{ message, remedy }] = withLimits({ nodes: -1 }).findings;
    expect(message).toContain('its limits of -1 nodes are below each of its 3 allowed instance types');
    expect(remedy).toContain('raise limits.nodes to 1 or more');
    expect(withLimits({ mem: -1 }).findings[0].remedy).toContain('raise limits.mem to 0 or more');
  });

  test('compares with the capacity, not the smaller allocatable amount', () => {
    expect(withLimits({ memory: '7576Mi' }).states).toEqual(['fail NodePool/default']);
    expect(withLimits({ memory: '7577Mi' }).states).toEqual(['pass NodePool/default']);
  });

  test('reports two limits that exclude every type together', () => {
    const pools = nodePool('default', {
      requirements: [types('c5.2xlarge', 'r5.large')],
      limits: { cpu: '4', memory: '10Gi' },
    });
    expect(judge(rule, [nodeClass(), pools]).states).toEqual(['fail NodePool/default']);
  });

  test('suggests raising every limit that the smallest type exceeds', () => {
    const pool = (limits: Record<string, string>) =>
      nodePool('default', { requirements: [types('r6a.large', 'c6a.xlarge')], limits });
    const [{ message, remedy }] = judge(rule, [nodeClass(), pool({ cpu: '3', memory: '3Gi' })]).findings;
    expect(message).toContain(
      'its limits of 3 CPUs and 3 GiB memory are below each of its 2 allowed instance types: it launches no nodes; the smallest, c6a.xlarge, has 4 CPUs and 7.39 GiB memory',
    );
    expect(remedy).toBe(
      'raise limits.cpu to 4 or more and limits.memory to 7577Mi or more, or allow a smaller instance type',
    );
    expect(judge(rule, [nodeClass(), pool({ cpu: '4', memory: '7577Mi' })]).states).toEqual(['pass NodePool/default']);
  });

  test.each([[{ cpu: 0 }], [{ nodes: 0 }], [{ cpu: '0', memory: '0' }]])(
    'reports a warning for %p, which disables the NodePool',
    (limits) => {
      const { findings } = withLimits(limits as Record<string, number>);
      expect(findings.map(({ severity }) => severity)).toEqual(['warning']);
    },
  );

  test.each([[{ cpu: '2' }], [{ 'nvidia.com/gpu': 0 }], [{ nodes: 1 }], [{ cpu: 1000, memory: '1000Gi' }]])(
    'passes %p',
    (limits) => {
      expect(withLimits(limits as Record<string, string>).states).toEqual(['pass NodePool/default']);
    },
  );

  test('does not apply without limits, or if no type meets the requirements', () => {
    expect(judge(rule, [nodeClass(), nodePool('default', { requirements })]).outcomes).toEqual([]);
    const none = nodePool('default', {
      requirements: [oneOf('karpenter.k8s.aws/instance-family', 'none')],
      limits: { cpu: '1' },
    });
    expect(judge(rule, [nodeClass(), none]).outcomes).toEqual([]);
  });

  test('is not evaluated if the node class or the limit is unknown', () => {
    expect(judge(rule, [nodeClass('other'), nodePool('default', { limits: { cpu: '1' } })]).states).toEqual([
      'not-evaluated NodePool/default',
    ]);
    expect(withLimits({ cpu: '${Token[TOKEN.8]}' }).states).toEqual(['not-evaluated NodePool/default']);
  });

  test('advises the unit that a limit of memory lacks', () => {
    const pool = nodePool('default', { limits: { memory: '1600' } });
    expect(judge(limitsBelowSmallestNode, [nodeClass(), pool]).findings[0].remedy).toBe(
      'write limits.memory: 1600Gi, because a number without a unit is in bytes',
    );
  });

  test.each([
    ['160m', 'write limits.cpu: 160, because m is a thousandth of a CPU'],
    ['1m', 'raise limits.cpu to 2 or more, or allow a smaller instance type'],
    ['1500m', 'raise limits.cpu to 2 or more, or allow a smaller instance type'],
  ])('advises whole CPUs for a limit in thousandths that holds a node then: %s', (cpu, remedy) => {
    const pool = nodePool('default', { requirements: [types('c5.large')], limits: { cpu } });
    expect(judge(limitsBelowSmallestNode, [nodeClass(), pool]).findings[0].remedy).toBe(remedy);
  });
});
