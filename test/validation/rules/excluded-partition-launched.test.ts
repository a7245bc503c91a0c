import { deployment, judge, nodeClass, nodePool, oneOf, requiredAffinity } from './helper';
import { ExcludedPartitionLaunched } from '../../../src/validation/rules/excluded-partition-launched';

const rule = new ExcludedPartitionLaunched();
const KEY = 'karpenter.k8s.aws/placement-group-partition';
const GROUPED = nodeClass('default', { placementGroupSelector: { name: 'apart' } });
const group = (strategy: string) => ({
  cluster: [{
    path: 'groups.json',
    text: JSON.stringify({ PlacementGroups: [{ GroupName: 'apart', GroupId: 'pg-1', State: 'available', Strategy: strategy, PartitionCount: 4 }] }),
  }],
});
const PARTITIONS = group('partition');
const asking = (operator: string, ...values: string[]) => ({ key: KEY, operator, values });
const pool = (...requirements: Array<ReturnType<typeof asking>>) => nodePool('default', { requirements: [oneOf('karpenter.k8s.aws/instance-family', 'm5'), ...requirements] });
const web = (...requirements: Array<ReturnType<typeof asking>>) => deployment('web', requiredAffinity(requirements));

describe('KARP-214 excluded-partition-launched', () => {
  test('fails for a NodePool that only names partitions that it does not want', () => {
    const { states, findings: [{ message, remedy, path }] } = judge(rule, [GROUPED, pool(asking('NotIn', '3', '1'))], PARTITIONS);
    expect(states).toEqual(['fail NodePool/default']);
    expect(message).toContain('Karpenter launches into partition 1, the first that it names; its nodes are not in partitions that it allows, drift, and are replaced');
    expect(remedy).toBe('write operator: In with the partitions that it wants: 2 and 4');
    expect(path).toEqual(['spec', 'template', 'spec', 'requirements', 1]);
  });

  test('fails for a NodePool with bounds alone, for which EC2 takes any', () => {
    const { findings: [{ message, remedy }] } = judge(rule, [GROUPED, pool(asking('Gt', '2'))], PARTITIONS);
    expect(message).toContain('Karpenter launches into whichever partition EC2 takes');
    expect(remedy).toContain('3 and 4');
  });

  test('fails for pods that do, unless their NodePool names those that it wants', () => {
    const pods = web(asking('NotIn', '1'));
    const { states, findings: [{ message }] } = judge(rule, [GROUPED, pool(), pods], PARTITIONS);
    expect(states).toEqual(['fail Deployment/web']);
    expect(message).toContain('partition 1, the first that it names; the scheduler puts none of its pods on the node');
    expect(judge(rule, [GROUPED, pool(asking('In', '1', '2')), pods], PARTITIONS).states).toEqual(['pass NodePool/default', 'pass Deployment/web']);
    expect(judge(rule, [GROUPED, pool(asking('NotIn', '2')), pods], PARTITIONS).states).toEqual(['fail NodePool/default']);
  });

  test.each([
    ['where nothing is said of partitions', [GROUPED, pool(), deployment('web')], PARTITIONS],
    ['to a placement group without partitions', [GROUPED, pool(asking('NotIn', '1'))], group('spread')],
    ['to a class without a placement group', [nodeClass(), pool(asking('NotIn', '1')), web(asking('NotIn', '1'))], PARTITIONS],
  ])('does not apply %s', (_, documents, options) => {
    expect(judge(rule, documents, options).outcomes).toEqual([]);
  });

  test('is not evaluated where nothing tells what the placement group is like', () => {
    expect(judge(rule, [GROUPED, pool(asking('NotIn', '1')), web(asking('In', '2'))]).states).toEqual(['not-evaluated NodePool/default']);
    expect(judge(rule, [GROUPED, pool(), web(asking('NotIn', '2'))]).states).toEqual(['not-evaluated Deployment/web']);
  });
});
