import { anyPool, APART, ClusterMore, clusterOf, HOUR, machine, MINUTE, NodeMore, NOW, pod, PROTECTED } from './builders';
import { ClusterNode, disruptionPass } from '../../src/disruption';

/** A node that has drifted for some minutes. */
function drifted(name: string, minutes: number, pods: ClusterNode['pods'] = [pod(name, { cpu: '1500m' })], more: NodeMore = {}): ClusterNode {
  const node = machine(name, 'm5.large', pods, more);
  return { ...node, claim: { ...node.claim!, drifted: { reason: 'NodePoolDrifted', since: NOW - minutes * MINUTE } } };
}

function pass(nodes: readonly ClusterNode[], more: ClusterMore = {}) {
  const { commands, refusals } = disruptionPass(clusterOf(nodes, { ...more, disruption: { consolidateAfter: undefined, ...more.disruption } }), NOW);
  return {
    commands: commands.map(({ method, candidates, replacements }) =>
      [method, candidates.map(({ node: { name } }) => name).join(), replacements.length]),
    why: refusals.filter(({ method }) => method.endsWith('Drift')).map((refusal) => refusal.why),
  };
}

describe('drift', () => {
  test('replaces the node that has drifted for longest, at whatever price', () => {
    expect(pass([drifted('a', 1), drifted('b', 2), machine('c', 'm5.large', [pod('kept', { cpu: '1' })])]).commands).toEqual([['Drift', 'b', 1]]);
  });

  test('takes nodes without pods first', () => {
    expect(pass([drifted('a', 1, []), drifted('b', 2)]).commands).toEqual([['Drift', 'a', 0]]);
  });

  test('makes as many nodes of one as its pods need', () => {
    expect(pass([drifted('a', 1, [pod('p', undefined, APART), pod('q', undefined, APART)])]).commands).toEqual([['Drift', 'a', 2]]);
  });

  test('goes on to the next where there is no place for the pods of one', () => {
    const stuck = pod('stuck', { cpu: '500' });
    const { commands, why } = pass([drifted('a', 2, [stuck]), drifted('b', 1)]);
    expect(commands).toEqual([['Drift', 'b', 1]]);
    expect(why[0]).toMatch(/^not all pods would schedule, default\/stuck => /);
  });

  test('goes by the budgets for the reason Drifted', () => {
    expect(pass([drifted('a', 1)], { disruption: { budgets: [{ nodes: '0', reasons: ['Drifted'] }] } }).commands).toEqual([]);
    expect(pass([drifted('a', 1)], { disruption: { budgets: [{ nodes: '0', reasons: ['Empty'] }] } }).commands).toHaveLength(1);
  });

  test('waits for protected pods, unless the node gives them a time', () => {
    const pods = [pod('p', undefined, { annotations: PROTECTED })];
    expect(pass([drifted('a', 1, pods)]).why).toEqual(['pod has "karpenter.sh/do-not-disrupt" annotation (Pod=default/p)']);
    const bounded = drifted('a', 1, pods);
    expect(pass([{ ...bounded, claim: { ...bounded.claim!, terminationGracePeriod: HOUR } }]).commands).toEqual([['Drift', 'a', 0]]);
  });
});

describe('drift of a static pool', () => {
  const fixed = (replicas: number, limit?: bigint) => [anyPool({ replicas, limits: new Map(limit === undefined ? [] : [['nodes', limit]]) })];

  test('replaces nodes one for one, as many as budgets allow', () => {
    const nodes = [drifted('a', 1), drifted('b', 2), drifted('c', 3)];
    expect(pass(nodes, { pools: fixed(3), disruption: { budgets: [{ nodes: '2' }] } }).commands).toEqual([['StaticDrift', 'a', 1], ['StaticDrift', 'b', 1]]);
  });

  test('goes no further than the limit on nodes', () => {
    expect(pass([drifted('a', 1), drifted('b', 2)], { pools: fixed(2, 3n) }).commands).toEqual([['StaticDrift', 'a', 1]]);
    expect(pass([drifted('a', 1)], { pools: fixed(1, 1n) })).toEqual({
      commands: [], why: ['static NodePool is at its node limit and cannot stage a replacement'],
    });
  });

  test('takes nodes by name, and says which of the two limits is in the way', () => {
    const budgets = { budgets: [{ nodes: '2' }] };
    expect(pass([drifted('c', 1), drifted('b', 2), drifted('a', 3)], { pools: fixed(3), disruption: budgets }).commands.map(([, name]) => name)).toEqual(['a', 'b']);
    expect(pass([drifted('a', 1), drifted('b', 2), drifted('c', 3)], { pools: fixed(3, 4n), disruption: budgets }).why).toEqual([
      'the node limit of the static NodePool leaves room for no more replacements at this time',
      'the disruption budgets of NodePool "default" allow no more at this time',
    ]);
  });

  test('waits until a pool with too many nodes has given some up', () => {
    expect(pass([drifted('a', 1), machine('b', 'm5.large', [pod('p')])], { pools: fixed(1) }).commands).toEqual([]);
  });
});
