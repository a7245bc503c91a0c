import { disruptionPass } from '../../../src/disruption';
import { anyPool, ClusterMore, clusterOf, HOUR, machine, NOW, pod } from '../builders';

function deleted(nodes: Parameters<typeof clusterOf>[0], more: ClusterMore = {}) {
  const { commands } = disruptionPass(clusterOf(nodes, more), NOW);
  return commands
    .filter(({ method }) => method === 'Emptiness')
    .flatMap(({ candidates }) => candidates.map(({ node: { name } }) => name));
}

describe('emptiness', () => {
  const daemon = pod('agent', undefined, { daemon: true });

  test('deletes all nodes that have only DaemonSet pods in one command, sorted by savings', () => {
    expect(
      deleted([machine('a', 'm5.large', [daemon]), machine('b', 'm5.xlarge'), machine('c', 'm5.large', [pod('p')])]),
    ).toEqual(['b', 'a']);
  });

  test('deletes a node whose pods have such a low priority that moving them costs nothing', () => {
    expect(deleted([machine('a', 'm5.large', [pod('p', { cpu: '1' }, { priority: -33_554_432 })])])).toEqual(['a']);
    expect(deleted([machine('a', 'm5.large', [pod('p', { cpu: '1' }, { priority: -33_554_431 })])])).toEqual([]);
  });

  test('respects the budgets for the reason Empty', () => {
    const nodes = ['a', 'b', 'c'].map((name) => machine(name, 'm5.large'));
    expect(
      deleted(nodes, {
        disruption: {
          budgets: [
            { nodes: '2', reasons: ['Empty'] },
            { nodes: '0', reasons: ['Underutilized'] },
          ],
        },
      }),
    ).toEqual(['a', 'b']);
  });

  test.each<[string, ClusterMore]>([
    ['its NodePool never consolidates', { disruption: { consolidateAfter: undefined } }],
    ['its consolidateAfter is not over', { disruption: { consolidateAfter: HOUR + 1 } }],
    ['its NodePool is static', { pools: [anyPool({ replicas: 1 })] }],
    [
      'its NodePool is static and another one is not',
      { pools: [anyPool({ replicas: 1 }), anyPool({ name: 'other' })] },
    ],
  ])('keeps a node if %s', (_, more) => {
    expect(deleted([machine('a', 'm5.large')], more)).toEqual([]);
  });

  test('keeps a node with virtual pods of a CapacityBuffer', () => {
    expect(deleted([machine('a', 'm5.large', [], { hasBufferPods: true }), machine('b', 'm5.large')])).toEqual(['b']);
  });

  test('runs with every consolidation policy', () => {
    for (const consolidationPolicy of ['WhenEmpty', 'WhenEmptyOrUnderutilized', 'Balanced'] as const) {
      expect(deleted([machine('a', 'm5.large')], { disruption: { consolidationPolicy } })).toEqual(['a']);
    }
  });
});
