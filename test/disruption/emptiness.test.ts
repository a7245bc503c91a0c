import { anyPool, ClusterMore, clusterOf, HOUR, machine, NOW, pod } from './builders';
import { disruptionPass } from '../../src/disruption';

function deleted(nodes: Parameters<typeof clusterOf>[0], more: ClusterMore = {}) {
  const { commands } = disruptionPass(clusterOf(nodes, more), NOW);
  return commands.filter(({ method }) => method === 'Emptiness').flatMap(({ candidates }) => candidates.map(({ node: { name } }) => name));
}

describe('emptiness', () => {
  const daemon = pod('agent', undefined, { daemon: true });

  test('deletes all nodes with nothing but DaemonSets at once, those that save most first', () => {
    expect(deleted([machine('a', 'm5.large', [daemon]), machine('b', 'm5.xlarge'), machine('c', 'm5.large', [pod('p')])])).toEqual(['b', 'a']);
  });

  test('deletes a node of pods whose priority is so low that they count for nothing', () => {
    expect(deleted([machine('a', 'm5.large', [pod('p', { cpu: '1' }, { priority: -33_554_432 })])])).toEqual(['a']);
    expect(deleted([machine('a', 'm5.large', [pod('p', { cpu: '1' }, { priority: -33_554_431 })])])).toEqual([]);
  });

  test('goes by the budgets for the reason Empty', () => {
    const nodes = ['a', 'b', 'c'].map((name) => machine(name, 'm5.large'));
    expect(deleted(nodes, { disruption: { budgets: [{ nodes: '2', reasons: ['Empty'] }, { nodes: '0', reasons: ['Underutilized'] }] } })).toEqual(['a', 'b']);
  });

  test.each<[string, ClusterMore]>([
    ['its pool never consolidates', { disruption: { consolidateAfter: undefined } }],
    ['it has not been empty for long enough', { disruption: { consolidateAfter: HOUR + 1 } }],
    ['its pool is static', { pools: [anyPool({ replicas: 1 })] }],
    ['its pool is static, and another is not', { pools: [anyPool({ replicas: 1 }), anyPool({ name: 'other' })] }],
  ])('leaves a node where %s', (_, more) => {
    expect(deleted([machine('a', 'm5.large')], more)).toEqual([]);
  });

  test('leaves a node that has the room of a CapacityBuffer, as long as it has', () => {
    expect(deleted([machine('a', 'm5.large', [], { buffered: true }), machine('b', 'm5.large')])).toEqual(['b']);
  });

  test('is for every policy', () => {
    for (const consolidationPolicy of ['WhenEmpty', 'WhenEmptyOrUnderutilized', 'Balanced'] as const) {
      expect(deleted([machine('a', 'm5.large')], { disruption: { consolidationPolicy } })).toEqual(['a']);
    }
  });
});
