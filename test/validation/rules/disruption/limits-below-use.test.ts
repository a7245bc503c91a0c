import { limitsBelowUse } from '../../../../src/validation/rules/disruption/limits-below-use';
import { karpenterNode } from '../../cluster/dump';
import { judge, nodeClass, nodePool } from '../judge';

const rule = limitsBelowUse;
const cluster = (...items: object[]) => ({
  cluster: items.map((item, index) => ({ path: `cluster-${index}.yaml`, text: JSON.stringify(item) })),
});
const nodes = cluster(karpenterNode('ip-1'), karpenterNode('ip-2'));
const judged = (limits: Record<string, number>) => judge(rule, [nodeClass(), nodePool('default', { limits })], nodes);

describe('KARP-431 limits-below-use', () => {
  test('reports limits below what the nodes of the cluster have, with the limits that would do', () => {
    const [finding] = judged({ nodes: 1 }).findings;
    expect(finding).toMatchObject({
      path: ['spec', 'limits', 'nodes'],
      remedy: 'write limits.nodes: "2" or more',
      evidence: { limits: { nodes: '1' }, used: { nodes: '2' } },
    });
    expect(finding.message).toMatch(/^its 2 nodes use /);
  });

  test('passes limits that are exactly used up', () => {
    expect(judged({ nodes: 2 }).states).toEqual(['pass NodePool/default']);
  });

  test('does not apply without limits, or without nodes in the cluster', () => {
    expect(judge(rule, [nodeClass(), nodePool('default')], nodes).outcomes).toEqual([]);
    expect(judge(rule, [nodeClass(), nodePool('default', { limits: { nodes: 1 } })]).outcomes).toEqual([]);
  });
});
