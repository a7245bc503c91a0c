import fc from 'fast-check';
import { clusterOf, machine, NOW, pod } from './builders';
import { ClusterNode } from '../../src/disruption';
import { NodePoolStats } from '../../src/disruption/budgets/node-pool-stats';
import { DriftOrder } from '../../src/disruption/candidates/drift-order';
import { DisruptionSession } from '../../src/disruption/session';

/** In each state a node is one object, as the copy-on-write contract of DisruptionSession demands. */
const STATES = [
  'absent',
  'initialized',
  'empty',
  'drifted',
  'drifted, empty',
  'drifted earlier',
  'deleting',
  'uninitialized',
  'not ready',
  'of another pool',
  'terminating',
] as const;
const nodesByState = new Map<string, ClusterNode>();

function nodeInState(index: number, state: Exclude<(typeof STATES)[number], 'absent'>): ClusterNode {
  const key = `${index} ${state}`;
  const cached = nodesByState.get(key);
  if (cached) return cached;
  const pods = state.includes('empty') ? [] : [pod(`p${index}`, { cpu: '100m' })];
  const drifted = { reason: 'AMIDrift', since: state === 'drifted earlier' ? NOW - 1_000 : NOW };
  const node = machine(`n${index}`, 'm5.large', pods, {
    ...(state === 'deleting' ? { deleting: true } : {}),
    ...(state === 'uninitialized' ? { initialized: false } : {}),
    ...(state === 'not ready' ? { ready: false } : {}),
    ...(state === 'of another pool' ? { pool: 'other' } : {}),
  });
  const claim = {
    ...node.claim!,
    ...(state.startsWith('drifted') ? { drifted } : {}),
    ...(state === 'terminating' ? { instanceTerminating: true } : {}),
  };
  nodesByState.set(key, { ...node, claim });
  return nodesByState.get(key)!;
}

/** Some states of a cluster of up to eight nodes, one after the other. */
const successiveNodes = fc
  .array(fc.array(fc.constantFrom(...STATES), { minLength: 8, maxLength: 8 }), { minLength: 2, maxLength: 6 })
  .map((clusters) =>
    clusters.map((states) => states.flatMap((state, index) => (state === 'absent' ? [] : nodeInState(index, state)))),
  );

describe('DisruptionSession', () => {
  test('orders drifted nodes the same after updates as from scratch', () => {
    fc.assert(
      fc.property(successiveNodes, (clusters) => {
        const { driftOrder } = new DisruptionSession(clusterOf([]));
        for (const nodes of clusters) {
          const rank = ({ pods, claim, name }: ClusterNode) =>
            `${pods.length > 0 ? 1 : 0} ${claim!.drifted!.since} ${name}`;
          const sorted = nodes
            .filter(({ claim }) => claim?.drifted)
            .sort((left, right) => (rank(left) < rank(right) ? -1 : 1));
          expect(driftOrder.of(nodes)).toEqual(sorted);
          expect(new DriftOrder().of(nodes)).toEqual(sorted);
        }
      }),
    );
  });

  test('counts the nodes of a NodePool the same after updates as from scratch', () => {
    fc.assert(
      fc.property(successiveNodes, (clusters) => {
        const { nodePoolStats } = new DisruptionSession(clusterOf([]));
        for (const nodes of clusters) {
          const updated = nodePoolStats.of(nodes);
          const fromScratch = new NodePoolStats().of(nodes);
          for (const pool of ['default', 'other']) {
            const zero = { nodes: 0, deleting: 0, unready: 0 };
            expect(updated.get(pool) ?? zero).toEqual(fromScratch.get(pool) ?? zero);
          }
          const counted = nodes.filter(
            ({ initialized, claim, labels }) =>
              initialized && !claim!.instanceTerminating && labels['karpenter.sh/nodepool'] === 'default',
          );
          expect(updated.get('default')?.nodes ?? 0).toBe(counted.length);
        }
      }),
    );
  });
});
