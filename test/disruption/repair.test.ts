import { ClusterMore, clusterOf, machine, MINUTE, NOW, pod } from './builders';
import { ClusterNode, disruptionPass, NodeFault } from '../../src/disruption';

const fault = (minutes: number, tolerated = 30, drainBound = 10): NodeFault =>
  ({ since: NOW - minutes * MINUTE, tolerated: tolerated * MINUTE, drainBound: drainBound * MINUTE });
const KNOWN_GPU_FAULT = [10, 5] as const;
const sick = (name: string, ...faults: NodeFault[]) => machine(name, 'm5.large', [pod(`web-${name}`)], { faults });
const well = 'bcdefghijk'.split('').map((name) => machine(name, 'm5.large', [pod(`web-${name}`)]));

function repaired(nodes: readonly ClusterNode[], more: ClusterMore = {}) {
  const { commands } = disruptionPass(clusterOf([...nodes, ...well], { settings: { nodeRepair: true }, ...more }), NOW, ['Repair']);
  return commands.map(({ candidates, drainBound }) => [candidates[0].node.name, drainBound! / MINUTE]);
}

describe('repair', () => {
  test('takes a node at the very moment that its fault is tolerated no more', () => {
    expect(repaired([sick('a', fault(29))])).toEqual([]);
    expect(repaired([sick('a', fault(30))])).toEqual([['a', 10]]);
  });

  test('takes the node first whose fault has been tolerated no more for longest, which is not the longest fault', () => {
    expect(repaired([sick('a', fault(31)), sick('z', fault(12, ...KNOWN_GPU_FAULT))])).toEqual([['z', 5]]);
  });

  test('bounds the drain by the shortest of the faults that are tolerated no more', () => {
    expect(repaired([sick('a', fault(40), fault(11, ...KNOWN_GPU_FAULT))])).toEqual([['a', 5]]);
    expect(repaired([sick('a', fault(40), fault(9, ...KNOWN_GPU_FAULT))])).toEqual([['a', 10]]);
  });

  test('counts a fault that is tolerated still among those of more than a fifth of the nodes', () => {
    expect(repaired([sick('x', fault(40)), sick('y', fault(1)), sick('z', fault(1))])).toEqual([['x', 10]]);
    expect(repaired(['v', 'w', 'x', 'y', 'z'].map((name) => sick(name, fault(name === 'v' ? 40 : 1))))).toEqual([]);
  });

  test('says of each node that it is not to be repaired, though another is', () => {
    const vetoed = (name: string, minutes: number) => ({ ...sick(name, fault(minutes)), annotations: { 'karpenter.sh/do-not-repair': 'true' } });
    const cluster = clusterOf([sick('a', fault(50)), vetoed('b', 40), vetoed('z', 29), ...well.slice(1)], { settings: { nodeRepair: true } });
    const { commands, refusals } = disruptionPass(cluster, NOW, ['Repair']);
    expect(commands[0].candidates[0].node.name).toBe('a');
    expect(refusals).toEqual([{ method: 'Repair', nodes: ['b'], why: 'repair is blocked through the "karpenter.sh/do-not-repair" annotation' }]);
  });

  test('does nothing while its gate is closed', () => {
    expect(repaired([sick('a', fault(40))], { settings: {} })).toEqual([]);
  });
});
