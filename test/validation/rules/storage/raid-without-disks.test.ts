import { raidWithoutDisks } from '../../../../src/validation/rules/storage/raid-without-disks';
import { judge, nodeClass, nodePool, types } from '../judge';

const rule = raidWithoutDisks;
const RAID = nodeClass('default', { instanceStorePolicy: 'RAID0' });
const pool = (...names: string[]) => nodePool('default', { requirements: [types(...names)] });

describe('KARP-830 raid-without-disks', () => {
  test('reports a policy for types without disks', () => {
    expect(judge(rule, [RAID, pool('m6i.large', 'c6i.large')]).findings).toMatchObject([
      { path: ['spec', 'instanceStorePolicy'], evidence: { nodePools: ['default'], instanceTypes: 2 } },
    ]);
  });

  test('passes if a type has disks, and does not apply without the policy or NodePools', () => {
    expect(judge(rule, [RAID, pool('m6i.large', 'm6id.large')]).states).toEqual(['pass EC2NodeClass/default']);
    expect(judge(rule, [nodeClass(), pool('m6i.large')]).outcomes).toEqual([]);
    expect(judge(rule, [RAID]).outcomes).toEqual([]);
  });
});
