import { ClusterNode, disruptionPass } from '../../../src/disruption';
import {
  anyPool,
  APART,
  ClusterMore,
  clusterOf,
  HOUR,
  machine,
  MINUTE,
  NodeMore,
  NOW,
  pod,
  PROTECTED,
} from '../builders';

/** A node that has drifted for some minutes. */
function drifted(
  name: string,
  minutes: number,
  pods: ClusterNode['pods'] = [pod(name, { cpu: '1500m' })],
  more: NodeMore = {},
): ClusterNode {
  const node = machine(name, 'm5.large', pods, more);
  return { ...node, claim: { ...node.claim!, drifted: { reason: 'NodePoolDrifted', since: NOW - minutes * MINUTE } } };
}

function pass(nodes: readonly ClusterNode[], more: ClusterMore = {}) {
  const { commands, refusals } = disruptionPass(
    clusterOf(nodes, { ...more, disruption: { consolidateAfter: undefined, ...more.disruption } }),
    NOW,
  );
  return {
    commands: commands.map(({ method, candidates, replacements }) => [
      method,
      candidates.map(({ node: { name } }) => name).join(),
      replacements.length,
    ]),
    why: refusals.filter(({ method }) => method.endsWith('Drift')).map((refusal) => refusal.why),
  };
}

describe('drift', () => {
  test('replaces the node that has drifted for longest, at any price', () => {
    expect(
      pass([drifted('a', 1), drifted('b', 2), machine('c', 'm5.large', [pod('kept', { cpu: '1' })])]).commands,
    ).toEqual([['Drift', 'b', 1]]);
  });

  test('replaces nodes without pods first', () => {
    expect(pass([drifted('a', 1, []), drifted('b', 2)]).commands).toEqual([['Drift', 'a', 0]]);
  });

  test('replaces one node by as many as its pods need', () => {
    expect(pass([drifted('a', 1, [pod('p', undefined, APART), pod('q', undefined, APART)])]).commands).toEqual([
      ['Drift', 'a', 2],
    ]);
  });

  test('tries the next node if the pods of one cannot be scheduled', () => {
    const unschedulable = pod('stuck', { cpu: '500' });
    const { commands, why } = pass([drifted('a', 2, [unschedulable]), drifted('b', 1)]);
    expect(commands).toEqual([['Drift', 'b', 1]]);
    expect(why[0]).toMatch(/^not all pods would schedule, default\/stuck => /);
  });

  test('respects the budgets for the reason Drifted', () => {
    expect(
      pass([drifted('a', 1)], { disruption: { budgets: [{ nodes: '0', reasons: ['Drifted'] }] } }).commands,
    ).toEqual([]);
    expect(
      pass([drifted('a', 1)], { disruption: { budgets: [{ nodes: '0', reasons: ['Empty'] }] } }).commands,
    ).toHaveLength(1);
  });

  test('keeps a node with protected pods, unless it has a terminationGracePeriod', () => {
    const pods = [pod('p', undefined, { annotations: PROTECTED })];
    expect(pass([drifted('a', 1, pods)]).why).toEqual([
      'pod has "karpenter.sh/do-not-disrupt" annotation (Pod=default/p)',
    ]);
    const bounded = drifted('a', 1, pods);
    expect(pass([{ ...bounded, claim: { ...bounded.claim!, terminationGracePeriod: HOUR } }]).commands).toEqual([
      ['Drift', 'a', 0],
    ]);
  });
});

describe('static drift', () => {
  const fixed = (replicas: number, limit?: bigint) => [
    anyPool({ replicas, limits: new Map(limit === undefined ? [] : [['nodes', limit]]) }),
  ];

  test('replaces nodes one for one, as many as the budgets allow', () => {
    const nodes = [drifted('a', 1), drifted('b', 2), drifted('c', 3)];
    expect(pass(nodes, { pools: fixed(3), disruption: { budgets: [{ nodes: '2' }] } }).commands).toEqual([
      ['StaticDrift', 'a', 1],
      ['StaticDrift', 'b', 1],
    ]);
  });

  test('respects the node limit', () => {
    expect(pass([drifted('a', 1), drifted('b', 2)], { pools: fixed(2, 3n) }).commands).toEqual([
      ['StaticDrift', 'a', 1],
    ]);
    expect(pass([drifted('a', 1)], { pools: fixed(1, 1n) })).toEqual({
      commands: [],
      why: ['static NodePool is at its node limit and cannot stage a replacement'],
    });
  });

  test('replaces nodes by name, and reports whether the node limit or the budgets refuse the others', () => {
    const budgets = { budgets: [{ nodes: '2' }] };
    expect(
      pass([drifted('c', 1), drifted('b', 2), drifted('a', 3)], { pools: fixed(3), disruption: budgets }).commands.map(
        ([, name]) => name,
      ),
    ).toEqual(['a', 'b']);
    expect(
      pass([drifted('a', 1), drifted('b', 2), drifted('c', 3)], { pools: fixed(3, 4n), disruption: budgets }).why,
    ).toEqual([
      'the node limit of the static NodePool allows no more replacements at this time',
      'the disruption budgets of NodePool "default" allow no more at this time',
    ]);
  });

  test('replaces nothing in a NodePool with more nodes than replicas', () => {
    expect(pass([drifted('a', 1), machine('b', 'm5.large', [pod('p')])], { pools: fixed(1) }).commands).toEqual([]);
  });
});
