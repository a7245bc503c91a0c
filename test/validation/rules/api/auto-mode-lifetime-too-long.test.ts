import { autoModeLifetimeTooLong } from '../../../../src/validation/rules/api/auto-mode-lifetime-too-long';
import { judge, nodePool, PoolFields } from '../judge';

const rule = autoModeLifetimeTooLong;
const nodeClassRef = { group: 'eks.amazonaws.com', kind: 'NodeClass', name: 'default' };
const judged = (fields: PoolFields) => judge(rule, [nodePool('auto', { nodeClassRef, ...fields })]);

describe('KARP-119 auto-mode-lifetime-too-long', () => {
  test.each<[PoolFields, string, string]>([
    [
      { expireAfter: '720h' },
      'expireAfter 720h and terminationGracePeriod 24h (the default) are 744 hours; EKS Auto Mode refuses a NodePool with more than 504 hours (21 days)',
      'write expireAfter: 480h or less',
    ],
    [
      { expireAfter: 'Never' },
      'expireAfter: Never lets nodes live forever; EKS Auto Mode refuses a NodePool with more than 504 hours (21 days)',
      'write expireAfter: 480h or less',
    ],
    [
      { expireAfter: '504h', terminationGracePeriod: '30m' },
      'expireAfter 504h and terminationGracePeriod 30m are 504.5 hours; EKS Auto Mode refuses a NodePool with more than 504 hours (21 days)',
      'write expireAfter: 503h or less',
    ],
    [
      { expireAfter: '1h', terminationGracePeriod: '600h' },
      'expireAfter 1h and terminationGracePeriod 600h are 601 hours; EKS Auto Mode refuses a NodePool with more than 504 hours (21 days)',
      'lower terminationGracePeriod: both together may be 21 days',
    ],
  ])('rejects %j', (fields, message, remedy) => {
    expect(judged(fields).findings).toMatchObject([
      { message, remedy, path: ['spec', 'template', 'spec', 'expireAfter'] },
    ]);
  });

  test.each([{ expireAfter: '480h' }, { expireAfter: '503h', terminationGracePeriod: '1h' }])('passes %j', (fields) => {
    expect(judged(fields).states).toEqual(['pass NodePool/auto']);
  });

  test('is not evaluated if the lifetime is known only at deployment', () => {
    expect(judged({ expireAfter: '${Lifetime}' }).states).toEqual(['not-evaluated NodePool/auto']);
  });

  test('does not apply without expireAfter, because the default is short enough', () => {
    expect(judged({}).outcomes).toEqual([]);
  });

  test('does not apply to NodePools of a self-managed Karpenter', () => {
    expect(judge(rule, [nodePool('default', { expireAfter: '720h' })]).outcomes).toEqual([]);
  });
});
