import { ClusterNode, disruptionPass, NodeFault } from '../../../src/disruption';
import { ClusterMore, clusterOf, machine, MINUTE, NOW, pod } from '../builders';

const fault = (minutes: number, tolerated = 30, drainBound = 10): NodeFault => ({
  since: NOW - minutes * MINUTE,
  tolerationDuration: tolerated * MINUTE,
  drainBound: drainBound * MINUTE,
});
const KNOWN_GPU_FAULT = [10, 5] as const;
const unhealthy = (name: string, ...faults: NodeFault[]) => machine(name, 'm5.large', [pod(`web-${name}`)], { faults });
const healthy = 'bcdefghijk'.split('').map((name) => machine(name, 'm5.large', [pod(`web-${name}`)]));

function repaired(nodes: readonly ClusterNode[], more: ClusterMore = {}) {
  const { commands } = disruptionPass(
    clusterOf([...nodes, ...healthy], { settings: { nodeRepair: true }, ...more }),
    NOW,
    ['Repair'],
  );
  return commands.map(({ candidates, drainBound }) => [candidates[0].node.name, drainBound! / MINUTE]);
}

describe('repair', () => {
  test('replaces a node as soon as its fault is no longer tolerated', () => {
    expect(repaired([unhealthy('a', fault(29))])).toEqual([]);
    expect(repaired([unhealthy('a', fault(30))])).toEqual([['a', 10]]);
  });

  test('replaces the longest overdue node first, which need not have the oldest fault', () => {
    expect(repaired([unhealthy('a', fault(31)), unhealthy('z', fault(12, ...KNOWN_GPU_FAULT))])).toEqual([['z', 5]]);
  });

  test('uses the shortest drain bound of the faults that are no longer tolerated', () => {
    expect(repaired([unhealthy('a', fault(40), fault(11, ...KNOWN_GPU_FAULT))])).toEqual([['a', 5]]);
    expect(repaired([unhealthy('a', fault(40), fault(9, ...KNOWN_GPU_FAULT))])).toEqual([['a', 10]]);
  });

  test('replaces nothing if more than 20 % of the nodes are unhealthy, tolerated faults included', () => {
    expect(repaired([unhealthy('x', fault(40)), unhealthy('y', fault(1)), unhealthy('z', fault(1))])).toEqual([
      ['x', 10],
    ]);
    expect(repaired(['v', 'w', 'x', 'y', 'z'].map((name) => unhealthy(name, fault(name === 'v' ? 40 : 1))))).toEqual(
      [],
    );
  });

  test('reports nodes with the do-not-repair annotation, even if another node is replaced', () => {
    const vetoed = (name: string, minutes: number) => ({
      ...unhealthy(name, fault(minutes)),
      annotations: { 'karpenter.sh/do-not-repair': 'true' },
    });
    const cluster = clusterOf([unhealthy('a', fault(50)), vetoed('b', 40), vetoed('z', 29), ...healthy.slice(1)], {
      settings: { nodeRepair: true },
    });
    const { commands, refusals } = disruptionPass(cluster, NOW, ['Repair']);
    expect(commands[0].candidates[0].node.name).toBe('a');
    expect(refusals).toEqual([
      { method: 'Repair', nodes: ['b'], why: 'repair is blocked through the "karpenter.sh/do-not-repair" annotation' },
    ]);
  });

  test('does nothing without the feature gate', () => {
    expect(repaired([unhealthy('a', fault(40))], { settings: {} })).toEqual([]);
  });
});
