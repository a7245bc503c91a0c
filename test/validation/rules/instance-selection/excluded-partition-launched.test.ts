import { excludedPartitionLaunched } from '../../../../src/validation/rules/instance-selection/excluded-partition-launched';
import { deployment, judge, nodeClass, nodePool, oneOf, requiredAffinity } from '../judge';

const rule = excludedPartitionLaunched;
const KEY = 'karpenter.k8s.aws/placement-group-partition';
const GROUPED = nodeClass('default', { placementGroupSelector: { name: 'apart' } });
const group = (strategy: string) => ({
  cluster: [
    {
      path: 'groups.json',
      text: JSON.stringify({
        PlacementGroups: [
          { GroupName: 'apart', GroupId: 'pg-1', State: 'available', Strategy: strategy, PartitionCount: 4 },
        ],
      }),
    },
  ],
});
const PARTITIONS = group('partition');
const partitions = (operator: string, ...values: string[]) => ({ key: KEY, operator, values });
const pool = (...requirements: Array<ReturnType<typeof partitions>>) =>
  nodePool('default', { requirements: [oneOf('karpenter.k8s.aws/instance-family', 'm5'), ...requirements] });
const web = (...requirements: Array<ReturnType<typeof partitions>>) =>
  deployment('web', requiredAffinity(requirements));

describe('KARP-214 excluded-partition-launched', () => {
  test('reports a NodePool that only excludes partitions', () => {
    const {
      states,
      findings: [{ message, remedy, path }],
    } = judge(rule, [GROUPED, pool(partitions('NotIn', '3', '1'))], PARTITIONS);
    expect(states).toEqual(['fail NodePool/default']);
    expect(message).toContain(
      'Karpenter launches into partition 1, the first that the requirement lists; its nodes are never in an allowed partition, so they drift and are replaced',
    );
    expect(remedy).toBe('use operator In with the partitions that you want: 2 and 4');
    expect(path).toEqual(['spec', 'template', 'spec', 'requirements', 1]);
  });

  test('reports a NodePool with only bounds, for which EC2 chooses the partition', () => {
    const {
      findings: [{ message, remedy }],
    } = judge(rule, [GROUPED, pool(partitions('Gt', '2'))], PARTITIONS);
    expect(message).toContain('Karpenter launches into a partition that EC2 chooses');
    expect(remedy).toContain('3 and 4');
  });

  test('reports pods that only exclude partitions, unless their NodePool lists the wanted ones', () => {
    const pods = web(partitions('NotIn', '1'));
    const {
      states,
      findings: [{ message }],
    } = judge(rule, [GROUPED, pool(), pods], PARTITIONS);
    expect(states).toEqual(['fail Deployment/web']);
    expect(message).toContain(
      'partition 1, the first that the requirement lists; the pods cannot be scheduled on that node',
    );
    expect(judge(rule, [GROUPED, pool(partitions('In', '1', '2')), pods], PARTITIONS).states).toEqual([
      'pass NodePool/default',
      'pass Deployment/web',
    ]);
    expect(judge(rule, [GROUPED, pool(partitions('NotIn', '2')), pods], PARTITIONS).states).toEqual([
      'fail NodePool/default',
    ]);
  });

  test.each([
    ['without requirements on partitions', [GROUPED, pool(), deployment('web')], PARTITIONS],
    ['to a placement group without partitions', [GROUPED, pool(partitions('NotIn', '1'))], group('spread')],
    [
      'to a class without a placement group',
      [nodeClass(), pool(partitions('NotIn', '1')), web(partitions('NotIn', '1'))],
      PARTITIONS,
    ],
  ])('does not apply %s', (_, documents, options) => {
    expect(judge(rule, documents, options).outcomes).toEqual([]);
  });

  test('does not apply to a NodePool that requires a partition of a placement group which is not in the input', () => {
    expect(judge(rule, [GROUPED, pool(partitions('NotIn', '1')), web(partitions('In', '2'))]).outcomes).toEqual([]);
  });

  test('is not evaluated for a workload if the placement group is not in the input', () => {
    expect(judge(rule, [GROUPED, pool(), web(partitions('NotIn', '2'))]).states).toEqual([
      'not-evaluated Deployment/web',
    ]);
  });
});
