import fc from 'fast-check';
import { clusterOf, machine, NOW, pod } from './builders';
import { ClusterNode } from '../../src/disruption';
import { inDriftOrder } from '../../src/disruption/drift-order';
import { poolCounts } from '../../src/disruption/pool-counts';

/** Each way that a node may be in is one object, as long as time passes in a cluster. */
const ways = ['gone', 'up', 'empty', 'drifted', 'drifted, empty', 'drifted earlier', 'leaving', 'coming', 'not ready', 'of another pool', 'all but gone'] as const;
const seen = new Map<string, ClusterNode>();

function inWay(at: number, way: Exclude<typeof ways[number], 'gone'>): ClusterNode {
  const key = `${at} ${way}`;
  const pods = way.includes('empty') ? [] : [pod(`p${at}`, { cpu: '100m' })];
  const drifted = { reason: 'AMIDrift', since: way === 'drifted earlier' ? NOW - 1_000 : NOW };
  const more = {
    ...(way === 'leaving' ? { deleting: true } : {}),
    ...(way === 'coming' ? { initialized: false } : {}),
    ...(way === 'not ready' ? { ready: false } : {}),
    ...(way === 'of another pool' ? { pool: 'other' } : {}),
  };
  const node = seen.get(key) ?? machine(`n${at}`, 'm5.large', pods, more);
  const claim = { ...node.claim!, ...(way.startsWith('drifted') ? { drifted } : {}), ...(way === 'all but gone' ? { instanceTerminating: true } : {}) };
  const found = seen.get(key) ?? { ...node, claim };
  seen.set(key, found);
  return found;
}

const courses = fc.array(fc.array(fc.constantFrom(...ways), { minLength: 8, maxLength: 8 }), { minLength: 2, maxLength: 6 })
  .map((states) => states.map((state) => state.flatMap((way, at) => way === 'gone' ? [] : inWay(at, way))));

describe('as time passes in a cluster', () => {
  test('drifted nodes stand in the order in which they stand for whoever looks for the first time', () => {
    fc.assert(fc.property(courses, (states) => {
      const { pools } = clusterOf([]);
      for (const nodes of states) {
        const drifted = nodes.filter(({ claim }) => claim?.drifted);
        const rank = ({ pods, claim, name }: ClusterNode) => `${pods.length > 0 ? 1 : 0} ${claim!.drifted!.since} ${name}`;
        const inOrder = [...drifted].sort((left, right) => rank(left) < rank(right) ? -1 : 1);
        expect(inDriftOrder({ nodes, pools })).toEqual(inOrder);
      }
    }));
  });

  test('nodes of a pool are as many as they are for whoever counts for the first time', () => {
    fc.assert(fc.property(courses, (states) => {
      const { pools } = clusterOf([]);
      for (const nodes of states) {
        const counted = poolCounts({ nodes, pools });
        const anew = poolCounts({ nodes, pools: new Map(pools) });
        for (const pool of ['default', 'other']) {
          const none = { nodes: 0, deleting: 0, unready: 0 };
          expect(counted.get(pool) ?? none).toEqual(anew.get(pool) ?? none);
        }
        const up = nodes.filter(({ initialized, claim, labels }) => initialized && !claim!.instanceTerminating && labels['karpenter.sh/nodepool'] === 'default');
        expect(counted.get('default')?.nodes ?? 0).toBe(up.length);
      }
    }));
  });
});
