import { nodeLimitOverrun } from '../../../../src/validation/rules/disruption/node-limit-overrun';
import { deployment, judge, nodeClass, nodePool, types } from '../judge';

const rule = nodeLimitOverrun;
const judged = (limits: Record<string, number>, replicas: number) =>
  judge(rule, [
    nodeClass(),
    nodePool('trio', { requirements: [types('m7i.large')], limits }),
    deployment('solo', {}, { replicas, requests: { cpu: '1500m' } }),
  ]);

describe('KARP-432 node-limit-overrun', () => {
  test('reports more planned nodes than the limit of nodes, and the limit of CPUs that holds', () => {
    expect(judged({ nodes: 3 }, 5).findings).toMatchObject([
      {
        path: ['spec', 'limits', 'nodes'],
        message: expect.stringMatching(/^5 nodes are planned although limits.nodes is 3: /),
        remedy: expect.stringContaining('limits.cpu: "6"'),
        evidence: { limit: 3, nodes: 5 },
      },
    ]);
  });

  test('passes if the nodes are within the limit', () => {
    expect(judged({ nodes: 5 }, 5).states).toEqual(['pass NodePool/trio']);
    expect(judged({ nodes: 3, cpu: 6 }, 5).states).toEqual(['pass NodePool/trio']);
  });

  test('does not apply without a limit of nodes, or with 0', () => {
    expect(judged({ cpu: 100 }, 5).outcomes).toEqual([]);
    expect(judged({ nodes: 0 }, 5).outcomes).toEqual([]);
  });
});
