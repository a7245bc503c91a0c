import { limitOfUnknownResource } from '../../../../src/validation/rules/api/limit-of-unknown-resource';
import { judge, nodeClass, nodePool } from '../judge';

const rule = limitOfUnknownResource;

function judgeLimits(limits: Record<string, string | number>) {
  return judge(rule, [nodeClass(), nodePool('core', { limits })]);
}

describe('KARP-156 limit-of-unknown-resource', () => {
  test.each([
    ['CPU', 'cpu'],
    ['memroy', 'memory'],
    ['mem', 'memory'],
    ['gpu', 'nvidia.com/gpu'],
    ['nvidia.com/gpus', 'nvidia.com/gpu'],
  ])('reports a limit on %s, which no node has', (key, meant) => {
    expect(judgeLimits({ [key]: 8 }).findings).toMatchObject([
      {
        path: ['spec', 'limits', key],
        message: `limits ${key}, which no node has: Karpenter never reaches this limit`,
        remedy: `write ${meant} instead of ${key}`,
        evidence: { resource: key, meant },
        fix: { edits: [{ operation: 'rename', path: ['spec', 'limits', key], to: meant }] },
      },
    ]);
  });

  test('offers removal if the meant resource is limited already', () => {
    expect(judgeLimits({ cpu: 100, CPU: 8 }).findings).toMatchObject([
      { remedy: 'remove it, because cpu is limited already' },
    ]);
  });

  test('passes resources of nodes, their number, and devices of plugins', () => {
    const limits = { cpu: 100, memory: '1Ti', nodes: 10, 'nvidia.com/gpu': 8, 'smarter-devices/fuse': 20 };
    expect(judgeLimits(limits).states).toEqual(['pass NodePool/core']);
  });

  test('does not apply without limits', () => {
    expect(judge(rule, [nodeClass(), nodePool('core')]).outcomes).toEqual([]);
  });
});
